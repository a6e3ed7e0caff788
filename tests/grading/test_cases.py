"""The tables of attacks and of honest oddities (cases/README.md): each file is graded as a
student's notebook would be. An attack gets nothing, an honest answer gets everything."""

import copy
import fcntl
import functools
import os
import pickle
import re

import nbformat
import pytest
from conftest import ROOT
from grading import probes, restore, run
from grading.sandbox import SLOW, Limits
from lessons.form import solutions
from lessons.outputs import errors

pytestmark = pytest.mark.timeout(200 * SLOW)
FOLDER = ROOT / "tests/grading/cases"
CASES = sorted(FOLDER.glob("*/*.txt"))
SEED = 20261117


class Case:
    def __init__(self, path):
        head, *sections = re.split(r"(?m)^== (.+) ==\n", path.read_text(encoding="utf-8"))
        words = dict(line.split(" ", 1) for line in head.splitlines() if not line.startswith("#"))
        self.exercise, self.points = words["exercise"], words["points"]
        self.cells = list(zip(sections[::2], (text.rstrip("\n").replace("@ROOT@", str(ROOT))
                                              for text in sections[1::2])))


@functools.cache
def lesson_of(exercise):
    """The lesson of an exercise, with the cells that this exercise needs: up to its check, without
    other checks and without drawings."""
    for path in solutions():
        lesson = restore.Lesson(path)
        checks = {probes.name_of(lesson, cell): cell.id for cell in lesson.graded.cells
                  if restore.is_check(cell)}
        if exercise not in checks:
            continue
        for book in (lesson.solution, lesson.released, lesson.graded):
            ids = [cell.id for cell in book.cells]
            book.cells = [cell for cell in book.cells[:ids.index(checks[exercise]) + 1]
                          if cell.id == checks[exercise] or (cell.cell_type == "code"
                          and not restore.is_check(cell)
                          and not re.search("lanes::(Drawing|Plot)", cell.source))]
        return lesson
    raise KeyError(exercise)


@pytest.fixture(scope="session")
def plan_of(tmp_path_factory):
    """The plan of an exercise, with the values of its solution. Workers of pytest-xdist share
    them in a folder: a solution is graded once."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent

    @functools.cache
    def plan_of(exercise):
        kept = folder / f"{exercise}.pickle"
        with open(kept.with_suffix(".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not kept.exists():
                kept.write_bytes(pickle.dumps(outcome_of_solution(exercise)))
            plan = run.Plan(SEED, Limits(), 20, pickle.loads(kept.read_bytes()))
        plan.explains = False
        return plan

    return plan_of


def outcome_of_solution(exercise):
    lesson = lesson_of(exercise)
    outcome = run.run(lesson, copy.deepcopy(lesson.solution), run.Plan(SEED, Limits(), 20))
    assert not outcome.remarks and all(not probed.problem for probed in outcome.probes.values()), [
        probed.problem for probed in outcome.probes.values()]
    return outcome


def handed_in(case):
    """The solution with the case's cells."""
    book = copy.deepcopy(lesson_of(case.exercise).solution)
    for where, source in case.cells:
        words = where.split()
        place = next(i for i, cell in enumerate(book.cells) if cell.id == words[-1])
        if words[:2] == ["own", "before"]:
            book.cells.insert(place, nbformat.v4.new_code_cell(source))
        else:
            book.cells[place].source = source
    return book


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(needs_sandbox, plan_of, path):
    case = Case(path)
    notebook, _ = restore.restore(lesson_of(case.exercise), handed_in(case))
    run.run(lesson_of(case.exercise), notebook, plan_of(case.exercise))
    check = next(cell for cell in notebook.cells if restore.is_check(cell))
    said = [error.evalue for error in errors(check)]
    assert case.points == ("0" if said else "full"), said or check.outputs


def test_every_case_says_why_and_what():
    for path in CASES:
        text = path.read_text(encoding="utf-8")
        assert text.startswith("# ") and re.search(r"(?m)^points (0|full)$", text), path
        assert Case(path).points == ("0" if path.parent.name == "attacks" else "full"), path
    assert len(CASES) > 60
