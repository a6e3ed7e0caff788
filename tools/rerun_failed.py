"""Runs tests, and those that failed once more, one after the other, with nothing beside them.

    python tools/rerun_failed.py REPORT pytest ARGUMENTS...
    python tools/rerun_failed.py REPORT ctest --test-dir FOLDER ARGUMENTS...

A test that fails and then passes is flaky. The exit status is 0 if no test failed twice. The file
REPORT gets a line "flaky NAME" for each flaky test, with the end of its first output below it, and a
line "failed NAME" for each one that failed twice. Only tests run again: if tests cannot be
collected, or if the runner itself crashes, that is a failure."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from xml.etree import ElementTree

TESTS_FAILED = {"pytest": 1, "ctest": 8}  # the exit status if the only errors are failed tests
MOST = "5"  # pytest stops after this many second failures: they are no accident, and take long
LINES = 60  # kept of a first output


def name_of(nodeid):
    """What runs again: a test, but a whole notebook, because a cell needs the cells above it."""
    path = nodeid.split("::")[0]
    return Path(path).name if path.endswith(".ipynb") else nodeid


class Recorder:
    """A plugin of pytest: writes {name: output of its failure, or ""} of all tests that ran, and
    runs only the named ones if there are names."""
    def __init__(self, file, names):
        self.file, self.names, self.outputs, self.collected = file, names, {}, True
        self.first_names = {}  # by the name in this run

    def pytest_collection_modifyitems(self, config, items):
        if not self.names:
            return
        for item in items:
            # With --dist loadgroup, pytest-xdist appends the group to the name.
            name = name_of(item.nodeid)
            groups = [marker.args[0] for marker in item.iter_markers("xdist_group")]
            for first_name in {name, *(f"{name}@{group}" for group in groups)} & self.names:
                self.first_names[name] = first_name
        left_out = [item for item in items if name_of(item.nodeid) not in self.first_names]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if name_of(item.nodeid) in self.first_names]

    def pytest_collectreport(self, report):
        self.collected = self.collected and not report.failed

    def pytest_runtest_logreport(self, report):
        name = name_of(report.nodeid)
        name = self.first_names.get(name, name)
        self.outputs.setdefault(name, "")
        if report.failed:
            sections = [f"-- {title}\n{text}" for title, text in report.sections]
            self.outputs[name] += "\n".join([report.longreprtext or "failed", *sections, ""])

    def pytest_sessionfinish(self):
        if self.collected:
            self.file.write_text(json.dumps(self.outputs))


def run_pytest(arguments, names=()):
    """In a process of its own, which a test may end. Returns its exit status and what ran."""
    with tempfile.TemporaryDirectory() as folder:
        file, wanted = Path(folder) / "outputs.json", Path(folder) / "names.json"
        wanted.write_text(json.dumps(list(names)))
        status = subprocess.run([sys.executable, __file__, file, "recorded", wanted,
                                 *arguments]).returncode
        return status, json.loads(file.read_text()) if file.exists() else None


def recorded_pytest(file, arguments):
    import pytest
    sys.path[0] = os.getcwd()  # as `python -m pytest` has it
    names = set(json.loads(Path(arguments[0]).read_text()))
    return pytest.main(arguments[1:], plugins=[Recorder(file, names)])


def second_copies(arguments, names):
    """The arguments with the notebooks that failed only, each as a copy in an empty folder: what
    its first run has written stays behind."""
    kept = []
    for argument in arguments:
        path = Path(argument)
        if path.suffix != ".ipynb":
            kept.append(argument)
        elif path.name in names:
            folder = path.parent.with_name(path.parent.name + "-again")
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            kept.append(shutil.copy(path, folder))
    return kept


def twice_pytest(arguments):
    status, first = run_pytest(arguments)
    failed = {name: output for name, output in (first or {}).items() if output}
    if status != TESTS_FAILED["pytest"] or not failed:
        return status, {}, []
    announce(failed)
    status, second = run_pytest([*second_copies(arguments, failed), "-n", "0", "--maxfail", MOST],
                                failed)
    passed = {name for name, output in (second or {}).items() if not output}
    return (status, {name: failed[name]
                     for name in failed if name in passed},
            [name for name in failed if name not in passed])


def twice_ctest(arguments):
    log = Path(arguments[arguments.index("--test-dir") + 1]) / "Testing/Temporary/LastTestsFailed.log"

    def failures():
        return [line.split(":", 1)[1] for line in log.read_text().splitlines()]

    with tempfile.TemporaryDirectory() as folder:
        junit = Path(folder) / "first.xml"
        status = subprocess.run(["ctest", *arguments, "--output-junit", junit]).returncode
        if status != TESTS_FAILED["ctest"]:
            return status, {}, []
        failed = failures()
        outputs = {
            case.get("name"): case.findtext("system-out") or ""
            for case in ElementTree.parse(junit).iter("testcase")
        }
    announce(failed)
    status = subprocess.run(["ctest", *arguments, "--rerun-failed", "--parallel", "1"]).returncode
    again = failures() if status else []
    return (status, {name: outputs.get(name, "")
                     for name in failed if name not in again}, again)


def announce(failed):
    print(f"\n-- once more, one at a time: {len(failed)} failed", flush=True)


def main(report, runner, *arguments):
    if runner == "recorded":
        return recorded_pytest(Path(report), list(arguments))
    status, flaky, failed = {"pytest": twice_pytest, "ctest": twice_ctest}[runner](list(arguments))
    with open(report, "a") as file:
        for name, output in sorted(flaky.items()):
            last = "\n".join(output.strip("\n").splitlines()[-LINES:])
            print(f"flaky {name}\n{textwrap.indent(last, '    ', lambda line: True)}", file=file)
        for name in sorted(failed):
            print(f"failed {name}", file=file)
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
