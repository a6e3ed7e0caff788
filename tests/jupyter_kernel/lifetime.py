"""From start to stop: a Jupyter kernel for a test, and the look at what it left behind."""

import pytest
from client import Kernel, jupyter_path

# What the tests of a shared Jupyter kernel use without an include of their own.
STANDARD = "".join(
    f"#include <{name}>\n" for name in
    "algorithm array functional iostream list map memory set sstream string tuple vector".split())


def start(**options):
    if not (jupyter_path() / "kernels" / "xcpp17" / "kernel.json").exists():
        pytest.fail(
            f"no kernelspec xcpp17 under {jupyter_path()}: run `make` first, or set LANES_JUPYTER_PATH",
            pytrace=False)
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
