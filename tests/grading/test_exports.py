"""Tables for Moodle and Canvas."""

import csv

from grading import exports


def row(student, homework, points, possible=10, waiting=0):
    return {"student": student, "homework": homework, "notebook": "x", "points": points,
            "possible": possible, "waiting": waiting}


TABLE = [row("Anna_Muster_123_assignsubmission_file_", "hw1", 4.5),
         row("Anna_Muster_123_assignsubmission_file_", "hw1", 2),
         row("ben", "hw1", "not graded yet"), row("ben", "hw1", 3),
         row("ben", "hw2", 7, waiting=1), row("musteranna_456_789_hw1", "hw2", 1),
         {**row("ben", "", 0), "notebook": "total"}]
FOLDERS = {"Anna_Muster_123_assignsubmission_file_": "Anna Muster_123_assignsubmission_file_",
           "ben": "ben", "musteranna_456_789_hw1": "musteranna_456_789_hw1"}


def read(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def test_moodle_knows_a_student_by_the_number_in_the_folders_name(tmp_path):
    exports.write(tmp_path, TABLE, FOLDERS)
    anna, ben = read(tmp_path / "moodle_hw1.csv")
    assert (anna["Identifier"], anna["Full name"]) == ("Participant 123", "Anna Muster")
    assert (anna["Grade"], anna["Maximum Grade"]) == ("6.5", "20")
    assert (ben["Full name"], ben["Grade"]) == ("ben", "")  # not graded yet: never a number


def test_canvas_has_a_row_of_possible_points_and_leaves_open_what_is_open(tmp_path):
    exports.write(tmp_path, TABLE, FOLDERS)
    possible, anna, ben, other = read(tmp_path / "canvas.csv")
    assert list(possible) == ["Student", "ID", "Section", "hw1", "hw2"]
    assert (possible["Student"], possible["hw1"]) == ("Points Possible", "20")
    assert (anna["hw1"], anna["hw2"], ben["hw2"]) == ("6.5", "", "")
    assert (other["Student"], other["ID"], other["hw2"]) == ("musteranna", "456", "1")
