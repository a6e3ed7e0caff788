"""Every wrong answer that exercises/NAME/answers.txt keeps for the check gets no points either: it is
refused where grading reads answers, does not compile there, or gives other values than the solution.
Every right one gets its points.

The answers of an exercise share a session; each is called in a child process, so that what it does to
memory stays its own. What has right values is read, as grading does, in a session that runs nothing.

All of them take some twelve minutes: a run takes a sixth, of the puzzles a third (shares.py)."""

import json
import math
import re
import sys

import pytest
from conftest import ROOT
from grading import needs, probes, reading, records, rooms, run
from grading.bubblewrap import PRIVATE, SLOW, Limits
from grading.cells import Cells, first_error
from grading.sandbox import Sandbox
from shares import shares

sys.path.insert(0, str(ROOT / "tests/exercises"))

from test_answers import EXERCISES, paths, read  # noqa: E402
from test_lesson_checks import CHECKS  # noqa: E402

pytestmark = pytest.mark.timeout(1800 * SLOW)
SEED = 20261118
SECONDS = 60 * SLOW
PLAN = run.Plan(SEED, Limits(), 20, run.Outcome())


PUZZLES = sorted(f"puzzles/{path.parent.name}" for path in EXERCISES.glob("puzzles/*/answers.txt"))
FAULTS = [name for name in PUZZLES if "/fault_" in name]  # a fault is to be named and repaired
CALL = """#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
const auto lanes_start_{probe} = std::chrono::steady_clock::now();
if (const auto lanes_child = fork(); lanes_child == 0) {{
    setpgid(0, 0);
    alarm({seconds});
    try {{
        lanes::grading::run_probe({probe}, {seed}u, "{file}");
    }} catch (...) {{
    }}
    _exit(0);
}} else {{
    waitpid(lanes_child, nullptr, 0);
    kill(-lanes_child, SIGKILL);
    const std::chrono::duration<double> lanes_time =
        std::chrono::steady_clock::now() - lanes_start_{probe};
    std::printf("lanes_seconds %.3f\\n", lanes_time.count());
    std::fflush(stdout);
}}"""


# Their values are right, so no probe can tell them from a solution: they get nothing because grading
# reads them.
BY_READING_ALONE = {
    "correlation_fast": {"one core", "one thread"},
    "matmul_transpose_fast": {"one core"},
    "max_fast": {"one core, and the pragma is a comment", "threads that do nothing", "xt::where"},
    "max_plain": {"std::transform", "xt::maximum"},
    "pass_around": {"the library's"},
    "reduce_scatter": {"the library's"},
    "ring_all_reduce": {"the library's"},
    "sum_parallel": {"one core"},
}


class Answer:
    def __init__(self, before, title, code, is_right, number):
        self.before, self.title, self.code, self.is_right = before, title, code, is_right
        self.probe = f"lanes_probe_{number}"


def answers_of(name):
    before, found = [], []
    for title, text in read(EXERCISES / name / "answers.txt"):
        code, _, expected = text.strip("\n").rpartition("\n")
        if title == "before":
            before = [*before, text]
        elif title != "check":
            found.append(Answer(before, title, code, expected.startswith(">> "), len(found)))
    return found


def lesson_answers(check):
    """The same for a check that a lesson writes out. Of the cells before it, as in grading, those
    declarations count that the answer is made of."""
    answers = [("solution", check.answer.source, None), *check.wrong]
    found = [Answer(check.before, title, code, words is None, number)
             for number, (title, code, words) in enumerate(answers)]
    with Session(check.name, rooms.course(), compile_only=True) as session:
        for answer in found:
            assert session.declare(answer) is None, answer.title
            answer.code = "\n".join(session.read().sources())
    for answer in found:
        answer.before = []
    return found


class Session:
    """The answers of one exercise, in its room if no other is given."""
    def __init__(self, name, room=None, compile_only=False):
        self.name, self.prepared, self.compile_only = name, [], compile_only
        self.slowest = 0.0  # seconds that a right answer took
        self.sandbox = Sandbox(room or rooms.of(name), compile_only=compile_only)

    def __enter__(self):
        self.cells = Cells(self.sandbox.__enter__())
        # A lesson's first cell includes whatever its exercises need.
        headers = [*needs.of(self.name).header, "lanes/exercises.hpp"]
        self.run("".join(f'#include "{header}"\n' for header in headers))
        return self

    def __exit__(self, *error):
        self.sandbox.__exit__(*error)

    def run(self, source):
        self.outputs, _ = self.cells.run(source, SECONDS)
        return self.outputs

    def declare(self, answer, call=""):
        """Compiles the answer and its probe, and runs the call; returns an error output or None."""
        for source in answer.before[len(self.prepared):]:
            self.prepared.append(source)
            assert not first_error(self.run(source)), source
        probe = probes.declaration(self.name, [answer.code])
        if not self.compile_only:  # where it runs, each has a name of its own
            probe = probe.replace("lanes_probe(", answer.probe + "(")
        if answer.code.startswith("%%"):  # a magic takes a whole cell
            return first_error(self.run(answer.code)) or first_error(self.run(f"{probe}\n{call}"))
        return first_error(self.run(f"{answer.code}\n{probe}\n{call}"))

    def values(self, answer):
        file = self.sandbox.new_file()
        patience = self.patience(answer)
        error = self.declare(answer, CALL.format(seconds=patience, probe=answer.probe,
                                                 seed=SEED, file=f"{PRIVATE}/{file}"))
        if error:
            return probes.Probed(problem=f"{error.ename}: {error.evalue}")
        seconds = float(re.search(r"lanes_seconds ([\d.]+)", str(self.outputs))[1])
        if answer.is_right:
            self.slowest = max(self.slowest, seconds)
        elif seconds >= patience:
            print(f"{self.name}, {answer.title}: ended after {patience} seconds")
        try:
            return self.followed_up(probes.Probed(records.read(self.sandbox.path(file))))
        except records.Unreadable as problem:
            return probes.Probed(problem=str(problem))

    def followed_up(self, probed):
        """What the teacher's code makes of the values: it may train ten networks for each answer."""
        if not (EXERCISES / self.name / "follow_up.cpp").exists():
            return probed
        return probes.follow_up(self.name, PLAN, 1, tuple(float(value) for value in probed.values))

    def patience(self, answer):
        """Whole seconds. Wrong answers may wait for ever; some answers train a network. The right ones
        come first: a wrong one has five times what they took."""
        usual = SECONDS if answer.is_right or "." in self.name else max(2 * SLOW, 5 * self.slowest)
        return math.ceil(min(usual, SECONDS))

    def objection(self, answer):
        """What grading says when it reads the answer, or None."""
        return self.declare(answer) or reading.objection_to(reading.Exercise(self.name), self.read())

    def read(self):
        """What the last answer is made of."""
        return reading.Made(json.loads(self.run("%references lanes_probe")[0].text))


