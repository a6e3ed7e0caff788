"""Fixtures of the end-to-end tests of the Jupyter kernel.

    kernel       a running xcpp17 with the usual headers, shared by the tests of a module; replaced by a new one after a test that failed
    fresh        a new one for this test alone
    make_kernel  as many as wanted, with arguments: make_kernel(extra_arguments=["-DX=1"], env={"XCPP_MEMORY": "1G"})
    with_config  the same with another configuration: with_config(lambda config: config.pop("pch"))

After each of them has stopped, nothing may be left: no process, no shared memory, no temporary file.
`LANES_FRESH=1` gives every test a new one, to tell a fault from the trace of an earlier test.
"""

import json
import os
from pathlib import Path

import pytest
from client import SLOW, kernelspec_manager
from jupyter_client.kernelspec import KernelSpecManager
from lifetime import Holder, start, stop_and_look

FAILED = pytest.StashKey()


def pytest_collection_modifyitems(items):
    """Nothing hangs. Each wait has its own limit, so that the failure says what did not come."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.timeout(1200 * SLOW))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


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


@pytest.fixture
def with_config(tmp_path, make_kernel):
    """Starts a Jupyter kernel whose configuration was changed by a function."""
    def start(change, **options):
        spec = kernelspec_manager().get_kernel_spec("xcpp17")
        argv = list(spec.argv)
        where = argv.index("--config") + 1
        config = json.loads(Path(argv[where]).read_text())
        assert config["pch"], "the build has no precompiled header"
        change(config)
        argv[where] = str(tmp_path / "config.json")
        Path(argv[where]).write_text(json.dumps(config))
        folder = tmp_path / "kernels" / "xcpp17"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "kernel.json").write_text(
            json.dumps({
                "argv": argv,
                "display_name": "C++17",
                "language": "C++17",
                "interrupt_mode": spec.interrupt_mode
            }))
        return make_kernel(manager=KernelSpecManager(kernel_dirs=[str(tmp_path / "kernels")],
                                                     ensure_native_kernel=False),
                           **options)

    return start
