"""Right and wrong answers to every exercise, each as a student would run it: a cell with the
answer, then the check. The solution passes; the empty stub and every wrong answer fail, with a
message that names the mistake.

exercises/NAME/answers.txt holds the answers to lanes::exercises::NAME() as sections:

    == before ==             a cell that runs first; may come again
    == check ==              the check's cell, if it is not lanes::exercises::NAME().check(NAME);
    == solution ==           an answer
    ...
    >> NAME: passed, 8 cases.
    == the sign is forgotten ==
    ...
    !! words that the message must hold     (CompileError: words, if it does not compile)

There are more than a thousand: a run takes all solutions and stubs, and the wrong answers to a third of
the exercises (shares.py)."""

import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EXERCISES = HERE.parents[1] / "exercises"
sys.path[:0] = [str(HERE.parent / "jupyter_kernel"), str(HERE.parent)]

from client import SLOW, Kernel  # noqa: E402
from shares import shares  # noqa: E402

MODULES = ("array", "base", "data", "exercises", "gpu", "mlp", "nn", "notebook", "ops")
HEADERS = "".join(f'#include "lanes/{module}.hpp"\n' for module in MODULES)


def lessons_by_exercise():
    """{exercise: the lesson that uses it}"""
    return {
        name: path.stem
        for path in sorted((HERE.parents[1] / "notebooks/solutions").glob("*.ipynb"))
        for name in re.findall(r"lanes::exercises::(\w+)\(\)", path.read_text(encoding="utf-8"))
    }


# One Jupyter kernel per lesson, shared by its exercises.
GROUP_OF = lessons_by_exercise()
NOISE = re.compile(r"xtensor_container|basic_string|requested here|__c\d|0x[0-9a-f]{4}|std::__")


def read(path):
    parts = re.split(r"(?m)^== (.+) ==\n", path.read_text())
    return list(zip(parts[1::2], parts[2::2]))


def paths():
    """Exercises of the library. The folder of a check that a lesson writes out is LESSON.CHECK."""
    return [path for path in sorted(EXERCISES.glob("*/answers.txt")) if "." not in path.parent.name]


def answers():
    for path in paths():
        exercise = path.parent.name
        check, before = f"lanes::exercises::{exercise}().check({exercise});", []
        for title, text in read(path):
            if title == "before":
                before = before + [text]
            elif title == "check":
                check = text.strip()
            else:
                lines = text.strip("\n").split("\n")
                code, expected = "\n".join(lines[:-1]), lines[-1]
                yield pytest.param(exercise,
                                   tuple(before),
                                   code,
                                   check,
                                   expected,
                                   id=f"{exercise}: {title}",
                                   marks=pytest.mark.xdist_group(GROUP_OF[exercise]))


class Notebooks:
    """The Jupyter kernels of this process, one per group, and what was run before the answers."""
    def __init__(self):
        self.kernels, self.prepared = {}, {}

    def get(self, exercise, before):
        group = GROUP_OF[exercise]
        wanted = tuple((exercise, cell) for cell in before)
        done = self.prepared.get(group, ())
        if group in self.kernels and wanted != done and wanted == done[:len(wanted)] and wanted:
            # A cell has run that must come after this answer: start again.
            self.stop(group)
        if group not in self.kernels:
            self.kernels[group] = Kernel()
            self.kernels[group].run(HEADERS, timeout=60).ok()
            self.prepared[group] = ()
        done = self.prepared[group]
        if done != wanted:
            for _, cell in wanted[len(done) if wanted[:len(done)] == done else 0:]:
                self.kernels[group].run(cell, timeout=60).ok()
            self.prepared[group] = wanted
        return self.kernels[group]

    def stop(self, group):
        kernel = self.kernels.pop(group)
        kernel.stop()
        kernel.remove_folders()


@pytest.fixture(scope="session")
def notebooks():
    started = Notebooks()
    yield started
    for group in list(started.kernels):
        started.stop(group)


ANSWERS = list(answers())


def of_this_run():
    """In the same order, because cells that run before come one after the other."""
    in_shares = shares(ANSWERS, lambda exercise, *_: exercise)
    return [answer if answer.id.endswith((": solution", ": stub")) else one
            for answer, one in zip(ANSWERS, in_shares)]


@pytest.mark.timeout(1200 * SLOW)
@pytest.mark.parametrize("exercise, before, code, check, expected", of_this_run())
def test_the_check_tells_right_from_wrong_answers(notebooks, exercise, before, code, check,
                                                  expected):
    kernel = notebooks.get(exercise, before)
    kernel.run(code, timeout=60).ok()
    result = kernel.run(check, timeout=60)
    assert result.stderr == ""
    if expected.startswith(">> "):
        assert result.ok().stdout == expected[3:] + "\n"
        return
    assert expected.startswith("!! "), f"the last line is no expectation: {expected}"
    words = expected[3:]
    ename, words = ("CompileError", words.split(
        ": ", 1)[1]) if words.startswith("CompileError: ") else ("lanes::CheckFailed", words)
    assert result.status == "error" and result.ename == ename, f"{ename} expected\n{result}"
    assert words in result.evalue, f"'{words}' is not in\n{result.evalue}"
    assert not NOISE.search(result.evalue), f"no student wants to read\n{result.evalue}"
    assert len(result.evalue.split("\n")) <= 24, f"more than a screen:\n{result.evalue}"


def test_every_exercise_is_complete():
    """Each has a solution, an empty stub and at least four wrong answers, and a lesson uses it."""
    folders = {path.name for path in EXERCISES.iterdir() if (path / "exercise.hpp").exists()}
    assert folders == {path.parent.name for path in paths()} == set(GROUP_OF)
    for name in folders:
        for file in ("check.cpp", "needs.txt", "probe.cpp"):
            assert (EXERCISES / name / file).exists(), f"exercises/{name}/{file} is missing"
        titles = [title for title, _ in read(EXERCISES / name / "answers.txt")]
        assert "solution" in titles and "stub" in titles, name
        wrong = [
            param for param in ANSWERS if param.values[0] == name
            and param.values[4].startswith("!! ") and not param.id.endswith(": stub")
        ]
        assert len(wrong) >= 4, f"{name}: {len(wrong)} wrong answers"
