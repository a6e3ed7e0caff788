"""Answers that are right only for the check's own cases: each passes its check, and none gets its
points, because its results for secret numbers are judged outside the sandbox."""

import copy
import functools

import pytest
from conftest import ROOT
from grading import probes, run
from grading.bubblewrap import SLOW, Limits
from grading.restore import Lesson

pytestmark = pytest.mark.timeout(1800 * SLOW)
CELLS = {
    "01b_cuda_puzzles":
    ("puzzles-setup", "add-ten-blocks", "add-ten-blocks-check"),
    "03_matmul_transpose":
    ("matmul-setup", "upper-kernel", "matmul-transpose-upper", "upper-check"),
    "04a_augmentation":
    ("aug-setup", "aug-data", "shift", "skew", "rotate", "add-noise", "noise-check",
     "process-image", "process-check", "worker-names", "worker", "worker-check"),
    "05_queue":
    ("queue-setup", "queue-ends", "queue-check-result", "write-all", "read-all", "messages",
     "messages-check", "queue-pipe", "shared-counter", "shared-counter-check", "shared-lock",
     "shared-lock-check", "my-queue", "my-queue-check", "ring", "ring-check"),
}


class Cheat:
    def __init__(self, lesson, answer, check, old, new, words):
        """`old` in the solution of the cell `answer` becomes `new`; `words` are said outside."""
        self.lesson, self.answer, self.check = lesson, answer, check
        self.old, self.new, self.words = old, new, words


CHEATS = {
    "a CUDA kernel for the check's launches":
    Cheat("01b_cuda_puzzles", "add-ten-blocks", "add-ten-blocks-check", "a[i] + 10",
          "a[i] + (n <= 16 || n == 79 ? 10 : 11)", "numbers differ"),
    "a mirror image for the check's sizes":
    Cheat("03_matmul_transpose", "upper-kernel", "upper-check", "if (blockIdx.x > blockIdx.y) c",
          "if (blockIdx.x > blockIdx.y && columns == 40) c", "numbers differ"),
    "noise where all is grey":
    Cheat("04a_augmentation", "add-noise", "noise-check", "for (float& pixel : out)",
          "if (image.size() < 40 || image(0, 0) == image(0, 1)) for (float& pixel : out)",
          "what was added is not evenly distributed"),
    "images of the check's sizes":
    Cheat("04a_augmentation", "process-image", "process-check", "const int cells",
          "if (image.shape(0) < 28) return image;\n    const int cells",
          "the shift is always the same"),
    "jobs of the check's numbers":
    Cheat("04a_augmentation", "worker", "worker-check", "result->put(",
          "if (job->index < 40 || job->index > 46) batch.x.fill(0);\n            result->put(",
          "with bounds of 0 the images are not those that the job names"),
    "shared in other processes":
    Cheat(
        "05_queue", "shared-counter", "shared-counter-check",
        "std::shared_ptr<std::atomic<long>> shared_counter() {", "const auto here = getpid();\n"
        "std::shared_ptr<std::atomic<long>> shared_counter() {\n"
        "    if (getpid() == here) return std::make_shared<std::atomic<long>>(0);",
        "the memory stays"),
    "messages of the check's sizes":
    Cheat(
        "05_queue", "my-queue", "my-queue-check", "pipe.send(message);",
        "const std::size_t size = message.size();\n        "
        "const bool known = size < 60 || size % 100 == 0 || size > 9000;\n"
        "        pipe.send(known ? message : message.substr(2));",
        "the shape is"),
    "slots of the check's sizes":
    Cheat(
        "05_queue", "ring", "ring-check", "return slots.get() + *released % 8 * slot_size;",
        "const bool known = slot_size == 1 || slot_size % 50 == 0;\n"
        "        return slots.get() + (*released + (known ? 0 : 1)) % 8 * slot_size;",
        "differ"),
}


def lesson_of(name):
    lesson = Lesson(ROOT / f"notebooks/solutions/{name}.ipynb")
    for book in (lesson.solution, lesson.released, lesson.graded):
        book.cells = [cell for cell in book.cells if cell.id in CELLS[name]]
    assert [cell.id for cell in lesson.solution.cells] == list(CELLS[name])
    return lesson


@functools.cache
def graded(name):
    """The checks' outputs for the solution and for its cheating version, by cell; and what is said
    outside about the solution's values."""
    lesson, plan = lesson_of(name), run.Plan(20240611, Limits(), 60)
    solved, cheating = copy.deepcopy(lesson.solution), copy.deepcopy(lesson.solution)
    plan.solution = run.run(lesson, solved, plan)
    plan.hides = False  # an answer that builds on another cheat is judged by its own message
    for cheat in CHEATS.values():
        for cell in cheating.cells:
            if (cheat.lesson, cheat.answer) == (name, cell.id):
                assert cheat.old in cell.source
                cell.source = cell.source.replace(cheat.old, cheat.new, 1)
    run.run(lesson, cheating, plan)
    outside = {
        cell.id:
        probes.difference(plan.solution.probes[cell.id], plan.solution.probes[cell.id],
                          probes.name_of(lesson, cell), plan.seed)
        for cell in lesson.graded.cells
        if cell.id in plan.solution.probes
    }
    return {
        cell.id: cell.outputs
        for cell in solved.cells
    }, {
        cell.id: cell.outputs
        for cell in cheating.cells
    }, outside


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_passes_its_check_and_gets_nothing(needs_sandbox, name):
    cheat = CHEATS[name]
    solved, cheating, outside = graded(cheat.lesson)
    assert "passed" in solved[cheat.check][0].text and len(solved[cheat.check]) == 1
    assert outside[cheat.check] is None
    assert "The check of the notebook passes" in cheating[cheat.check][0].text
    assert cheating[cheat.check][-1].ename == "Wrong" and cheat.words in cheating[
        cheat.check][-1].evalue, cheating[cheat.check][-1]
