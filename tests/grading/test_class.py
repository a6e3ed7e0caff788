"""A class of eleven is graded by one command: points and messages, and no student affects
another."""

import csv
import html
import os
import re
import subprocess
import sys

import mock_class
import pytest
from conftest import ROOT
from grading.bubblewrap import SLOW

pytestmark = pytest.mark.timeout(3600 * SLOW)  # some 60 seconds on two quiet cores


def command(*arguments, program=(ROOT / "tools/grade", ), **environment):
    return subprocess.run([*program, *map(str, arguments)],
                          capture_output=True,
                          text=True,
                          env={
                              **os.environ,
                              **environment
                          })


def grade_class(*arguments):
    """With the shorter lesson."""
    return command(*arguments, program=(sys.executable, mock_class.__file__))


@pytest.fixture(scope="session")
def graded(tmp_path_factory, needs_sandbox):
    folder = tmp_path_factory.mktemp("class")
    mock_class.hand_in(folder / "submissions")
    done = grade_class(folder / "submissions", "--out", folder / "graded", "--cell-seconds", 8)
    assert done.returncode == 0, done.stderr
    return folder / "graded", done


def rows(folder, name="class.csv"):
    with open(folder / name, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def row(graded, student):
    return next(row for row in rows(graded[0]) if row["student"] == student)


def page(graded, student):
    return html.unescape(
        re.sub(r"<[^>]+>", "",
               (graded[0] / "feedback" / student / f"{mock_class.NAME}.html").read_text()))


POINTS = {
    "anna": 10, "ben": 0, "carla": 4, "dan": 8, "eva": 8, "finn": 8, "gina": 2, "hugo": 10, "jan": 10
}


@pytest.mark.parametrize("student", POINTS)
def test_points(graded, student):
    found = row(graded, student)
    assert (float(found["checked"]), float(found["checked_possible"])) == (POINTS[student],
                                                                           10), found
    assert (int(found["waiting"]),
            float(found["by_hand_possible"])) == (0 if student == "ben" else 3, 10)


# The first limit that a fork bomb reaches ends it: on a busy machine the count of processes may
# come late.
BOMB = ("more than 200 processes at a time", "does a loop never end?",
        "a cell could not be interrupted", "was killed from inside", "GiB of memory")
WORDS = {
    "ben": ["Fill in max_plain: three lines.", "Fill in max_gpu: six lines."],
    "carla": ["max_plain: passed.", "This is the smaller of the two", "Fill in max_gpu"],
    "dan": ["TimeLimit", "does a loop never end?", "max_gpu: passed"],
    "eva": ["SIGSEGV", "max_fast: passed"],
    "finn": [BOMB, "max_fast: passed", "max_gpu: passed"],
    "jan": ["See the drawing.", "10 of 20 points; 3 cells are not graded yet"],
    "gina": [
        "your answer uses lanes::max_plain", "redefines 'check' by #define", "it uses 'exit'",
        "no member named 'max_plain' in namespace 'lanes'",
        "The locked cell 'max_plain_check' was changed",
        "nbgrader's metadata of the cell 'max_plain_check' was changed"
    ],
    "hugo": ["asked for the Jupyter kernel 'python3'", "max_gpu: passed."],
}


@pytest.mark.parametrize("student", WORDS)
def test_the_page_says_why(graded, student):
    said = page(graded, student)
    for words in WORDS[student]:
        any_of = words if isinstance(words, tuple) else (words, )
        assert any(one in said for one in any_of), f"{words} is not in\n" + "\n".join(
            line for line in said.splitlines() if "ession" in line or "Error" in line)
    assert student in said


def test_the_page_shows_the_students_own_plot(graded):
    assert mock_class.PLOT in (graded[0] / "feedback/anna" / f"{mock_class.NAME}.html").read_text()
    assert "10 of 20 points" in page(graded, "anna")


def test_who_handed_in_nothing_that_can_be_read_is_told_and_waits_for_nobody(graded):
    found = row(graded, "ida")
    assert (float(found["points"]), int(found["waiting"])) == (0, 0)
    assert found["remarks"] == "Not handed in."
    assert "ida: hw1.zip cannot be read: File is not a zip file" in graded[1].stdout
    assert not any(entry["student"] == "ida" for entry in rows(graded[0], "manual.csv"))


def test_the_bar_counts_to_the_end(graded):
    assert "[########################] 10/10" in graded[1].stderr


def test_points_by_hand_are_taken_over_and_nothing_is_run_again(graded):
    folder = graded[0]
    given = rows(folder, "manual.csv")
    assert {entry["cell"]
            for entry in given
            if entry["student"] == "anna"} == {"max_report_1", "max_report_2", "max_report_3"}
    with open(folder / "manual.csv", "w", newline="") as file:
        table = csv.DictWriter(file, given[0])
        table.writeheader()
        for entry in given:
            table.writerow({
                **entry, "points": "2.5",
                "comment": "Which cores?"
            } if (entry["student"], entry["cell"]) == ("anna", "max_report_2") else entry)
    done = grade_class(folder.parent / "submissions", "--out", folder)
    assert done.returncode == 0, done.stderr
    assert "/10" not in done.stderr
    assert (row(graded, "anna")["points"], row(graded, "anna")["waiting"]) == ("12.5", "2")
    assert "Which cores?" in page(graded, "anna")


@pytest.mark.parametrize(
    "bwrap, reason", [("no-such-bwrap", "bubblewrap is not installed"),
                      ("refusing", "bubblewrap cannot make a sandbox here (bwrap: No permissions")])
def test_without_a_sandbox_nothing_is_graded(tmp_path, bwrap, reason):
    mock_class.hand_in(tmp_path / "submissions")
    refusing = tmp_path / "refusing"
    refusing.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    refusing.chmod(0o755)
    done = command(tmp_path / "submissions",
                   "--out",
                   tmp_path / "graded",
                   LANES_BWRAP=str(tmp_path / bwrap))
    assert done.returncode == 3
    assert "Nothing was graded" in done.stderr and reason in done.stderr
    assert not (tmp_path / "graded").exists()


def test_a_trial_of_the_sandbox_that_is_killed_is_no_refusal(tmp_path):
    mock_class.hand_in(tmp_path / "submissions")
    killed = tmp_path / "killed"
    killed.write_text("#!/bin/sh\nkill -9 $$\n")
    killed.chmod(0o755)
    done = command(tmp_path / "submissions", "--out", tmp_path / "graded", LANES_BWRAP=str(killed))
    assert done.returncode == 4
    assert "the sandbox was killed 10 times" in done.stderr and "user namespaces" not in done.stderr


def test_a_folder_without_notebooks_is_told(tmp_path, needs_sandbox):
    (tmp_path / "ida").mkdir()
    done = command(tmp_path, "--out", tmp_path / "graded")
    assert done.returncode == 1 and "holds no notebook of the course" in done.stderr


def test_a_damaged_archive_is_a_note_for_its_student(graded):
    assert "kim: kim.zip/02_elementwise_max.ipynb cannot be read" in graded[1].stdout
    assert float(row(graded, "kim")["points"]) == 0


def test_a_notebook_that_is_nobodys_is_told(graded):
    assert f"{mock_class.NAME}.ipynb lies directly in submissions" in graded[1].stdout


def test_the_class_has_totals_and_a_page(graded):
    totals = {row["student"]: row for row in rows(graded[0]) if row["notebook"] == "total"}
    assert set(totals) == set(mock_class.CLASS) | {"ida", "kim"}
    assert float(totals["carla"]["points"]) == 4
    page = (graded[0] / "class.html").read_text()
    assert "max_gpu_check" in page and "4 of 9" in page and "Fill in max_gpu" in page


def test_one_student_is_graded_again(graded):
    done = grade_class(graded[0].parent / "submissions", "--out", graded[0], "--student", "hugo",
                   "--cell-seconds", 8)
    assert done.returncode == 0, done.stderr
    assert "[########################] 2/2 hugo" in done.stderr
    assert [float(row(graded, name)["checked"]) for name in ("carla", "hugo")] == [4, 10]


@pytest.mark.parametrize("points, words", [("50", "50 points, 0 to 3 are possible"),
                                           ("many", "'many' is no number of points"),
                                           ("-1", "-1 points, 0 to 3 are possible")])
def test_impossible_points_are_refused(graded, tmp_path, points, words):
    (tmp_path / "manual.csv").write_text(
        "student;notebook;cell;points_possible;points;comment\r\n"
        f"anna;{mock_class.NAME};max_report_2;3;{points};x\r\n", encoding="utf-16")
    done = grade_class(graded[0].parent / "submissions", "--out", tmp_path)
    assert done.returncode == 1 and words in done.stderr and "row 2 (anna" in done.stderr
