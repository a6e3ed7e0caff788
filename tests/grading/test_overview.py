"""The top of class.html: what a teacher sees first of a class."""

import copy
import html
import re

import mock_class
import pytest
from conftest import ROOT
from grading.book import Book
from grading.cells import failure
from grading.restore import is_answer, is_check

LESSON = mock_class.Lesson(ROOT / f"notebooks/solutions/{mock_class.NAME}.ipynb")
SMALLER, SAME, SLOW = "max_fast: it is the smaller one.", "max_fast: it is a", "max_gpu: too slow"
# What the checks say that a student's answers fail.
FAILED = {
    "anna": {},
    "ben": {"max_fast_check": SMALLER, "max_gpu_check": SLOW},
    "carla": {"max_fast_check": SAME},
    "dan": {"max_fast_check": SMALLER + " (Random arguments, seed 7.)"},
    "eva": {"max_plain_check": "no", "max_fast_check": "no", "max_gpu_check": "no",
            "seconds_per_call_check": "no"},
}
REMARKS = {"carla": ["essay.ipynb is no notebook of the course and was left out."]}


def notebook(failed):
    """As grading leaves it: the report cells are empty."""
    book = copy.deepcopy(LESSON.graded)
    book.metadata.lanes = {"remarks": []}
    for cell in book.cells:
        identity = cell.metadata.get("nbgrader", {}).get("grade_id")
        if is_check(cell):
            cell.outputs = [failure("Wrong", failed[identity])] if identity in failed else []
    return book


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    students = [*FAILED, "finn", "gina"]
    given = [f"anna,{mock_class.NAME},{name},{most},{most},\n" for name, most in by_hand().items()]
    (folder / "manual.csv").write_text(
        "".join(["student,notebook,cell,points_possible,points,comment\n", *given]))
    book = Book(folder, {mock_class.NAME: LESSON}, set(students))
    for student in students:
        graded = {mock_class.NAME: notebook(FAILED[student])} if student in FAILED else {}
        pending = {mock_class.NAME: "this machine ran out of memory"} if student == "finn" else {}
        book.add(student, REMARKS.get(student, []), graded, pending)
    book.write_tables()
    return (folder / "class.html").read_text(encoding="utf-8")


def by_hand():
    return {cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader.points
            for cell in LESSON.graded.cells
            if cell.metadata.get("nbgrader", {}).get("grade") and not is_check(cell)
            and not is_answer(cell)}


def table(page, heading):
    """The texts of the cells in the table below a heading, by rows."""
    text = page.split(f"<h2>{heading}</h2>")[1].split("</table>")[0]
    return [[html.unescape(cell) for cell in re.findall(r"<td>(.*?)</td>", row)]
            for row in re.findall(r"<tr>(.*?)</tr>", text) if "<td>" in row]


def test_points_are_counted_by_tenths(page):
    """Of 20 points, 10 are given by hand: anna has them. finn is not graded yet."""
    rows = table(page, "Points")
    assert [row[0] for row in rows][::9] == ["0 to 10 %", "90 to 100 %"]
    counted = {row[0]: (int(row[1]), len(row[2])) for row in rows if row[1] != "0"}
    assert counted == {"0 to 10 %": (2, 30), "20 to 30 %": (1, 15), "40 to 50 %": (2, 30),
                       "90 to 100 %": (1, 15)}
    assert all(row[2] == "" for row in rows if row[1] == "0")


def test_the_hardest_exercises_come_first_with_their_most_frequent_mistake(page):
    """Of the five who handed in. A message counts without the seed."""
    name = mock_class.NAME
    assert table(page, "Most often wrong")[:2] == [
        [f"{name}: max_fast_check", "4 of 5", f"2 × {SMALLER}"],
        [f"{name}: max_gpu_check", "2 of 5", f"1 × {SLOW}"]]
    assert len(table(page, "Most often wrong")) == 4


def test_who_needs_a_look_is_listed_with_the_reason(page):
    assert table(page, "Look at") == [
        ["carla", REMARKS["carla"][0]], ["eva", "no points at all"],
        ["finn", f"{mock_class.NAME}: Not graded yet: this machine ran out of memory"],
        ["gina", "no points at all"]]
