"""Of the library, a session that runs an answer for points has what the exercise allows; what the
exercise asks for does not exist there.

The solutions of all lessons take six minutes: a run takes a sixth (shares.py)."""

import copy
import subprocess

import pytest
from conftest import ROOT
from grading import needs, restore, rooms, run
from grading.bubblewrap import SLOW, Limits
from grading.cells import Cells
from grading.sandbox import Sandbox
from lessons.form import solutions
from lessons.outputs import errors
from shares import shares

pytestmark = pytest.mark.timeout(1800 * SLOW)
NAMES = sorted(path.parent.name for path in needs.FOLDER.glob("*/needs.txt"))
# Names of the library that solve an exercise of another name.
ALSO = {"max_gpu": ["run_max_gpu"], "matmul_transpose_plain": ["syrk"], "worker": ["Worker"],
        "matmul_transpose_fast": ["syrk"], "my_queue": ["PipeQueue"], "matmul": ["syrk"]}


@pytest.mark.parametrize("mangled, parts", [
    ("_ZNK5lanes3Rng4seedEv", ["lanes", "Rng", "seed"]),
    ("_ZN5lanes21xavier_initializationIfEEN2xt", ["lanes", "xavier_initialization"]),
    ("_ZTVN5lanes5ErrorE", ["lanes", "Error"]),
    ("_ZN5lanesplERKNS_6TensorES2_", ["lanes", "operatorpl"]),
    ("_ZN5lanes12machine_lineB5cxx11Ev", ["lanes", "machine_line"]),
    ("main", []),
])
def test_parts_of_a_symbol(mangled, parts):
    assert rooms.components(mangled) == parts


def test_needs_are_read_with_their_lists():
    need = needs.of("max_plain")
    assert need.allows("lanes::Rng::uniform") and not need.allows("lanes::max_plain")
    assert need.forbids("xt::maximum") and need.forbids("xt::detail::make_xfunction")
    assert not need.forbids("xt::zeros") and "threads" in needs.of("max_fast").ask


@pytest.mark.parametrize("name", [name for name in NAMES
                                  if not needs.of(name).is_whole_library()])
def test_what_is_asked_for_is_not_in_the_room(needs_sandbox, name):
    library = rooms.of(name).folder / "liblanes.so"
    listed = subprocess.run(["llvm-nm-19", "--format=just-symbols", library], capture_output=True,
                            text=True, check=True).stdout.split()
    held = {parts[1] for symbol in listed if len(parts := rooms.components(symbol)) > 1}
    asked = {name.split(".")[-1].replace("_check", "").replace("-check", ""), *ALSO.get(name, [])}
    # An answer that uses what is forbidden by name is refused, even if the library itself needs it.
    refused = {forbidden.removeprefix("lanes::") for forbidden in needs.of(name).forbid}
    assert not (asked - refused) & held and {"Rng", "num_workers"} <= held


def test_headers_that_are_not_allowed_hold_nothing(needs_sandbox):
    with Sandbox(rooms.of("max_plain"), limits=Limits()) as sandbox:
        cells = Cells(sandbox)
        assert not cells.run('#include "lanes/course.hpp"\n#include "lanes/ops/max.hpp"', 300 * SLOW)[0]
        said = cells.run("auto f = &lanes::max_plain;", 300 * SLOW)[0][-1].evalue
        assert "no member named 'max_plain' in namespace 'lanes'" in said
        for hidden in ("kernels_src/max.cu", "src/ops/max.cpp", "build/lib/liblanes_exercises.so",
                       "exercises/max_plain/probe.cpp"):
            assert (ROOT / hidden).exists()
            outputs, _ = cells.run(f'std::ifstream("{ROOT / hidden}").good()', 300 * SLOW)
            assert outputs[-1].data["text/plain"] == "false", hidden


@pytest.mark.parametrize("path", shares(solutions(), parts=6), ids=lambda path: path.stem)
def test_the_solution_of_each_lesson_passes(needs_sandbox, path):
    lesson = restore.Lesson(path)
    notebook = copy.deepcopy(lesson.solution)
    outcome = run.run(lesson, notebook, run.Plan(5, Limits(), 20))
    failed = [errors(cell)[0].evalue for cell in notebook.cells
              if restore.is_check(cell) and errors(cell)]
    assert not failed and not outcome.remarks
    assert len(outcome.probes) == len(lesson.checks()) > 0
