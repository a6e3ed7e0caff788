"""Who is to blame if a session is killed or takes too long: the answer, or the machine."""

import copy
import time

import mock_class
import pytest
from conftest import ROOT
from grading import cells, clock, jail, probes, restore, rooms, run
from grading.bubblewrap import SLOW, Fault, Limits
from grading.cells import Cells
from grading.reading import Compiler
from grading.sandbox import Sandbox
from mock_class import ENDLESS
from test_cases import Solved, lesson_of, lesson_with

pytestmark = pytest.mark.timeout(600 * SLOW)
SUICIDE = "#include <signal.h>\n#include <unistd.h>\nkill(getpid(), SIGKILL);"


def plan(solution):
    return run.Plan(1, Limits(), 20, solution)


def killed(given, times):
    """The error of a cell that kills its session, in as many sessions as grading gives it."""
    def work(cells):
        times.append(1)
        outputs, _ = cells.run(SUICIDE, 300 * SLOW)
        return outputs[-1]
    return cells.in_new_session(rooms.course(), given, 0, work)


def test_what_is_killed_each_time_is_the_answers_doing(needs_sandbox):
    times = []
    assert killed(plan(run.Outcome()), times).ename == "Crash"
    assert len(times) == cells.TRIES


def test_without_memory_nobody_is_to_blame(needs_sandbox, monkeypatch):
    """The system kills the session that runs a cell, and the rest of the sandbox lives."""
    count = iter(range(1000))
    monkeypatch.setattr(jail, "oom_kills", lambda: next(count))
    times = []
    with pytest.raises(Fault, match="ran out of memory"):
        killed(plan(run.Outcome()), times)
    assert len(times) == cells.TRIES
    compiler = Compiler(plan(run.Outcome()), 0)
    try:
        monkeypatch.setattr(Cells, "run", was_killed)
        with pytest.raises(Fault, match="ran out of memory"):
            compiler.run("int a;")
    finally:
        compiler.close()


def was_killed(self, source, limit):
    self.killed = True
    return [cells.failure("Crash", "SIGKILL")], 0


def test_a_solution_that_is_killed_is_not_wrong(needs_sandbox):
    """To say that the solution does not pass would send a teacher to look for a mistake in it."""
    with pytest.raises(Fault, match="killed, 5 times"):
        killed(plan(None), [])


class Jumps:
    """In place of the module time: after `seconds`, the clock is so much later at once."""
    def __init__(self, seconds, gap):
        self.until, self.gap = time.monotonic() + seconds, gap

    def monotonic(self):
        now = time.monotonic()
        return now + self.gap if now > self.until else now


def test_no_time_passes_while_the_grader_stands_still(monkeypatch):
    mine, start = clock.Clock(), time.monotonic()
    before = mine.now()
    monkeypatch.setattr(clock, "time", Jumps(0, 1000))
    assert mine.now() - before < 1 + time.monotonic() - start
    monkeypatch.setattr(clock, "time", Jumps(0, 1002))
    assert 2 <= mine.now() - before < 3 + time.monotonic() - start


def test_an_answer_is_not_late_because_the_grader_stood_still(needs_sandbox, monkeypatch):
    with Sandbox(rooms.course()) as sandbox:
        session = Cells(sandbox)
        session.run("#include <unistd.h>", 300 * SLOW)
        monkeypatch.setattr(clock, "time", Jumps(1, 1000))
        outputs, seconds = session.run("sleep(3);\n6 * 7", 60 * SLOW)
        assert outputs[-1].data["text/plain"] == "42" and seconds < 60 * SLOW


@pytest.fixture(scope="module")
def solved(needs_sandbox):
    return Solved("max_plain")


def endless(solved, seconds, budget):
    """The output of a check of an answer that never ends, as if the solution took so many seconds."""
    given = solved.plan()
    given.explains, given.cell_seconds, given.student_seconds = False, 2, budget
    (check, (sources, _)), = given.solution.called.items()
    given.solution.called, given.solution.seconds = {check: (sources, seconds)}, {check: 0}
    lesson = lesson_with(lesson_of("max_plain"), solved.needed)
    notebook, _ = restore.restore(lesson, lesson.solution)
    for cell in notebook.cells:
        cell.source = ENDLESS if cell.id == "max-plain" else cell.source
    run.run(lesson, notebook, given)
    return next(cell.outputs[-1].evalue for cell in notebook.cells if restore.is_check(cell))


def test_after_the_students_time_the_machine_is_tried_once(monkeypatch):
    lesson = mock_class.Lesson(ROOT / f"notebooks/solutions/{mock_class.NAME}.ipynb")
    given, tried = plan(run.Outcome()), []
    given.student_seconds = -1
    given.solution.called = {check: ([], 1000) for check in lesson.checks()}
    monkeypatch.setattr(probes, "run", lambda name, *_: tried.append(name))
    grading = run.Notebook(lesson, copy.deepcopy(lesson.graded), given, 0)
    checks = [cell for cell in grading.notebook.cells if restore.is_check(cell)]
    for cell in checks:
        grading.decide(cell)
    assert len(checks) > 2 and tried == [grading.exercises[checks[0].id].name]
    assert all("is used up" in cell.outputs[0].evalue for cell in checks)


def test_an_answer_without_end_is_too_slow(solved):
    assert "does a loop never end?" in endless(solved, 1000, 600)
    assert "the time for this student is used up" in endless(solved, 1000, 0)


def test_a_machine_on_which_the_solution_is_slow_cannot_judge(solved):
    for budget in (600, 0):
        with pytest.raises(Fault, match="too busy: the solution of max_plain takes"):
            endless(solved, 0.01, budget)
