"""The recorded runs on a GPU (data/recorded/) match the lessons: every table that a lesson compares
with a recording has one, with the same columns and rows."""

import html
import json
import re
import sys

import pytest
from tree import ROOT

sys.path.insert(0, str(ROOT / "tools"))
from lessons import form  # noqa: E402

NAME = re.compile(r'\b(?:recorded\w*|show\w*)\((?:[\w, ]+, )?"(\w+/\w+)"[,)]')


def names(notebook):
    return [(name, cell) for cell in notebook.cells if cell.cell_type == "code"
            for name in NAME.findall(cell.source)]


def awaits(name, cell):
    """Whether the stored output says that this table has not been recorded yet."""
    return any(f"There is no recorded run of {name} yet." in output.get("data", {}).get("text/plain", "")
               for output in cell.outputs)


def recording(name):
    lesson, table = name.split("/")
    return json.loads((ROOT / f"data/recorded/{lesson}.json").read_text(encoding="utf-8"))[table]


def tables(cell):
    """The columns and the rows of all tables that a cell shows."""
    for output in cell.outputs:
        shown = output.get("data", {}).get("text/html", "")
        for text in re.findall(r"<table>.*?</table>", shown, re.S):
            rows = re.findall(r"<tr>(.*?)</tr>", text, re.S)
            lines = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
            lines = [[html.unescape(value) for value in line] for line in lines]
            yield lines[0], lines[1:]


LESSONS = {path.stem: form.read(path) for path in form.solutions()}


@pytest.mark.parametrize("lesson", LESSONS)
def test_recordings_have_the_rows_of_the_lesson(lesson):
    for name, cell in names(LESSONS[lesson]):
        if awaits(name, cell):
            continue
        recorded = recording(name)
        assert recorded["cpu"] and recorded["date"] and recorded["driver"]
        assert "simulator" not in recorded["machine"]
        assert not any("no GPU" in value for row in recorded["rows"] for value in row), name
        if f'recorded_table("{name}")' in cell.source or "show_workers_by_cores" in cell.source:
            continue  # measured for the recording alone
        wanted = recorded["columns"], [row[0] for row in recorded["rows"]]
        own = [(columns, [row[0] for row in rows]) for columns, rows in tables(cell)]
        assert own.count(wanted) >= 2, name  # the table of this machine and the recorded one


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_table_without_a_gpu_shows_a_recorded_one(lesson):
    for cell in LESSONS[lesson].cells:
        if cell.cell_type == "code" and any("no GPU here" in value for _, rows in tables(cell)
                                            for row in rows for value in row):
            assert names(form.nbformat.v4.new_notebook(cells=[cell])), cell.id


def test_every_recording_is_shown_by_a_lesson():
    shown = {name for notebook in LESSONS.values() for name, cell in names(notebook)
             if not awaits(name, cell)}
    there = {f"{path.stem}/{table}" for path in (ROOT / "data/recorded").glob("*.json")
             for table in json.loads(path.read_text(encoding="utf-8"))}
    assert there == shown
