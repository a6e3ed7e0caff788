"""tools/test runs a failed test once more, alone, and says which tests are flaky. Small tests of
pytest and ctest run in a checkout of their own, with the real tools/test."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from tree import ROOT

# Each line of the file `runs` is the start or the end of a test.
PYTEST = """
import pathlib, time
import pytest

RUNS = pathlib.Path({runs!r})

def note(line):
    with RUNS.open("a") as file:
        file.write(line + "\\n")

def run(name, fails):
    count = RUNS.read_text().count("start " + name)
    note("start " + name)
    time.sleep(0.2)
    note("end " + name)
    print("printed by", name)
    assert count >= fails
"""
ONCE = """
def test_fails_once():
    run("first", 1)

@pytest.mark.xdist_group("together")
@pytest.mark.parametrize("word", ["a@b"])
def test_of_a_group_fails_once(word):
    run("second", 1)
"""
ALWAYS = """
def test_fails_always():
    run("always", 100)
"""
PASSES = """
def test_passes():
    run("passes", 0)
"""
CTEST = """
count=$(grep -c "start $1" {runs})
echo "start $1" >> {runs}; sleep 0.2; echo "end $1" >> {runs}
echo "printed by $1"
[ "$count" -ge $2 ]
"""


class Checkout:
    """A checkout with tools/test and the tests that are given to it."""
    def __init__(self, folder):
        self.folder, self.runs_file = folder, folder / "runs"
        (folder / "tools").mkdir()
        for name in ("test", "common.bash", "rerun_failed.py"):
            shutil.copy(ROOT / "tools" / name, folder / "tools")
        (folder / ".venv").symlink_to(sys.prefix)
        (folder / "build").mkdir()
        self.runs_file.touch()

    def pytest(self, text, group="structure", name="test_tiny.py"):
        place = self.folder / "tests" / group
        place.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(PYTEST.format(runs=str(self.runs_file)) + text)

    def ctest(self, **fails):
        """fails: how often each test fails."""
        script = self.folder / "tiny.sh"
        script.write_text(CTEST.format(runs=self.runs_file))
        (self.folder / "build/CTestTestfile.cmake").write_text("".join(
            f'add_test({name} bash "{script}" {name} {count})\n' for name, count in fails.items()))

    def test(self, *groups, **environment):
        result = subprocess.run([self.folder / "tools/test", *groups],
                                env={
                                    **os.environ, "LANES_JOBS": "2",
                                    **environment
                                },
                                capture_output=True,
                                text=True)
        output = result.stdout + result.stderr
        print(output)
        summary = re.sub(r"  \d+ s", "", result.stdout.partition("\n== summary\n")[2])
        # What this folder lacks of a whole checkout, or this machine.
        kept = [line for line in summary.splitlines() if "this machine has no" not in line]
        return result.returncode, output, kept

    def starts(self, name):
        return self.runs().count(f"start {name}")

    def runs(self):
        return self.runs_file.read_text().splitlines()


@pytest.fixture
def checkout(tmp_path):
    return Checkout(tmp_path)


def test_one_that_passes_alone_is_flaky(checkout):
    checkout.ctest(one=1, two=1, passes=0)
    checkout.pytest(ONCE + PASSES)
    status, output, summary = checkout.test("unit", "structure")
    assert status == 0
    assert summary == [
        "flaky   unit", "        flaky  one", "        flaky  two", "flaky   structure",
        "        flaky  tests/structure/test_tiny.py::test_fails_once",
        "        flaky  tests/structure/test_tiny.py::test_of_a_group_fails_once[a@b]@together"
    ]
    first_outputs = output[output.index("== flaky"):]
    for name in ("one", "two", "first", "second"):
        assert checkout.starts(name) == 2
        assert f"\n    printed by {name}\n" in first_outputs
    assert "assert 0 >= 1" in first_outputs
    # Four lines of the second run of ctest, and the last four of pytest: no test began before the
    # other one had ended.
    runs = checkout.runs()
    assert len(runs) == 20 and checkout.starts("passes") == 2
    for start, end in (runs[6:8], runs[8:10], runs[16:18], runs[18:20]):
        assert start.split()[0] == "start" and end == start.replace("start", "end")


def test_one_that_fails_twice_fails_the_run(checkout):
    checkout.ctest(one=1, always=100)
    checkout.pytest(ONCE + ALWAYS)
    status, _, summary = checkout.test("unit", "structure")
    assert status == 1
    assert summary == [
        "FAILED  unit (status 8)", "        flaky  one", "        failed  always",
        "FAILED  structure (status 1)", "        flaky  tests/structure/test_tiny.py::test_fails_once",
        "        flaky  tests/structure/test_tiny.py::test_of_a_group_fails_once[a@b]@together",
        "        failed  tests/structure/test_tiny.py::test_fails_always"
    ]
    assert checkout.starts("always") == 4


def test_a_strict_run_fails_for_a_flaky_one(checkout):
    checkout.pytest(ONCE, "browser")
    status, _, summary = checkout.test("browser", FLAKY="fail")
    assert status == 1
    assert summary[:2] == [
        "FAILED  browser (status 1)", "        flaky  tests/browser/test_tiny.py::test_fails_once"
    ]


@pytest.mark.parametrize("user", [0, 1000])
def test_the_summary_says_that_slurm_needs_root(checkout, user):
    programs = checkout.folder / "programs"
    programs.mkdir()
    (programs / "id").write_text(f"#!/bin/sh\necho {user}\n")
    (programs / "id").chmod(0o755)
    checkout.pytest(PASSES, "slurm")
    checkout.pytest(PASSES, "browser")
    path = f"{programs}:{os.environ['PATH']}"
    line = "left out  tests of SLURM in slurm: slurmd needs root, which this user is not"
    assert (line in checkout.test("slurm", PATH=path)[2]) == (user != 0)
    assert line not in checkout.test("browser", PATH=path)[2]


def test_an_error_of_collection_is_not_flaky(checkout):
    checkout.pytest(ONCE)
    checkout.pytest("import no_such_module", name="test_broken.py")
    status, _, summary = checkout.test("structure")
    assert status == 1 and len(summary) == 1 and summary[0].startswith("FAILED  structure")


def test_a_crash_of_the_runner_is_not_flaky(checkout):
    checkout.pytest(ONCE + "def test_crashes():\n    import os\n    os._exit(1)\n", "browser")
    status, _, summary = checkout.test("browser")
    assert (status, summary) == (1, ["FAILED  browser (status 1)"])
    assert checkout.starts("first") == 1


def test_a_file_that_is_left_behind_is_not_flaky(checkout):
    checkout.pytest("""
