"""Points for parts of an exercise: what a share is, and that all tables and pages agree about it.
cases/parts holds answers that get some."""

import csv
import os
import sqlite3
import sys
from pathlib import Path

import mock_class
import numpy as np
import pytest
from conftest import ROOT
from grading import cells, pages, probes, restore
from grading.book import Book
from grading.manual import write_csv
from grading.records import Part, Unreadable, parse

SMALL, LARGE = np.int32([1, 2]), np.int32([3, 4, 5])
RIGHT = probes.Probed([SMALL, Part("small"), LARGE, LARGE, Part("large")])
SEED = 7


def said(values, problem=None):
    found = probes.verdict(probes.Probed(values, problem), RIGHT, "max_plain", SEED)
    return (found.right, found.parts), found.wrong


def test_a_part_counts_if_all_its_values_are_right():
    assert said(RIGHT.values) == ((2, 2), None)
    assert said([SMALL, Part("small"), LARGE, LARGE + 1, Part("large")]) == (
        (1, 2), "1 of 2 parts right. large: 3 of 6 numbers differ: at (0,) 4, expected 3")
    share, words = said([SMALL + 1, Part("small"), LARGE, Part("large")])
    assert share == (0, 2) and words.endswith(". Also wrong: large")


def test_what_was_finished_before_a_crash_counts():
    assert said([SMALL, Part("small")], "Crash: SIGSEGV") == (
        (1, 2), "1 of 2 parts right. large: Crash: SIGSEGV")
    assert said([], "Crash: SIGSEGV") == ((0, 2), "Crash: SIGSEGV")


def test_a_crash_at_the_end_costs_something():
    assert said(RIGHT.values, "Crash: SIGSEGV")[0] == (1, 2)


def test_parts_that_the_solution_does_not_have_give_nothing():
    assert said([SMALL, Part("easy"), SMALL, Part("very easy")])[0] == (0, 2)


def test_a_file_without_an_end_is_read_if_something_failed():
    data = b"lanesprb<i4\0\0\0\0\0\7\0\0\0part\5\0\0\0small"
    assert parse(data, whole=False) == [7, "small"]
    for damaged in (data, data + b"<i4\0"):
        with pytest.raises(Unreadable):
            parse(damaged, whole=damaged is data)


def check(points, parts=None, passed=False):
    cell = next(cell for cell in mock_class.notebook("notebooks").cells if restore.is_check(cell))
    cell.outputs = [] if passed else [cells.failure("Wrong", "wrong")]
    cell.metadata.nbgrader.points = points
    if parts:
        cell.metadata.lanes = {"parts": parts}
    return cell


@pytest.mark.parametrize("points, parts, expected", [(4, (1, 3), 1), (4, (2, 3), 2.5), (2, (1, 3), 0.5),
                                                     (6, (4, 5), 4.5), (1, (1, 3), 0), (1, (2, 2), 1),
                                                     (3, None, 0)])
def test_a_share_is_rounded_down_to_half_points(points, parts, expected):
    assert restore.points_of(check(points, parts)) == expected
    assert restore.points_of(check(points, parts, passed=True)) == points


@pytest.fixture(scope="module")
def lesson():
    return restore.Lesson(ROOT / f"notebooks/solutions/{mock_class.NAME}.ipynb")


def test_a_submission_cannot_say_which_parts_are_right(lesson):
    book = mock_class.perfect()
    for cell in book.cells:
        cell.metadata.lanes = {"parts": [1, 1]}
    restored, _ = restore.restore(lesson, book)
    assert not any("lanes" in cell.metadata for cell in restored.cells if restore.is_check(cell))


def rows_of(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def test_all_tables_and_the_page_agree(lesson, tmp_path, monkeypatch):
    folder = Path(sys.executable).parent  # nbgrader calls a program of another package
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    notebook, _ = restore.restore(lesson, mock_class.perfect())
    for cell in notebook.cells:
        if restore.is_check(cell):
            cell.outputs = [cells.failure("Wrong", "max_gpu: 1 of 3 parts right. several blocks: …")]
    mock_class.by_id(notebook)["max-gpu-check"].metadata.lanes = {"parts": [2, 3]}
    notebook.metadata.lanes = {"remarks": []}
    book = Book(tmp_path, {mock_class.NAME: lesson}, {"anna"})
    book.add("anna", [], {mock_class.NAME: notebook}, {})
    book.write_tables()
    text = (tmp_path / "manual.csv").read_text(encoding="utf-8-sig")
    waiting = list(csv.DictReader(text.splitlines()))
    write_csv(tmp_path / "manual.csv", tuple(waiting[0]), [{**row, "points": "0"} for row in waiting])
    book.write_tables()  # now nothing waits for points by hand
    book.write_gradebook()
    assert [(row["points"], row["checked"]) for row in rows_of(tmp_path / "class.csv")] == [
        ("2.5", "2.5")] * 2
    assert [row["Grade"] for row in rows_of(tmp_path / "moodle_hw1.csv")] == ["2.5"]
    assert [row["hw1"] for row in rows_of(tmp_path / "canvas.csv")] == ["36", "2.5"]
    with sqlite3.connect(tmp_path / "gradebook.db") as base:
        assert base.execute("select sum(auto_score) from grade").fetchone() == (2.5, )
    rows = book.results["anna", mock_class.NAME][0]
    assert rows["max_gpu_check"].state == "failed"
    page = pages.page("anna", mock_class.NAME, notebook, rows, [], SEED)
    assert "2.5 of 4 points" in page and "several blocks" in page and "2.5 of 36 points" in page


def test_a_probe_with_parts_has_no_judge_and_at_least_two_of_them():
    with_parts = [path for path in ROOT.glob("exercises/*/probe.cpp") if ".part(" in path.read_text()]
    assert len(with_parts) > 5
    for path in with_parts:
        assert path.read_text().count(".part(") > 1 and not path.with_name("judge.py").exists(), path
