"""The same for checks that a lesson writes out itself: the solution passes; the empty stub and
every wrong answer fail, with a message that names the mistake.

exercises/LESSON.CHECK/answers.txt holds the wrong answers to the cell before the check with that
grade_id. Solution, stub and check are those of the notebooks.

    == cells ==              ids of the notebook's cells that run first; SETUP is the first one
    == before ==             what else runs first, if the notebook's own cells would take long
    == the sum ==            a wrong answer
    ...
    !! words that the message must hold

All of them take five minutes: a run takes a sixth of the checks (shares.py)."""

import re
import sys
from pathlib import Path

import pytest
from nbgrader import utils
from test_answers import EXERCISES, NOISE, paths, read
from shares import shares

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "jupyter_kernel"), str(CHECKOUT / "tools")]

from client import SLOW, Kernel  # noqa: E402
from lessons import form  # noqa: E402

SOLUTIONS = {path.stem: form.read(path) for path in form.solutions()}
HANDED_OUT = {name: form.read(CHECKOUT / f"notebooks/{name}.ipynb") for name in SOLUTIONS}


def pairs(notebook):
    """(answer, check) of the code cells; an answer without its own check belongs to the next
    one."""
    waiting = []
    for cell in notebook.cells:
        if cell.cell_type == "code" and utils.is_solution(cell):
            waiting.append(cell)
        elif cell.cell_type == "code" and utils.is_grade(cell):
            yield from ((answer, cell) for answer in waiting)
            waiting = []


class LessonCheck:
    def __init__(self, path):
        self.name = path.parent.name
        lesson, _, grade_id = self.name.partition(".")
        self.answer, self.check = next((answer, check)
                                       for answer, check in pairs(SOLUTIONS[lesson])
                                       if check.metadata.nbgrader.grade_id == grade_id)
        cells = {cell.id: cell.source for cell in SOLUTIONS[lesson].cells}
        setup = next(cell.id for cell in SOLUTIONS[lesson].cells if cell.cell_type == "code")
        self.before, self.wrong = [], []
        for title, text in read(path):
            if title == "cells":
                self.before += [
                    cells[setup if identity == "SETUP" else identity] for identity in text.split()
                ]
            elif title == "before":
                self.before.insert(2, text)
            else:
                code, _, words = text.strip("\n").rpartition("\n")
                self.wrong.append((title, code, words.removeprefix("!! ")))
        stub = next(cell.source for cell in HANDED_OUT[lesson].cells if cell.id == self.answer.id)
        self.wrong.append(("stub", stub, re.search(r'"(Fill in .*)"', stub)[1]))

    def answers(self):
        yield pytest.param(self,
                           self.answer.source,
                           None,
                           id=f"{self.name}: solution",
                           marks=pytest.mark.xdist_group(self.name))
        for title, code, words in self.wrong:
            yield pytest.param(self,
                               code,
                               words,
                               id=f"{self.name}: {title}",
                               marks=pytest.mark.xdist_group(self.name))


CHECKS = [LessonCheck(path) for path in sorted(EXERCISES.glob("*.*/answers.txt"))]


class Started:
    """One Jupyter kernel at a time, with the cells of one check in it."""

    check = kernel = None

    def get(self, check):
        if self.check is not check:
            self.stop()
            self.check, self.kernel = check, Kernel(env={"CI": "1"})
            for cell in check.before:
                self.kernel.run(cell, timeout=60).ok()
        return self.kernel

    def stop(self):
        if self.kernel:
            self.kernel.stop()
            self.kernel.remove_folders()


@pytest.fixture(scope="module")
def started():
    kernels = Started()
    yield kernels
    kernels.stop()


@pytest.mark.timeout(1800 * SLOW)
@pytest.mark.parametrize("check, code, words",
                         shares((answer for check in CHECKS for answer in check.answers()),
                                lambda check, *_: check.name, parts=6))
def test_the_check_tells_right_from_wrong_answers(started, check, code, words):
    kernel = started.get(check)
    kernel.run(code, timeout=60).ok()
    result = kernel.run(check.check.source, timeout=240)
    if words is None:
        assert result.ok().stderr == ""
        return
    assert result.status == "error", f"'{words}' is not reported"
    assert words in result.evalue, f"'{words}' is not in\n{result.evalue}"
    assert not NOISE.search(result.evalue), f"no student wants to read\n{result.evalue}"
    assert len(result.evalue.split("\n")) <= 24, f"more than a screen:\n{result.evalue}"


def wrong_answers(path):
    """Those of a puzzle that must fail, besides the empty stub."""
    return [title for title, text in read(path)
            if not title.startswith("stub") and text.strip().rpartition("\n")[2].startswith("!! ")]


def test_every_answer_of_every_lesson_has_four_wrong_ones():
    puzzles = {path.parent.name
               for path in EXERCISES.glob("puzzles/*/answers.txt")
               if len(wrong_answers(path)) >= 4}
    known = puzzles | {path.parent.name
                       for path in paths()
                       } | {check.name
                            for check in CHECKS
                            if len(check.wrong) > 4}
    for lesson, notebook in SOLUTIONS.items():
        for answer, check in pairs(notebook):
            exercise = re.search(r"lanes::(?:exercises|puzzles)::(\w+)\(\)", check.source)
            name = exercise[1] if exercise else f"{lesson}.{check.metadata.nbgrader.grade_id}"
            assert name in known, f"{lesson}, {answer.id}: no four wrong answers are kept"