def test_leaves_a_file():
    import os
    if not RUNS.read_text():
        (pathlib.Path(os.environ["TMPDIR"]) / "left").touch()
    run("leaves", 1)
""", "browser")
    status, output, summary = checkout.test("browser")
    assert status == 1
    assert summary == [
        "FAILED  browser (status 1)", "        flaky  tests/browser/test_tiny.py::test_leaves_a_file"
    ]
    assert "left behind in the temporary folder:\nleft\n" in output


def test_a_notebook_runs_again_as_a_whole_in_an_empty_folder(checkout):
    cells = [
        "#include <filesystem>\n#include <fstream>\n#include <iostream>\nint seven = 7;",
        'std::filesystem::exists("written") ? 1 : 0', 'std::ofstream("written") << 1;',
        f'std::ofstream({json.dumps(str(checkout.runs_file))}, std::ios::app) << "start cell\\n";',
        f"""int runs = 0;
std::ifstream file({json.dumps(str(checkout.runs_file))});
for (std::string line; std::getline(file, line);) runs += 1;
if (runs == 1) throw std::runtime_error("not yet");
std::cout << seven;"""
    ]

    def cell(number, source):
        outputs = {
            1: [{
                "output_type": "execute_result",
                "execution_count": 2,
                "metadata": {},
                "data": {
                    "text/plain": "0"
                }
            }],
            4: [{
                "output_type": "stream",
                "name": "stdout",
                "text": "7"
            }]
        }
        return {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "execution_count": number + 1,
            "source": source,
            "outputs": outputs.get(number, [])
        }

    solutions = checkout.folder / "notebooks/solutions"
    solutions.mkdir(parents=True)
    for name in ("conftest.py", "sanitize.cfg"):
        shutil.copy(ROOT / "notebooks/solutions" / name, solutions)
    for name, chosen in (("once", cells), ("passes", cells[:1])):
        (solutions / f"{name}.ipynb").write_text(
            json.dumps({
                "nbformat": 4,
                "nbformat_minor": 5,
                "metadata": {},
                "cells": [cell(number, source) for number, source in enumerate(chosen)]
            }))
    checkout.pytest(PASSES, "notebooks")
    status, _, summary = checkout.test("notebooks")
    assert (status, summary) == (0, ["flaky   notebooks", "        flaky  once.ipynb"])
    assert checkout.starts("cell") == 2 and checkout.starts("passes") == 1
