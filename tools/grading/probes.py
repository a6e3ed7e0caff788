"""Compares values outside the sandbox: the answer is called with random arguments, and its
results are compared here with those that the teacher's solution gave in a session of its own. The
right values are nowhere in the student's sandbox, and no function that computes them: even code
that has taken over its whole session would have to compute them, which is the exercise.

exercises/NAME/probe.cpp makes the call for lanes::exercises::NAME(),
exercises/LESSON.GRADE_ID/probe.cpp the call for a check that a lesson writes out. For
lanes::puzzles::NAME() it is made here, of the launches in exercises/puzzles/NAME/puzzle.cpp. The seed is a new
number for each `make grade`. Values come back through a file (exercises/probe.hpp, records.py),
never through printed text. If many answers are right (noise, random weights, an accuracy), judge.py
in the same folder says what must hold for all of them."""

import functools
import importlib.util
import math
import re

import numpy as np

from lessons.form import ROOT

from . import clock, judging, records, rooms
from .bubblewrap import PRIVATE, SLOW
from .cells import IfFailed, first_error, in_new_session

FOLDER = ROOT / "exercises"


class Probed:
    """The result of a probe: the values, and why they are not all there, or None."""
    def __init__(self, values=(), problem=None):
        self.values, self.problem = list(values), problem

    def parts(self):
        """{name: values}; empty if the probe has no parts."""
        found, values = {}, []
        for value in self.values:
            if isinstance(value, records.Part):
                found[str(value)], values = values, []
            else:
                values.append(value)
        return found


def name_of(lesson, check):
    """The name of the exercise of a check's cell, even if it has no probe."""
    exercise = re.search(r"lanes::(exercises|puzzles)::(\w+)\(\)\s*\.check[(<]", check.source)
    if exercise and exercise[1] == "puzzles":
        return f"puzzles/{exercise[2]}"
    return exercise[2] if exercise else f"{lesson.name}.{check.metadata.nbgrader.grade_id}"


def exists(name):
    return (FOLDER / name / "probe.cpp").exists() or (FOLDER / name / "puzzle.cpp").exists()


def probe_text(name):
    """The definition of lanes_probe. For a puzzle: all its launches on the simulator, with random
    arguments. The reference, which is in the same file as the launches, stays outside."""
    if not name.startswith("puzzles/"):
        return (FOLDER / name / "probe.cpp").read_text(encoding="utf-8")
    text, answer = (FOLDER / name / "puzzle.cpp").read_text(encoding="utf-8"), name.split("/")[1]
    launches = re.search(r"(?ms)^static void lanes_launches\(PuzzleLaunches& puzzle\) (\{.*?^\})", text)
    fault = f"probe.put(lanes::named_fault({answer}));" if ".fault(" in text else ""
    return f"""#include "lanes/notebook/puzzle_launches.hpp"
void lanes_probe(lanes::grading::Probe& probe) {{
    lanes::PuzzleLaunches puzzle(probe.seed());
    [&] {launches[1]}();
    const lanes::Program program(lanes::Device::simulator(), {answer});
    for (const lanes::PuzzleLaunch& launch : puzzle.launches()) {{
        const lanes::PuzzleRun run = lanes::run_puzzle(program.kernel("{answer}"), launch);
        for (const lanes::PuzzleArgument& argument : run.after)
            if (argument.is_result)
                std::visit([&](const auto& value) {{ probe.put(value); }}, argument.value);
    }}
    {fault}
}}
"""


def declaration(name, sources):
    """The source of the cell that defines lanes_probe, after cells with the given sources: their
    macros do not reach it."""
    text = probe_text(name)
    macros = sorted({macro for source in sources
                     for macro in re.findall(r"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)", source)})
    undone = "".join(f"#undef {macro}\n" for macro in macros)
    return f'{undone}#include "{FOLDER / "probe.hpp"}"\n{text}'


def run(name, plan, slot, sources, limit, all_must_run=True):
    """Runs the declarations that an answer is made of, then the probe, in a new session that has
    what the exercise allows; returns the result. all_must_run=False: cells that fail are passed
    over."""
    def call(cells):
        file = cells.sandbox.new_file()
        call = f'lanes::grading::run_probe(lanes_probe, {plan.seed}u, "{PRIVATE}/{file}");'
        if problem := run_sources(cells, sources, limit, all_must_run):
            return Probed(problem=problem)
        outputs, _ = cells.run(f"{declaration(name, sources)}\n{call}", limit)
        failed = first_error(outputs)
        problem = f"{failed.ename}: {failed.evalue}" if failed else None
        try:
            return Probed(records.read(cells.sandbox.path(file), whole=not failed), problem)
        except records.Unreadable as error:
            return Probed(problem=problem or str(error))

    probed = in_new_session(rooms.of(name), plan, slot, call)
    if (FOLDER / name / "follow_up.cpp").exists() and not probed.problem:
        if any(value.size != 1 for value in probed.values):
            return Probed(problem="numbers were expected, one by one")
        return follow_up(name, plan, slot, tuple(float(value) for value in probed.values))
    return probed


