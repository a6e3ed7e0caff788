"""Reads an answer without running it: what it is made of, and what of this the assignment does not
allow. run.py says what follows from it."""

from . import needs, probes, rooms
from .bubblewrap import SLOW, Fault
from .cells import TRIES, Cells, failure, killed_each_time
from .jail import RUNNING
from .restore import is_answer, is_check
from .sandbox import Sandbox

COMPILE_SECONDS = 60


class Exercise:
    """`check` is the cell of the lesson, `answers` are the ids of the answer cells before it."""
    def __init__(self, name, check=None, answers=()):
        self.name, self.check, self.answers, self.needs = name, check, answers, needs.of(name)

    def title(self):
        return self.name.split(".")[-1].split("/")[-1]


def exercises_of(lesson):
    """In the order of the lesson."""
    found, answers = [], []
    for cell in lesson.graded.cells:
        if is_answer(cell):
            answers.append(cell.id)
        elif is_check(cell):
            found.append(Exercise(probes.name_of(lesson, cell), cell, answers))
            answers = []
    return found


class Made:
    """What the probe's function is made of, as `%references` says: `cells` are texts of
    declarations by the number of their cell."""
    def __init__(self, report):
        self.uses = [use for use in report["references"] if use["kind"] != "type"]
        self.races, self.two_steps = report["races"], report["two_steps"]
        self.cells = {}
        for one in report["definitions"]:
            if "lanes_probe" not in one["names"] and "probe.hpp" not in one["text"]:
                self.cells.setdefault(one["cell"], []).append(one["text"])

    def sources(self):
        return ["\n".join(texts) for _, texts in sorted(self.cells.items())]

    def starts_threads(self):
        """The same rule as in src/notebook/exercise/answer.cpp."""
        starts = ("omp parallel", "std::thread::join", "std::thread::detach", "std::async",
                  "pthread_create", "__pstl::execution::par*")
        return any(needs.is_meant(start, use["name"]) for use in self.uses for start in starts)


def forbidden(exercise, made):
    for use in made.uses:
        if exercise.needs.forbids(use["name"]):
            return failure(
                "NotAllowed", f"{exercise.title()}: your answer uses {use['name']} "
                f"(line {use['line']} of its cell, in {use['in']}). Here the loops "
                "are yours to write.")
    return None


def objection_to(exercise, made):
    """What the assignment forbids or asks for in the text of the answer, as an error output."""
    if against := forbidden(exercise, made):
        return against
    if "threads" in exercise.needs.ask and not made.starts_threads():
        return failure(
            "NotAllowed", f"{exercise.title()}: the work is to be shared by all "
            "cores: #pragma omp parallel for, or std::thread.")
    for race in made.races:
        return failure(
            "Race", f"{exercise.title()}: the threads get in each other's way: several of them "
            f"write {race['name']} (line {race['line']} of its cell, in {race['in']}).")
    if "one_step_counts" in exercise.needs.ask and made.two_steps:
        lost = made.two_steps[0]
        return failure(
            "Race", f"{exercise.title()}: {lost['in']} reads {lost['name']} and writes it in a "
            f"second step (line {lost['line']} of its cell): counts of other processes are lost.")
    return None


class Compiler:
    """A session that compiles cells and runs none. If a cell has ended it, the next cell gets a new
    one, in which the others have been compiled."""
    def __init__(self, plan, slot):
        self.plan, self.slot, self.done, self.count = plan, slot, [], 0
        self.sandbox = None
        self.start()

    def start(self):
        self.close()
        sandbox = Sandbox(rooms.course(), self.slot, self.plan.limits, compile_only=True)
        self.cells, self.sandbox = Cells(sandbox.__enter__()), sandbox

    def start_again(self):
        self.start()
        for earlier in self.done:
            self.cells.run(earlier, COMPILE_SECONDS * SLOW)

    def close(self):
        if self.sandbox is not None:
            sandbox, self.sandbox = self.sandbox, None
            sandbox.__exit__()

    def run(self, source):
        """The outputs: none, an error, or what `%references` says. `count` is the number of the
        cell."""
        if self.sandbox.ended:
            self.start_again()
        outputs, tried = self.try_to_run(source), 1
        while outputs is None:  # it was killed, perhaps from outside
            tried += 1
            outputs = self.try_to_run(source, again=True, is_last=tried == TRIES)
        self.count = self.cells.count
        if not self.sandbox.ended:
            self.done.append(source)  # also what failed: the numbers of cells stay the same
        return outputs

    def try_to_run(self, source, again=False, is_last=False):
        """The outputs, or None if the session was killed."""
        try:
            if again:
                self.start_again()
            outputs, _ = self.cells.run(source, COMPILE_SECONDS * SLOW)
        except Fault:
            if RUNNING.stopped or is_last:
                raise
            return None
        if self.cells.killed and is_last:
            killed_each_time(self.sandbox, self.plan)
        return None if self.cells.killed and not is_last else outputs