def judged(name, answers):
    """(titles of the answers that would get points, {title: error} of those that have right values
    and are refused by reading)"""
    with Session(name) as session:
        values = [session.values(answer) for answer in answers]
    solution = next(one for one, answer in zip(values, answers) if answer.is_right)
    assert not solution.problem, solution.problem
    passed = [answer for answer, one in zip(answers, values)
              if probes.difference(one, solution, name, SEED) is None]
    refused = {}
    if any(not answer.is_right for answer in passed):
        with Session(name, compile_only=True) as session:
            refused = {answer.title: against for answer in passed
                       if (against := session.objection(answer))}
    return {answer.title for answer in passed} - set(refused), refused


def require_right_judgement(name, answers):
    passed, refused = judged(name, answers)
    assert passed == {answer.title for answer in answers if answer.is_right}
    # With a data race, values are right by chance.
    assert {title for title, against in refused.items() if against.ename != "Race"
            } == BY_READING_ALONE.get(name, set())


LEFT_OUT = ("trained_network", )  # it has no answer cell


@pytest.mark.parametrize("name", shares((path.parent.name for path in paths()
                                         if path.parent.name not in LEFT_OUT), parts=6))
def test_answers(needs_sandbox, name):
    require_right_judgement(name, answers_of(name))


@pytest.mark.parametrize("check", shares(CHECKS, parts=6), ids=lambda check: check.name)
def test_answers_to_checks_of_lessons(needs_sandbox, check):
    require_right_judgement(check.name, lesson_answers(check))


# It has no answer cell: it calls my_queue, and points need that to have passed.
WITHOUT_ANSWERS = {"05_queue.queue_network_check"}


def test_each_probe_has_answers_that_it_must_tell_apart():
    probed = {str(path.parent.relative_to(EXERCISES)) for name in ("probe.cpp", "puzzle.cpp")
              for path in EXERCISES.rglob(name)}
    answered = {str(path.parent.relative_to(EXERCISES)) for path in EXERCISES.rglob("answers.txt")}
    assert probed - answered == WITHOUT_ANSWERS
    for name in WITHOUT_ANSWERS:
        assert needs.of(name).answer, name


# One probe for all answers to a puzzle: they are texts.
TRY_ALL = """const char* {name} = nullptr;
{probe}
#include <unistd.h>
#include <sys/wait.h>
const std::vector<std::pair<const char*, const char*>> lanes_texts_{name}{{{texts}}};
for (const auto& [text, file] : lanes_texts_{name}) {{
    {name} = text;
    if (const auto child = fork(); child == 0) {{
        try {{
            lanes::grading::run_probe({function}, {seed}u, file);
        }} catch (...) {{
        }}
        _exit(0);
    }} else {{
        waitpid(child, nullptr, 0);
    }}
}}"""


@pytest.fixture(scope="module")
def puzzles(needs_sandbox):
    with Session(PUZZLES[0]) as session:
        yield session


@pytest.mark.parametrize("name", FAULTS)
def test_a_repair_that_names_another_fault_is_among_the_wrong_answers(name):
    answers = [answer.code.split("\n", 1) for answer in answers_of(name) if "// fault: " in answer.code]
    named, repaired = answers[0]
    others = [line for line, code in answers[1:] if code == repaired]
    assert named not in others
    # The same line and another kind; the same kind and another line.
    line, kind = named.split(", ")
    assert any(other.startswith(line + ", ") for other in others)
    assert any(other.endswith(", " + kind) for other in others)


@pytest.mark.parametrize("name", [*shares(name for name in PUZZLES if name not in FAULTS), *FAULTS])
def test_answers_to_puzzles(puzzles, name):
    answers, function = answers_of(name), name.replace("puzzles/", "lanes_probe_of_")
    files = [puzzles.sandbox.new_file() for _ in answers]
    texts = ",\n".join(f'{{R"lanes({answer.code})lanes", "{PRIVATE}/{file}"}}'
                       for answer, file in zip(answers, files))
    probe = probes.declaration(name, []).replace("lanes_probe(", function + "(")
    error = first_error(puzzles.run(TRY_ALL.format(name=name.split("/")[1], probe=probe, texts=texts,
                                                   function=function, seed=SEED)))
    assert error is None, error.evalue
    values = []
    for file in files:
        try:
            values.append(records.read(puzzles.sandbox.path(file)))
        except records.Unreadable:
            values.append(None)
    solution = values[[answer.title for answer in answers].index("solution")]
    for answer, mine in zip(answers, values):
        is_same = mine is not None and probes.difference_of_values(mine, solution) is None
        assert is_same == answer.is_right, answer.title
