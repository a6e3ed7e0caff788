"""An answer that passed is kept as my/NAME.hpp beside the notebook, with everything it needs, and a
later notebook finds it there."""

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "jupyter_kernel"))

from client import SLOW, Kernel  # noqa: E402

pytestmark = [pytest.mark.timeout(1200 * SLOW), pytest.mark.xdist_group("kept")]
HEADERS = '#include "lanes/exercises.hpp"\n#include "lanes/mlp.hpp"\n'
RIGHT = "lanes::Matrix sigmoid(const lanes::Matrix& x) { return helper(x); }"
WRONG = "lanes::Matrix sigmoid(const lanes::Matrix& x) { return x; }"
CHECK = "lanes::exercises::sigmoid().check(sigmoid);"


@pytest.fixture
def student(tmp_path):
    """A Jupyter kernel in its own folder, as a user starts it: without pytest's variables."""
    started = []

    def start(**env):
        started.append(Kernel(cwd=str(tmp_path), env={"PYTEST_CURRENT_TEST": "", **env}))
        started[-1].run(HEADERS, timeout=60).ok()
        return started[-1]

    yield start
    for kernel in started:
        kernel.stop()
        kernel.remove_folders()


LESSONS = Path(__file__).parents[2] / "notebooks/solutions"


def cells_of(lesson):
    cells = json.loads((LESSONS / f"{lesson}.ipynb").read_text(encoding="utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells}


def test_lesson_01a_uses_the_answers_of_lesson_01(student):
    first, second = cells_of("01_mlp"), cells_of("01a_training")
    kernel, later = student(), student()
    begin = ("set-up", "own-functions")
    assert "the library's functions" in "".join(
        later.run(second[name], timeout=60).ok().stdout for name in begin)
    kernel.run(first["set-up"], timeout=60).ok()
    for name in ("sigmoid", "sigmoid_prime", "random_weights", "zeros_biases", "forward",
                 "backward", "descend"):
        for cell in (name, f"{name}-check"):
            kernel.run(first[cell], timeout=60).ok()
    own = student()
    assert "your functions of lesson 01" in "".join(
        own.run(second[name], timeout=60).ok().stdout for name in begin)
    for cell in ("create_batches", "create_batches-check", "fit"):
        own.run(second[cell], timeout=60).ok()
    assert "passed" in own.run(second["fit-check"], timeout=60).ok().stdout


def test_an_answer_travels_with_what_it_needs(student, tmp_path):
    kernel = student()
    for cell in (
            "#define ONE 1.0f\nusing Field = lanes::Matrix;",
            "int printed = 0;\nField helper(const Field& x) { return ONE / (ONE + xt::exp(-x)); }\n"
            "++printed;",
            RIGHT,
            CHECK,
            "lanes::Matrix sigmoid_prime(const lanes::Matrix& x) { return sigmoid(x) * (1.0f - "
            "helper(x)); }",
            "lanes::exercises::sigmoid_prime().check(sigmoid_prime);",
    ):
        kernel.run(cell, timeout=60).ok()
    text = (tmp_path / "my/sigmoid.hpp").read_text()
    assert RIGHT in text and "#define ONE" in text and "printed" not in text
    assert re.match(
        r"// Your answer to the exercise sigmoid, as it passed its check\. Hash [0-9a-f]{16}\.\n"
        r"#pragma once\n",
        text)
    assert '#include "sigmoid.hpp"' in (tmp_path / "my/sigmoid_prime.hpp").read_text()
    later = student()
    cell = ('#if __has_include("my/sigmoid.hpp")\n#include "my/sigmoid.hpp"\n'
            '#include "my/sigmoid_prime.hpp"\n#endif\n'
            'sigmoid_prime(sigmoid(lanes::Matrix{{0}}))(0, 0)')
    assert later.value(cell).startswith("0.235")


@pytest.mark.parametrize("removed", ["lanes/tensor/types.hpp", "lanes/notebook/exercises.hpp"])
def test_an_answer_of_an_older_course_gets_an_error_that_says_what_to_do(
        student, tmp_path, removed):
    (tmp_path / "my").mkdir()
    (tmp_path / "my/correlation_fast.hpp").write_text(f'#pragma once\n#include "{removed}"\n')
    result = student().run('#include "my/correlation_fast.hpp"')
    assert result.ename == "CompileError" and "correlation_fast.hpp:2" in result.evalue
    assert "delete that file, or run its lesson again" in result.traceback, result.traceback


def test_a_wrong_answer_is_not_kept(student, tmp_path):
    kernel = student()
    kernel.run(WRONG).ok()
    assert kernel.run(CHECK).ename == "lanes::CheckFailed"
    assert not (tmp_path / "my").exists()


def test_a_check_says_if_the_newest_text_did_not_compile(student):
    kernel = student()
    kernel.run(WRONG).ok()
    assert "older version" not in kernel.run(CHECK).stdout
    failed = kernel.run(WRONG.replace(";", ""))
    assert failed.ename == "CompileError"
    told = f"This tests an older version of sigmoid: the newest one, In[{failed.count}], did not compile.\n"
    assert told in kernel.run(CHECK).stdout
    kernel.run(WRONG).ok()
    assert "older version" not in kernel.run(CHECK).stdout


def test_nothing_is_kept_while_grading(student, tmp_path):
    kernel = student(NBGRADER_EXECUTION="autograde")
    kernel.run(
        "lanes::Matrix helper(const lanes::Matrix& x) { return 1.0f / (1.0f + xt::exp(-x)); }\n" +
        RIGHT).ok()
    assert kernel.run(CHECK).ok().stdout == "sigmoid: passed, 8 cases.\n"
    assert not (tmp_path / "my").exists()


def test_a_folder_that_cannot_be_written_is_told_and_passes(student, tmp_path):
    (tmp_path / "my").write_text("a file where the folder would be")
    kernel = student()
    kernel.run(
        "lanes::Matrix helper(const lanes::Matrix& x) { return 1.0f / (1.0f + xt::exp(-x)); }\n" +
        RIGHT).ok()
    said = kernel.run(CHECK).ok().stdout
    assert said.startswith(
        "sigmoid: passed, 8 cases.\n") and "my/sigmoid.hpp cannot be written" in said


def test_the_second_failure_comes_with_a_hint(student):
    kernel = student()
    kernel.run(WRONG).ok()
    assert "Hint" not in kernel.run(CHECK).evalue
    assert "Hint: xt::exp(-x)" in kernel.run(CHECK).evalue


# What a student might try in order to pass without an answer. The check's own cell is unchanged.
CHEATS = {
    "another function under the name": [
        "lanes::Matrix cheat(const lanes::Matrix& x) { return lanes::sigmoid(x); }",
        "#define check(x) check(cheat)", WRONG
    ],
    "the library under the name": [
        "using lanes::sigmoid;\nlanes::Matrix (*sigmoid_)(const lanes::Matrix&) = nullptr;",
        "#define check(x) check([](const lanes::Matrix& y) { return lanes::sigmoid(y); })", WRONG
    ],
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_does_not_pass(student, cheat):
    kernel = student()
    for cell in CHEATS[cheat]:
        kernel.run(cell).ok()
    result = kernel.run(CHECK)
    assert result.status == "error", result
    assert "was not given the function sigmoid" in result.evalue, result.evalue
