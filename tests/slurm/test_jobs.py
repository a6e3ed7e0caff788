"""Programs of several processes as jobs of a real SLURM cluster, which the tests start and stop."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cluster import Cluster, missing_programs

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "jupyter_kernel"))

from client import Kernel  # noqa: E402

BUILD = os.path.join(ROOT, "build")
LIBRARY = os.path.join(BUILD, "lib", "liblanes_mpi.so")

pytestmark = [
    pytest.mark.skipif(bool(missing_programs()), reason=f"not installed: {', '.join(missing_programs())}"),
    pytest.mark.skipif(not os.path.exists(LIBRARY), reason="built without Open MPI"),
    pytest.mark.skipif(os.geteuid() != 0, reason="slurmd starts jobs of other users: it needs root"),
]

PROGRAM = """
#include "lanes/distributed.hpp"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
int main(int, char** argv) {
    const auto comm = lanes::Communicator::world();
    const std::string what = argv[1];
    if (what == "sum") {
        const int sum = comm.all_reduce(comm.rank() + 1);
        if (comm.rank() == 0) std::printf("sum %d of %d ranks, %s cores\\n", sum, comm.size(),
                                          std::getenv("SLURM_CPUS_PER_TASK"));
    } else if (what == "die") {
        if (comm.rank() == 1) std::raise(SIGKILL);
        comm.barrier();
    } else if (what == "throw") {
        if (comm.rank() == 1) throw lanes::Error("rank 1 has had enough");
        comm.barrier();
    } else if (what == "wait") {
        std::printf("waiting\\n");
        std::fflush(stdout);
        sleep(1000);
    }
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    (folder / "program.cpp").write_text(PROGRAM)
    subprocess.run([
        "clang++-19", "-std=c++17", "-O1", "-fno-relaxed-template-template-args",
        "-Wno-deprecated-no-relaxed-template-template-args", f"-I{ROOT}/include", folder / "program.cpp", "-o",
        folder / "program", f"-L{BUILD}/lib", "-llanes_mpi", "-llanes", f"-Wl,-rpath,{BUILD}/lib"
    ],
                   check=True)
    return folder / "program"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    with Cluster(folder) as running:
        yield running
    deadline = time.monotonic() + 10
    while left := running.left_behind():
        assert time.monotonic() < deadline, f"left behind: {left}"
        time.sleep(0.2)


def test_what_a_cluster_leaves_behind_is_found(tmp_path):
    ended = Cluster(tmp_path)  # it never started
    assert ended.left_behind() == []
    shared = f"lanes_test_{os.getpid()}"
    step = subprocess.Popen(["sleep", "100"], env=ended.environment)
    try:
        with socket.socket() as daemon, open(f"/dev/shm/{shared}", "w"):
            daemon.bind(("127.0.0.1", ended.ports[1]))
            daemon.listen()
            assert ended.left_behind() == [f"process {step.pid}: sleep 100 ", f"port {ended.ports[1]}", f"/dev/shm/{shared}"]
    finally:
        step.kill()
        step.wait()
        os.remove(f"/dev/shm/{shared}")
    assert ended.left_behind() == []


def test_a_job_that_still_runs_ends_with_the_cluster(tmp_path):
    with Cluster(tmp_path) as cluster:
        job(cluster, tmp_path, "#!/bin/bash\n#SBATCH --output=out.txt\necho runs\nsleep 1000\n")
        deadline = time.monotonic() + 60
        while not (tmp_path / "out.txt").exists():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert any("slurmstepd" in one for one in cluster.left_behind())
    deadline = time.monotonic() + 10
    while left := cluster.left_behind():
        assert time.monotonic() < deadline, f"left behind: {left}"
        time.sleep(0.2)


def test_srun_starts_the_ranks(cluster, program):
    assert cluster.run("srun", "-n", 3, "--overcommit", program, "sum").stdout.startswith("sum 6 of 3 ranks")


def job(cluster, folder, text):
    (folder / "job.sbatch").write_text(text)
    said = cluster.run("sbatch", "--chdir", folder, folder / "job.sbatch").stdout
    return re.search(r"Submitted batch job (\d+)", said)[1]


def state_of(cluster, number):
    return cluster.run("scontrol", "show", "job", number).stdout


def wait_until(cluster, number, state, seconds=60):
    deadline = time.monotonic() + seconds
    while f"JobState={state}" not in state_of(cluster, number):
        assert time.monotonic() < deadline, state_of(cluster, number)
        time.sleep(0.2)


def test_sbatch_runs_a_job_with_cores_for_each_rank(cluster, program, tmp_path):
    number = job(
        cluster, tmp_path, f"#!/bin/bash\n#SBATCH --ntasks=2\n#SBATCH --cpus-per-task=2\n"
        f"#SBATCH --output=out-%j.txt\nsrun --cpus-per-task=$SLURM_CPUS_PER_TASK {program} sum\n")
    wait_until(cluster, number, "COMPLETED")
    assert (tmp_path / f"out-{number}.txt").read_text() == "sum 3 of 2 ranks, 2 cores\n"


@pytest.mark.parametrize("how", ["die", "throw"])
def test_a_rank_that_dies_ends_the_others(cluster, program, how):
    start = time.monotonic()
    result = cluster.run("srun", "-n", 3, "--overcommit", "--kill-on-bad-exit=1", program, how, check=False)
    assert result.returncode != 0
    assert time.monotonic() - start < 100  # they do not wait for it forever
    assert not subprocess.run(["pgrep", "-f", f"{program} {how}"], capture_output=True).stdout


def test_a_job_that_is_cancelled_leaves_no_process(cluster, program, tmp_path):
    number = job(cluster, tmp_path, f"#!/bin/bash\n#SBATCH --ntasks=2\n#SBATCH --output=out.txt\nsrun {program} wait\n")
    deadline = time.monotonic() + 60
    while not (tmp_path / "out.txt").exists() or "waiting" not in (tmp_path / "out.txt").read_text():
        assert time.monotonic() < deadline, state_of(cluster, number)
        time.sleep(0.2)
    cluster.run("scancel", number)
    wait_until(cluster, number, "CANCELLED")
    deadline = time.monotonic() + 30
    while subprocess.run(["pgrep", "-f", f"{program} wait"], capture_output=True).stdout:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_a_notebook_becomes_a_job(cluster, tmp_path):
    cells = ['#include "lanes/distributed.hpp"\n#include <cstdlib>\n#include <iostream>',
             "const auto comm = lanes::Communicator::world();",
             'if (comm.all_reduce(1) == comm.size() && comm.rank() == 0)\n    std::cout << comm.size() << " ranks, "'
             ' << std::getenv("SLURM_CPUS_PER_TASK") << " cores, " << std::getenv("LANES_DATA") << "\\n";']
    notebook = {
        "cells": [{"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
                  for source in cells],
        "metadata": {"kernelspec": {"name": "xcpp17", "display_name": "C++17", "language": "C++17"}},
        "nbformat": 4, "nbformat_minor": 4,
    }
    (tmp_path / "ranks.ipynb").write_text(json.dumps(notebook))
    data = tmp_path / "the data"
    data.mkdir()

    def write_job(**options):
        said = subprocess.run(["tools/job", tmp_path / "ranks.ipynb"], cwd=ROOT, env=os.environ | options, capture_output=True,
                              text=True)
        assert said.returncode == 0, said.stderr
        return Path(BUILD, "programs/ranks.sbatch").read_text()

    # This cluster has no GPU: the script is only read.
    lines = write_job(RANKS="2", GPUS="1", TIME="1-12:30").splitlines()
    assert {"#SBATCH --gpus-per-task=1", "#SBATCH --cpus-per-task=1", "#SBATCH --time=1-12:30"} < set(lines)
    assert "gpus" not in write_job(RANKS="2", CORES="2", TIME="00:05:00", DATA=str(data))
    number = re.search(r"(\d+)", cluster.run("sbatch", "--chdir", tmp_path, f"{BUILD}/programs/ranks.sbatch").stdout)[1]
    wait_until(cluster, number, "COMPLETED")
    assert "TimeLimit=00:05:00" in state_of(cluster, number)
    assert (tmp_path / f"ranks-{number}.txt").read_text() == f"2 ranks, 2 cores, {data}\n"


@pytest.mark.parametrize("options, words", [({"RANKS": "two"}, "RANKS is 'two'. Give a number"),
                                            ({"CORES": "0"}, "CORES=0. Ask for 1 at least"),
                                            ({"TIME": "abc"}, "TIME is 'abc'. Give hours, minutes and seconds"),
                                            ({"TIME": "10\n#SBATCH --exclusive"}, "TIME is '10\n#SBATCH"),
                                            ({"TIME": "1:2:3:4"}, "TIME is '1:2:3:4'")])
def test_a_job_with_wrong_options_is_refused(options, words):
    said = subprocess.run(["tools/job", "any.ipynb"], cwd=ROOT, env=os.environ | options, capture_output=True, text=True)
    assert said.returncode != 0 and words in said.stderr


@pytest.fixture
def kernel(cluster, tmp_path):
    """A Jupyter kernel on a machine of the cluster."""
    kernel = Kernel(env={name: cluster.environment[name] for name in ("SLURM_CONF", "PATH")}, cwd=tmp_path)
    try:
        yield kernel
    finally:
        kernel.stop()
        kernel.remove_folders()


RUN = "%%run --tag srun -n 2 --overcommit --kill-on-bad-exit=1\n#include \"lanes/distributed.hpp\"\n" \
      "#include <csignal>\n#include <iostream>\n#include <unistd.h>\n" \
      "const auto comm = lanes::Communicator::world();\n"


def test_a_cell_runs_on_the_cluster(kernel):
    kernel.run("int twice(int x) { return 2 * x; }").ok()
    said = kernel.run(RUN + 'std::cout << twice(comm.all_reduce(comm.rank() + 1)) << std::endl;', timeout=90).ok()
    assert sorted(said.stdout.splitlines()) == ["[0] 6", "[1] 6"]


@pytest.mark.parametrize("how, words", [
    ("std::raise(SIGKILL);", r"rank 1: killed \(SIGKILL\)"),
    ("*(volatile int*)nullptr = 1;", r"rank 1: segmentation fault \(SIGSEGV\): a null pointer was used, In\[\d+\], line 7"),
])  # yapf: disable
def test_a_cell_on_the_cluster_names_the_rank_that_dies(kernel, how, words):
    said = kernel.run(RUN + f"if (comm.rank() == 1) {how}\ncomm.barrier();", timeout=90)
    assert said.ename == "Crash" and re.fullmatch(words, said.evalue), said.evalue


def test_the_interrupt_button_ends_the_ranks_on_the_cluster(cluster, kernel):
    said = kernel.run(RUN + 'std::cout << "waits" << std::endl;\nfor (;;) sleep(1);', timeout=90, interrupt_when="waits")
    assert said.ename == "Interrupted"
    deadline = time.monotonic() + 30
    while cluster.run("squeue", "--noheader").stdout:
        assert time.monotonic() < deadline, "the job is left"
        time.sleep(0.2)


def test_the_lesson_submits_its_job(kernel, tmp_path):
    """The cells of lesson 10b, with the solutions, in a Jupyter kernel on the cluster's machine."""
    with open(f"{ROOT}/notebooks/solutions/10b_training_on_many_machines.ipynb", encoding="utf-8") as file:
        cells = {cell["id"]: "".join(cell["source"]) for cell in json.load(file)["cells"]}
    for name in ("setup", "average-gradients", "train-step", "train", "job-script", "submit-script"):
        kernel.run(cells[name], timeout=60).ok()
    said = kernel.run(cells["submit"], timeout=120).ok().stdout
    assert re.fullmatch(r"Submitted batch job \d+\n2 ranks, accuracy \d+(\.\d)? %\n", said), said
    kernel.run(cells["tidy-up"]).ok()
    assert not os.listdir(tmp_path)
