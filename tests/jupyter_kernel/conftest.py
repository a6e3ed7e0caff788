"""Fixtures of the end-to-end tests of the Jupyter kernel.

    kernel       a running xcpp17 with the usual headers, shared by the tests of a module; replaced by a new one after a test that failed
    fresh        a new one for this test alone
    make_kernel  as many as wanted, with arguments: make_kernel(extra_arguments=["-DX=1"], env={"LANES_MEMORY": "1G"})

After each of them has stopped, nothing may be left: no process, no shared memory, no temporary file.
`LANES_FRESH=1` gives every test a new one, to tell a fault from the trace of an earlier test.
"""

import os
from pathlib import Path

import pytest

from client import SLOW, Kernel, jupyter_path

FAILED = pytest.StashKey()

# What the tests of a shared Jupyter kernel use without an include of their own.
STANDARD = "".join(f"#include <{name}>\n" for name in "algorithm array functional iostream list map memory set sstream string tuple vector".split())


def pytest_collection_modifyitems(items):
    """Nothing hangs: a test that says nothing else has a minute."""
    for item in items:
        if item.path.parent == Path(__file__).parent and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(60 * SLOW))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


def start(**options):
    if not (jupyter_path() / "kernels" / "xcpp17" / "kernel.json").exists():
        pytest.fail(f"no kernelspec xcpp17 under {jupyter_path()}: run `make` first, or set LANES_JUPYTER_PATH", pytrace=False)
    return Kernel(**options)


def stop_and_look(kernel):
    try:
        kernel.stop()
        left = kernel.left_behind()
    finally:
        for process in kernel.processes():
            process.kill()
        kernel.remove_folders()
    assert not left, "left behind when it stopped:\n" + "\n".join(left)


class Holder:
    """The shared Jupyter kernel of a module: started when first asked for, thrown away when a test that used it failed."""

    def __init__(self, options):
        self.options = options
        self.kernel = None

    def get(self):
        if self.kernel and not self.kernel.alive():
            self.drop()
        if not self.kernel:
            self.kernel = start(**self.options)
            self.kernel.run(STANDARD, timeout=60)
        return self.kernel

    def drop(self):
        kernel, self.kernel = self.kernel, None
        if kernel:
            kernel.stop(now=True)
            for process in kernel.processes():
                process.kill()
            kernel.remove_folders()


@pytest.fixture(scope="module")
def shared_kernel(request):
    holder = Holder(getattr(request.module, "KERNEL_OPTIONS", {}))
    yield holder
    if holder.kernel:
        stop_and_look(holder.kernel)


@pytest.fixture
def kernel(request, shared_kernel):
    yield shared_kernel.get()
    if request.node.stash.get(FAILED, False) or os.environ.get("LANES_FRESH"):
        shared_kernel.drop()


@pytest.fixture
def make_kernel():
    started = []

    def make(**options):
        started.append(start(**options))
        return started[-1]

    yield make
    for kernel in started:
        stop_and_look(kernel)


@pytest.fixture
def fresh(make_kernel):
    return make_kernel()
