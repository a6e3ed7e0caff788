"""The tables of attacks and of honest oddities (cases/README.md): each file is graded as a
student's notebook would be. An attack gets nothing, an honest answer gets everything, an answer that is
right in some parts gets their share.

All of them take six minutes: a run takes a third (shares.py), by their exercises, because first the
solution of an exercise is graded. Two exercises have most of the cases."""

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
from grading.bubblewrap import SLOW, Limits
from lessons.form import solutions
from lessons.outputs import errors
from shares import shares

pytestmark = pytest.mark.timeout(1800 * SLOW)
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


class Recording(run.Notebook):
    """Notes the ids of the cells that an answer is made of."""
    def objection(self, exercise, made):
        # The last cell may be the probe's own, with includes: it is none of the notebook's.
        self.needed = {self.number_of[one] for one in made.cells if one in self.number_of}
        return super().objection(exercise, made)


class Solved:
    """What grading the solution of an exercise gave: the values, and the cells that it needs."""
    def __init__(self, exercise):
        lesson = lesson_of(exercise)
        grading = Recording(lesson, copy.deepcopy(lesson.solution), run.Plan(SEED, Limits(), 20), 0)
        grading.grade()
        self.outcome, self.needed = grading.outcome, grading.needed
        problems = [probed.problem for probed in self.outcome.probes.values()]
        assert not self.outcome.remarks and not any(problems), problems

    def plan(self):
        plan = run.Plan(SEED, Limits(), 20, self.outcome)
        plan.explains = False
        return plan


@pytest.fixture(scope="session")
def solved(tmp_path_factory):
    """Workers of pytest-xdist share a folder: each solution is graded once."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent

    @functools.cache
    def solved(exercise):
        kept = folder / f"{exercise}.pickle"
        with open(kept.with_suffix(".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not kept.exists():
                kept.write_bytes(pickle.dumps(Solved(exercise)))
            return pickle.loads(kept.read_bytes())

    return solved


def lesson_with(lesson, needed):
    """The lesson with these cells and the check."""
    lesson = copy.deepcopy(lesson)
    for book in (lesson.solution, lesson.released, lesson.graded):
        book.cells = [cell for cell in book.cells if cell.id in needed or restore.is_check(cell)]
    return lesson


def handed_in(case, lesson):
    """The solution with the case's cells."""
    book = copy.deepcopy(lesson.solution)
    for where, source in case.cells:
        words = where.split()
        place = next(i for i, cell in enumerate(book.cells) if cell.id == words[-1])
        if words[:2] == ["own", "before"]:
            book.cells.insert(place, nbformat.v4.new_code_cell(source))
        else:
            book.cells[place].source = source
    return book


def graded(case, lesson, plan):
    """The errors of the check, its points as a case names them, and its outputs."""
    notebook, _ = restore.restore(lesson, handed_in(case, lesson))
    run.run(lesson, notebook, plan)
    check = next(cell for cell in notebook.cells if restore.is_check(cell))
    points = f"{restore.points_of(check):g}" if errors(check) else "full"
    return errors(check), points, check.outputs


def group_of(path):
    exercise = Case(path).exercise
    return path if exercise in ("max_plain", "max_fast") else exercise


@pytest.mark.parametrize("path", shares(CASES, group_of), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(needs_sandbox, solved, path):
    case = Case(path)
    solution, lesson = solved(case.exercise), lesson_of(case.exercise)
    # The cells that the solution needs are enough for most cases, and quicker to compile.
    needed = solution.needed | {where.split()[-1] for where, _ in case.cells}
    said, points, outputs = graded(case, lesson_with(lesson, needed), solution.plan())
    if said and said[0].ename in ("CompileError", "NotCallable"):
        said, points, outputs = graded(case, lesson, solution.plan())
    unknown = [error.evalue for error in said if re.search("no member named .* in namespace 'lanes::", error.evalue)]
    assert not unknown, f"The case is out of date: {unknown}"
    assert case.points == points, [error.evalue for error in said] or outputs


def test_every_case_says_why_and_what():
    for path in CASES:
        text = path.read_text(encoding="utf-8")
        assert text.startswith("# ") and re.search(r"(?m)^points (0|full|[\d.]+)$", text), path
        usual = {"attacks": "0", "honest": "full"}.get(path.parent.name)
        assert Case(path).points == usual or (usual is None and float(Case(path).points) > 0), path
    assert len(CASES) > 60
