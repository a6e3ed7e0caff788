"""OpenMP and OpenBLAS start no more threads than the limit of a container or batch job allows. The limit
is a real one: a control group, which only root can make."""

import contextlib
import json
import os
import re
import subprocess
import uuid
from pathlib import Path

import pytest

BUILD = Path(__file__).parents[2] / "build"
PROGRAM = """
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int openblas_get_num_threads(void);
int main(void) {
    const char* rest = getenv("KMP_BLOCKTIME");
    printf("%d %d %s\\n", omp_get_max_threads(), openblas_get_num_threads(), rest ? rest : "-");
}
"""


@pytest.fixture(name="one_core")
def group_with_one_core():
    """The file to which a process writes its number to have one core from then on."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("this machine has one core: no limit is lower")
    first = Path("/sys/fs/cgroup/cpu")
    group = (first if first.is_dir() else first.parent) / f"lanes-test-{uuid.uuid4().hex}"
    try:
        group.mkdir()
        if first.is_dir():
            (group / "cpu.cfs_period_us").write_text("100000")
            (group / "cpu.cfs_quota_us").write_text("100000")
        else:
            (group / "cpu.max").write_text("100000 100000")
    except OSError as refused:
        with contextlib.suppress(OSError):
            group.rmdir()
        pytest.skip(f"no control group can be made here: {refused}")
    yield group / "cgroup.procs"
    group.rmdir()


@pytest.fixture(name="program", scope="module")
def program_that_counts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("threads")
    (folder / "count.c").write_text(PROGRAM)
    blas = next(path for path in json.loads((BUILD / "xcpp17.json").read_text())["libraries"]
                if "openblas" in path)
    subprocess.run(["clang-19", "-fopenmp", "-Wl,--no-as-needed", folder / "count.c", "-o",
                    folder / "count", BUILD / "lib/liblanes.so", blas,
                    f"-Wl,-rpath,{BUILD / 'lib'}", f"-Wl,-rpath,{os.path.dirname(blas)}"],
                   check=True)
    return folder / "count"


def counted(program, procs=None, **environment):
    """(threads of OpenMP, threads of OpenBLAS, KMP_BLOCKTIME)"""
    own = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "KMP_BLOCKTIME"}
    inherited = {name: value for name, value in os.environ.items() if name not in own}
    command = [str(program)] if procs is None else [
        "sh", "-c", 'echo $$ > "$0" && exec "$1"', str(procs), str(program)]
    said = subprocess.run(command, env={**inherited, **environment}, check=True,
                          capture_output=True, text=True).stdout
    openmp, blas, rest = said.split()
    return int(openmp), int(blas), rest


def test_a_program_keeps_to_the_limit_of_its_group(program, one_core):
    assert counted(program, one_core) == (1, 1, "1")
    assert counted(program, one_core, OMP_NUM_THREADS="2", KMP_BLOCKTIME="50") == (2, 2, "50")
    assert counted(program, one_core, OPENBLAS_NUM_THREADS="2") == (1, 2, "1")


def test_a_program_without_a_limit_uses_its_cores(program):
    cores = len(os.sched_getaffinity(0))
    assert counted(program) == (cores, cores, "1")


def test_a_cell_keeps_to_the_limit(one_core, make_kernel):
    # What this process starts from now on is in the group.
    before = re.search(r"^(?:\d+:cpu|0:):(.*)$", Path("/proc/self/cgroup").read_text(), re.M)[1]
    one_core.write_text(str(os.getpid()))
    try:
        assert make_kernel().value("#include <omp.h>\nomp_get_max_threads()") == "1"
    finally:
        (one_core.parents[1] / before.strip("/") / "cgroup.procs").write_text(str(os.getpid()))
