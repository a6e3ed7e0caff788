"""`make grade` with a cheap step in place of compiling and calling answers, to try faults of the machine
many times: the loop, the jails, storing and tables are the real ones. The lesson is that of mock_class.py.

    python stand_in.py SUBMISSIONS --out FOLDER ...

An answer passes if it holds the word `right`, or what RIGHT names: a shell in a jail decides this."""

import errno
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from grading import book, cells, grade, guard, restore, run  # noqa: E402
from grading.bubblewrap import PRIVATE  # noqa: E402
from grading.jail import Jail  # noqa: E402
from mock_class import Lesson  # noqa: E402

RIGHT = os.environ.get("RIGHT", "right")
SCRIPT = "until ls $1/v*; do sleep 0.02; done; grep -c $2 $1/answer > $(ls $1/v*); sleep 60"


class Shell(Jail):
    def __init__(self, answer, slot, limits, compile_only):
        super().__init__(["sh", "-c", SCRIPT, "stand_in", PRIVATE, RIGHT], None, slot, limits,
                         files={"answer": answer.encode()})


class Calls:
    """In place of cells.Cells."""
    def __init__(self, jail):
        self.sandbox, self.killed = jail, False

    def wait(self):
        """Whether the answer is right, or None if the jail has ended before."""
        name = self.sandbox.new_file()
        while self.sandbox.ended is None:
            with open(self.sandbox.path(name)) as file:
                if said := file.read().strip():
                    return said != "0"
            time.sleep(0.01)
        if self.sandbox.fault:
            raise self.sandbox.fault
        self.killed = self.sandbox.killed
        return None


def run_all(lesson, notebook, plan, slot=0):
    answer, outcome = "", run.Outcome()
    for cell in notebook.cells:
        if restore.is_answer(cell):
            answer = cell.source if plan.solution else RIGHT
        elif restore.is_check(cell):
            passed = cells.in_new_session(answer, plan, slot, Calls.wait)
            cell.outputs = [] if passed else [cells.failure("Wrong", "it is not right")]
    return outcome


def broken_disk(place):
    """Reading this file fails."""
    def read_bytes(path):
        if str(path) == place:
            raise OSError(errno.EIO, os.strerror(errno.EIO), place)
        return read(path)

    read, Path.read_bytes = Path.read_bytes, read_bytes


if __name__ == "__main__":
    if "BROKEN_DISK" in os.environ:
        broken_disk(os.environ["BROKEN_DISK"])
    cells.Sandbox, cells.Cells, run.run, restore.Lesson = Shell, Calls, run_all, Lesson
    book.Book.write_pages = lambda *_: []
    book.Book.write_gradebook = lambda *_: None
    guard.guarded(grade.main)
