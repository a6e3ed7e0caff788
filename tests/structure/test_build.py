"""A session does not load libgomp (it hangs in a forked process, and a session forks before every
cell), and the precompiled header is rebuilt when its sources change."""

import json
import re
import subprocess
from pathlib import Path

from tree import BUILD, ROOT


def libraries_of(path):
    result = subprocess.run(["ldd", path], capture_output=True, text=True)
    assert result.returncode == 0, f"{path}: {result.stderr}"
    return result.stdout


def test_nothing_brings_libgomp():
    config = json.loads((BUILD / "xcpp17.json").read_text())
    loaded = [*config["libraries"], *config["instantiations"], BUILD / "bin" / "xcpp17-session"]
    assert [str(path) for path in loaded if "libgomp" in libraries_of(path)] == []


def test_liblanes_runs_on_libomp_and_openblas_with_threads_of_its_own():
    libraries = libraries_of(BUILD / "lib" / "liblanes.so")
    assert "libomp.so" in libraries and "openblas-pthread" in libraries


def test_the_kernelspec_leads_into_this_build():
    spec = json.loads((BUILD / "share/jupyter/kernels/xcpp17/kernel.json").read_text())
    assert spec["argv"][:5] == [
        f"{BUILD}/bin/xcpp17", "-f", "{connection_file}", "--config", f"{BUILD}/xcpp17.json"
    ]
    assert spec["interrupt_mode"] == "signal" and spec["display_name"] == "C++17" and spec[
        "language"] == "C++17"
    config = json.loads((BUILD / "xcpp17.json").read_text())
    assert str(ROOT / "include") in config["includes"]


def test_the_precompiled_header_is_built_again_when_a_header_or_an_argument_changes():
    rule = re.search(r"^build xcpp17\.pch .*?: \w+ (.*?)$.*?^  depfile = ",
                     (BUILD / "build.ninja").read_text(), re.M | re.S)
    assert "jupyter_kernel/precompiled/arguments.txt" in rule.group(1).split()
    followed = (BUILD / "xcpp17.pch.d").read_text()  # clang's; CMake makes the rule's depfile of it
    umbrellas = [
        *sorted((ROOT / "include/lanes").glob("*.hpp")), ROOT / "exercises/max_plain/exercise.hpp"
    ]
    umbrellas.remove(ROOT / "include/lanes/distributed.hpp")  # for programs that MPI starts
    assert umbrellas
    for header in [
            *umbrellas, ROOT / "jupyter_kernel/include/xcpp/xdisplay.hpp",
            Path("/usr/include/xtensor/xarray.hpp")
    ]:
        assert str(header).replace(" ", "\\ ") in followed, f"a change of {header} builds nothing"
