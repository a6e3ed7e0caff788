"""The graded notebook is the teacher's with the student's answers in it, whatever was handed in."""

import mock_class
import nbformat
import pytest
from conftest import ROOT
from grading import restore
from grading.restore import Lesson
from lessons import form

LESSON = mock_class.Lesson(ROOT / f"notebooks/solutions/{mock_class.NAME}.ipynb")


def teachers(book):
    return {
        cell.id: (cell.source, dict(cell.metadata.get("nbgrader", {})))
        for cell in book.cells
        if cell.metadata.get("nbgrader", {}).get("locked")
    }


@pytest.mark.parametrize("student", mock_class.CLASS)
def test_locked_cells_are_the_teachers(student):
    book, _ = restore.restore(LESSON, mock_class.CLASS[student]())
    assert teachers(book) == teachers(LESSON.graded)
    assert book.metadata.kernelspec.name == "xcpp17"


def code(notebook):
    return [(cell.id, cell.source) for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("path", form.solutions(), ids=lambda path: path.stem)
def test_a_filled_notebook_of_each_lesson_is_run_as_the_solution_is(path):
    lesson, handed_in = Lesson(path), nbformat.read(ROOT / "notebooks" / path.name, as_version=4)
    answers = {
        cell.id: cell.source
        for cell in lesson.solution.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    for cell in handed_in.cells:
        cell.source = answers.get(cell.id, cell.source)
    book, remarks = restore.restore(lesson, handed_in)
    assert remarks == []
    # links of markdown lead from another folder
    assert code(book) == code(lesson.solution)


def test_answers_are_the_students():
    book, remarks = restore.restore(LESSON, mock_class.answering(max_plain="mine"))
    assert mock_class.by_id(book)["max-plain"].source == "mine" and remarks == []


def test_what_is_missing_is_told_and_counts_as_not_answered():
    handed_in = mock_class.perfect()
    handed_in.cells = [
        cell for cell in handed_in.cells if cell.id not in ("max-fast", "max-fast-check")
    ]
    book, remarks = restore.restore(LESSON, handed_in)
    assert "NotFilledIn" in mock_class.by_id(book)["max-fast"].source
    assert remarks == [
        "The cell 'max_fast' is missing; it counts as not answered.",
        "The cell 'max_fast_check' is missing and was put back."
    ]


@pytest.mark.parametrize("source", ["", "  \n", "// later\n/* or\nnever */"])
def test_an_emptied_cell_counts_as_not_answered(source):
    """With nothing in its place, cells behind it would miss its names and fail, too."""
    book, remarks = restore.restore(LESSON, mock_class.answering(max_fast=source))
    assert "NotFilledIn" in mock_class.by_id(book)["max-fast"].source
    assert remarks == ["The cell 'max_fast' is empty; it counts as not answered."]


def test_an_emptied_report_cell_does_not_wait_for_the_teacher():
    book, remarks = restore.restore(LESSON, mock_class.answering(max_report_2=" \n"))
    assert mock_class.by_id(book)["max-report-2"].source == mock_class.by_id(
        LESSON.released)["max-report-2"].source
    assert remarks == ["The cell 'max_report_2' is empty; it counts as not answered."]


def test_cells_of_ones_own_stay_where_they_stood():
    handed_in = mock_class.perfect()
    place = [cell.id for cell in handed_in.cells].index("max-plain")
    handed_in.cells.insert(place, nbformat.v4.new_code_cell("int helper() { return 1; }"))
    book, _ = restore.restore(LESSON, handed_in)
    assert book.cells[place].source == "int helper() { return 1; }" and book.cells[
        place + 1].id == "max-plain"
    assert "nbgrader" not in book.cells[place].metadata


def test_a_renamed_cell_is_found_by_its_grade_id():
    handed_in = mock_class.answering(max_plain="mine")
    mock_class.by_id(handed_in)["max-plain"].id = "another"
    assert mock_class.by_id(restore.restore(LESSON, handed_in)[0])["max-plain"].source == "mine"


def test_what_is_no_notebook_is_told():
    with pytest.raises(restore.Unreadable, match="a.ipynb is no notebook"):
        restore.read("a.ipynb", b'{"cells": 3}')


def test_pasted_pictures_stay():
    handed_in = mock_class.answering(max_report_1="![x](attachment:a.png)")
    mock_class.by_id(handed_in)["max-report-1"].attachments = {"a.png": {"image/png": "AAAA"}}
    book, _ = restore.restore(LESSON, handed_in)
    assert mock_class.by_id(book)["max-report-1"].attachments == {"a.png": {"image/png": "AAAA"}}


def test_cells_without_ids_are_found_by_name_or_text():
    handed_in = mock_class.answering(max_plain="mine")
    for number, cell in enumerate(handed_in.cells):
        cell.id = f"new-{number}"
    book, remarks = restore.restore(LESSON, handed_in)
    assert mock_class.by_id(book)["max-plain"].source == "mine" and remarks == []
    assert len(book.cells) == len(LESSON.graded.cells)