def run_sources(cells, sources, limit, all_must_run):
    """Runs the cells before a probe; returns what is wrong, or None."""
    failed, until = None, clock.now() + 2 * limit
    for source in sources:
        if isinstance(source, IfFailed) and not failed:
            continue
        outputs, _ = cells.run(source, max(1, min(limit, until - clock.now())))
        failed = first_error(outputs)
        if failed and (all_must_run or cells.sandbox.ended):
            return f"{failed.ename}: {failed.evalue}"
    return None


@functools.cache
def follow_up(name, plan, slot, values):
    """What the teacher's own code makes of the numbers of an answer, in a session that has never
    seen the answer."""
    if not all(map(math.isfinite, values)):
        return Probed(problem="a number is not finite")

    def call(cells):
        file, numbers = cells.sandbox.new_file(), ", ".join(map(repr, values))
        text = (FOLDER / name / "follow_up.cpp").read_text(encoding="utf-8")
        outputs, _ = cells.run(
            f'#include "{FOLDER / "probe.hpp"}"\n'
            f'const std::vector<double> lanes_given{{{numbers}}};'
            f'\n{text}\nlanes::grading::run_probe(lanes_probe, {plan.seed}u, '
            f'"{PRIVATE}/{file}");', 120 * SLOW)
        if failed := first_error(outputs):
            return Probed(problem=f"{failed.ename}: {failed.evalue}")
        return Probed(records.read(cells.sandbox.path(file)))

    return in_new_session(rooms.whole(), plan, slot, call)


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


class Verdict:
    """How many of the parts are right, and what is wrong as a sentence, or None if nothing is."""
    def __init__(self, right, parts, wrong):
        self.right, self.parts, self.wrong = right, parts, wrong


def verdict(probed, expected, name, seed):
    """About the values of an answer."""
    if not (parts := expected.parts()):
        wrong = difference_of_all(probed, expected, name, seed)
        return Verdict(0 if wrong else 1, 1, wrong)
    mine, wrong = probed.parts(), {}
    for part, right in parts.items():
        if part not in mine:
            wrong[part] = probed.problem or "no values"
        elif different := difference_of_values(mine[part], right):
            wrong[part] = different
    if not wrong and probed.problem:  # it fails after the last part
        wrong[list(parts)[-1]] = probed.problem
    right, (part, words) = len(parts) - len(wrong), next(iter(wrong.items()), (None, None))
    if part and (right or words is not probed.problem):
        others = f". Also wrong: {', '.join(list(wrong)[1:])}" if len(wrong) > 1 else ""
        words = f"{right} of {len(parts)} parts right. {part}: {words.rstrip('.')}{others}"
    return Verdict(right, len(parts), words)


def difference(probed, expected, name, seed):
    """What is wrong with the values of an answer, as a sentence, or None."""
    return verdict(probed, expected, name, seed).wrong


def difference_of_all(probed, expected, name, seed):
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


def text_of(value):
    """A short text, if the value is one."""
    if value.dtype != np.uint8 or value.ndim != 1 or value.size > 200:
        return None
    text = value.tobytes().decode("ascii", "replace")
    return text if text.isprintable() else None


def difference_of_values(got, right):
    """Integers and texts must be equal; other numbers may differ as sums in another order do."""
    if len(got) != len(right):
        return f"{len(got)} values, expected {len(right)}"
    wrong, total, example = 0, 0, ""
    for mine, teachers in zip(got, right):
        if text_of(mine) and text_of(teachers) and text_of(mine) != text_of(teachers):
            return f"'{text_of(mine)}', expected '{text_of(teachers)}'"
        if mine.shape != teachers.shape:
            return f"the shape is {mine.shape}, expected {teachers.shape}"
        exact = teachers.dtype.kind != "f"
        if exact and mine.dtype.kind == teachers.dtype.kind:
            differs = mine != teachers
        else:
            tolerance = 0 if exact else 1e-5 + 1e-4 * np.abs(teachers.astype(float))
            differs = ~(np.abs(mine.astype(float) - teachers.astype(float)) <= tolerance)
        if np.any(differs) and not example:
            first = tuple(int(index) for index in np.argwhere(differs)[0])
            example = f": at {first} {mine[first]:.6g}, expected {teachers[first]:.6g}"
        wrong, total = wrong + int(np.sum(differs)), total + teachers.size
    return f"{wrong} of {total} numbers differ{example}" if wrong else None
