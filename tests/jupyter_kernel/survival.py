"""One row: a way to break a session, and what must be seen. Used by the tables of test_survival.py, test_process_settings.py and test_interrupt.py.

Every cell is preceded by a line `kept = 8; int left_behind_N = 1;` (so its own first line is line 2 of the cell). After the cell `40 + 2` must answer 42,
the variable `kept` and the function `twice` of an earlier cell must work, printing must work, and what the cell did must be undone: `kept` is 7 again
and `left_behind_N` is unknown. Only after an exception (and after a cell that ended well) both stay.
"""

import itertools
import re
from dataclasses import dataclass


UNDONE, STAYS, EITHER = "undone", "stays", "either"
NUMBERS = itertools.count(1)


@dataclass
class Row:
    name: str
    cell: str
    ename: str = None  # regex; None: the cell ends well; "*": the cell may end well or not
    evalue: str = ""  # regex, searched
    traceback: str = ""  # regex, searched
    line: int = None  # the line of the cell below that the traceback must show
    after: str = UNDONE
    interrupt: float = None  # press the interrupt button after so many seconds
    stdout: str = None  # regex for what was printed
    timeout: float = 20


def crash(name, cell, signal, **more):
    return Row(name, cell, "Crash", signal, **more)


def compile_error(name, cell, evalue="", **more):
    return Row(name, cell, "CompileError", evalue, **more)


def exception(name, cell, ename, evalue="", **more):
    return Row(name, cell, ename, evalue, after=STAYS, **more)


def interrupted(name, cell, after=UNDONE, **more):
    return Row(name, cell, "Interrupted", "", after=after, interrupt=0.5, **more)


def fine(name, cell, **more):
    return Row(name, cell, None, after=STAYS, **more)


INCLUDES = """
#include <cassert>
#include <cfenv>
#include <iostream>
#include <vector>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <condition_variable>
#include <fcntl.h>
#include <future>
#include <mutex>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
"""


def prepare(kernel):
    kernel.run(INCLUDES + "int kept = 7;\nint twice(int x) { return 2 * x; }").ok()


def check_alive(kernel, kept):
    """The session answers, and `kept` is one of the values."""
    assert kernel.run("40 + 2").ok().result == "42"
    state = kernel.value("kept")
    assert state in kept, f"kept is {state}, expected one of {kept}"
    assert kernel.value("twice(kept)") == str(2 * int(state))
    said = kernel.run(
        'std::cout << "still " << 255 << std::endl; printf("%d\\n", 16); std::cerr << "there" << std::endl;'
    ).ok()
    assert sorted(said.stdout.split()) == ["16", "255", "still"] and said.stderr == "there\n", said
    assert kernel.value("std::vector<int> fresh_vector{1, 2, 3}; fresh_vector.size()") == "3"


def run_row(kernel, row, name):
    code = row.cell if row.cell.startswith("!") else f"kept = 8; int {name} = 1;\n{row.cell}"
    result = kernel.run(code, timeout=row.timeout, interrupt_after=row.interrupt)
    if row.ename is None:
        result.ok()
    elif row.ename != "*":
        assert result.status == "error", f"an error {row.ename} was expected\n{result}"
        assert re.fullmatch(
            row.ename, result.ename), f"ename {result.ename!r}, expected {row.ename!r}\n{result}"
        assert re.search(
            row.evalue,
            result.evalue), f"evalue {result.evalue!r}, expected {row.evalue!r}\n{result}"
        assert re.search(row.traceback,
                         result.traceback), f"{row.traceback!r} is not in\n{result.traceback}"
    if row.line:
        number, text = row.line + 1, row.cell.split("\n")[row.line - 1].strip()
        assert text in result.traceback, f"line {number}, {text!r}, is not in\n{result.traceback}"
        assert re.search(rf"\b{number}\b",
                         result.traceback), f"line number {number} is not in\n{result.traceback}"
    if row.stdout is not None:
        assert re.search(row.stdout, result.stdout,
                         re.S), f"stdout {result.stdout[:200]!r}, expected {row.stdout!r}"
    return result


def survive(kernel, row):
    """Runs the row's cell and checks everything around it."""
    prepare(kernel)
    name = f"left_behind_{next(NUMBERS)}"
    run_row(kernel, row, name)
    if row.cell.startswith("!"):
        return check_alive(kernel, ["7"])
    check_alive(kernel, {UNDONE: ["7"], STAYS: ["8"], EITHER: ["7", "8"]}[row.after])
    left = kernel.run(name)
    if row.after == UNDONE:
        assert left.ename == "CompileError", f"the failed cell left a trace\n{left}"
    elif row.after == STAYS:
        assert left.ok().result == "1"
