"""Compares values outside of the sandbox: after a check has passed, the answer is called again with
random arguments, and its results are compared here with those that the teacher's solution gave in a
session of its own. The right values are nowhere in the student's sandbox: even code that has taken
over its whole session would have to compute them, which is the exercise.

exercises/NAME/probe.cpp makes the call for lanes::exercises::NAME(),
exercises/LESSON.GRADE_ID/probe.cpp the call for a check that a lesson writes out. The seed is a new
number for each `make grade`. Values come back through a file (exercises/probe.hpp, records.py),
never through printed text. If many answers are right (noise, random weights, an accuracy), judge.py
in the same folder says what must hold for all of them."""

import functools
import importlib.util
import re
import secrets

import numpy as np

from lessons.form import ROOT

from . import judging, records
from .sandbox import PRIVATE

FOLDER = ROOT / "exercises"


class Probed:
    """The result of a probe: the values, or why there are none."""
    def __init__(self, values=(), problem=None):
        self.values, self.problem = list(values), problem


def name_of(lesson, check):
    """The name of the exercise of a check's cell, even if it has no probe."""
    exercise = re.search(r"lanes::exercises::(\w+)\(\)\s*\.check[(<]", check.source)
    return exercise[1] if exercise else f"{lesson.name}.{check.metadata.nbgrader.grade_id}"


def exists(name):
    return (FOLDER / name / "probe.cpp").exists()


def cell(name, seed, path):
    """The source of the cell that calls the answer and writes the values to `path`."""
    text = (FOLDER / name / "probe.cpp").read_text(encoding="utf-8")
    return (f'#include "{FOLDER / "probe.hpp"}"\n{text}\n'
            f'lanes::grading::run_probe(lanes_probe, {seed}u, "{path}");')


def run(name, seed, session, limit):
    """Calls the answer in the session; returns its result."""
    file = "probe-" + secrets.token_hex(8)
    outputs, _ = session.run(cell(name, seed, f"{PRIVATE}/{file}"), limit, ";")
    failed = [output for output in outputs if output.output_type == "error"]
    if failed:
        return Probed(problem=f"{failed[0].ename}: {failed[0].evalue}")
    path = session.sandbox.folder / file
    try:
        return Probed(records.read(path))
    except records.Unreadable as error:
        return Probed(problem=str(error))
    finally:
        path.unlink(missing_ok=True)


@functools.cache
def judge_of(name):
    """exercises/NAME/judge.py as a module, or None."""
    path = FOLDER / name / "judge.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location("judge_" + re.sub(r"\W", "_", name), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def difference(probed, expected, name, seed):
    """What is wrong with the values of an answer, as a sentence, or None."""
    if probed.problem:
        return probed.problem
    judge = judge_of(name)
    if judge is None:
        return difference_of_values(probed.values, expected.values)
    got = judging.Values(probed.values)
    try:
        judge.judge(got, judging.Values(expected.values), seed)
        got.end()
    except judging.Wrong as wrong:
        return str(wrong)
    return None


def difference_of_values(got, right):
    """Integers and texts must be equal; other numbers may differ as sums in another order do."""
    if len(got) != len(right):
        return f"{len(got)} values, not {len(right)}"
    wrong = total = 0
    for mine, teachers in zip(got, right):
        if mine.shape != teachers.shape:
            return f"the shape is {mine.shape}, not {teachers.shape}"
        exact = teachers.dtype.kind != "f"
        tolerance = 0 if exact else 1e-5 + 1e-4 * np.abs(teachers.astype(float))
        if exact and mine.dtype.kind == teachers.dtype.kind:
            wrong += int(np.sum(mine != teachers))
        else:
            near = np.abs(mine.astype(float) - teachers.astype(float)) <= tolerance
            wrong += int(np.sum(~near))
        total += teachers.size
    return f"{wrong} of {total} numbers differ" if wrong else None
