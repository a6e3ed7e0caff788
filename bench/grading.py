"""CPU time of grading a perfect submission, lesson by lesson. The aim is at most 3 minutes for all.
Processes of the sandbox count: they are measured by a control group, which needs root.

    BENCH=grading make bench                                 all lessons
    BENCH=grading make bench ARGS=02_elementwise_max         some of them

Lesson 02 on two cores of an aarch64 machine with much other work: 109 s before and 46 s after two
changes. Sessions in which an answer is read or checked compiled examples in advance, which helps a
person who types (59 s), and the memory of a sandbox was weighed by looking at all processes of the
machine (23 s). What is left: 11 sessions that call an answer (27 s), 6 that read it (8 s), 5 that run
the check (7 s)."""

import copy
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from grading import bubblewrap, restore, run  # noqa: E402
from lessons.form import solutions  # noqa: E402
from lessons.outputs import errors  # noqa: E402

AIM = 180  # seconds


class ControlGroup:
    """Of version 1 (cpuacct) or 2; this process and all that it starts are in it."""
    def __init__(self):
        parents = [pathlib.Path(f"/sys/fs/cgroup{part}") for part in ("/cpuacct", "")]
        self.parent = next((path for path in parents if (path / "cgroup.procs").exists()), None)
        if self.parent is None:
            raise OSError("there is no control group")
        self.folder = self.parent / f"lanes-grading-{os.getpid()}"
        self.folder.mkdir()
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def seconds(self):
        if (self.folder / "cpuacct.usage").exists():
            return int((self.folder / "cpuacct.usage").read_text()) / 1e9
        words = (self.folder / "cpu.stat").read_text().split()
        return int(words[words.index("usage_usec") + 1]) / 1e6

    def leave(self):
        (self.parent / "cgroup.procs").write_text(str(os.getpid()))
        self.folder.rmdir()


def seconds_of(lesson, group):
    """(the teacher's solution, a student who hands it in)"""
    plan, start = run.Plan(1, bubblewrap.Limits(), 60), group.seconds()
    plan.solution = run.run(lesson, copy.deepcopy(lesson.solution), plan)
    if plan.solution.remarks:
        raise RuntimeError(f"{lesson.name}: {plan.solution.remarks}")
    solved = group.seconds()
    notebook, _ = restore.restore(lesson, copy.deepcopy(lesson.solution))
    run.run(lesson, notebook, plan)
    failed = [cell.id for cell in notebook.cells if restore.is_check(cell) and errors(cell)]
    if failed:
        raise RuntimeError(f"{lesson.name}: the solution gets no points for {', '.join(failed)}")
    return solved - start, group.seconds() - solved


def main():
    try:
        group = ControlGroup()
    except OSError as error:
        print(f"not measured: {error}. CPU time in the sandbox needs a control group: run as root.")
        return
    total = 0
    try:
        print(f"{'lesson':24}{'solution':>10}{'student':>10}   seconds of CPU time")
        for path in solutions():
            if sys.argv[1:] and path.stem not in sys.argv[1:]:
                continue
            solution, student = seconds_of(restore.Lesson(path), group)
            total += student
            print(f"{path.stem:24}{solution:10.1f}{student:10.1f}", flush=True)
    finally:
        group.leave()
    print(f"{'a perfect submission':34}{total:10.1f}   {total / AIM:.2f} of the {AIM} s aimed at")


if __name__ == "__main__":
    main()
