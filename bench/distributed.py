#!/usr/bin/env python3
"""Many processes through MPI: the ring all-reduce against MPI's own, and data-parallel training
against as many independent trainings and against mpi4py with NumPy, with the same network, batch and
BLAS threads. Prints a table; the exit status says only whether it could be measured.

    make bench                                       everything
    BENCH=distributed tools/bench                    this one, with mpi4py
    .venv/bin/python bench/distributed.py --quick    fewer steps
    .venv/bin/python bench/distributed.py --ranks 4

Aimed at on 2 ranks: the ring takes at most 1.5 times as long as MPI for 64 MB; for 784-1024-1024-10
DataParallel has at least 0.85 of the speed of independent trainings, and 1.3 times that of mpi4py.

Seen with 2 ranks on two x86-64 cores (Open MPI 4.1.4, mpi4py 4.1.2). Ring against MPI: 4 kB 1.52, 1 MB
1.42, 64 MB 0.74. Images per second, batch 512, against independent trainings and against mpi4py:

                                 784-1024-1024-10     784-128-10
    DataParallel                     0.76   1.20        0.93   1.72
    DataParallel without overlap     0.86               1.00
    average_gradients                0.72

Overlap costs here, probably because MPI_Iallreduce adds on the same two cores that compute.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
BUILD = Path(os.environ.get("LANES_BUILD", CHECKOUT / "build"))
TURNS = 3
MODES = ("independent", "average_gradients", "DataParallel without overlap", "DataParallel")
# One thread per rank; also as root and with more ranks than cores.
SETTINGS = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "LANES_NUM_WORKERS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",  # Open MPI 4
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",  # Open MPI 5
}

NUMPY = """
import sys, time
import numpy as np
from mpi4py import MPI
hidden, layers, batch, steps, turns = map(int, sys.argv[1:])
comm = MPI.COMM_WORLD
share = batch // comm.size
rng = np.random.default_rng(1)
sizes = [784] + [hidden] * layers + [10]
weights = [rng.standard_normal((a, b), dtype=np.float32) / np.float32(a ** 0.5) for a, b in zip(sizes, sizes[1:])]
biases = [np.zeros(b, np.float32) for b in sizes[1:]]
x = rng.random((share, 784), dtype=np.float32)
labels = np.full(share, 3)
flat = np.empty(sum(w.size for w in weights + biases), np.float32)

def step():
    outputs = [x]
    for i, (w, b) in enumerate(zip(weights, biases)):
        z = outputs[-1] @ w
        z += b
        if i + 1 < len(weights):
            np.maximum(z, 0, out=z)
        outputs.append(z)
    p = np.exp(outputs[-1] - outputs[-1].max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(share), labels] -= 1
    delta = p / np.float32(share)
    gradients = []
    for i in range(len(weights) - 1, -1, -1):
        gradients += [delta.sum(axis=0), outputs[i].T @ delta]
        if i:
            delta = (delta @ weights[i].T) * (outputs[i] > 0)
    np.concatenate([g.ravel() for g in gradients], out=flat)
    comm.Allreduce(MPI.IN_PLACE, flat)
    at = 0
    for values in [v for pair in zip(biases[::-1], weights[::-1]) for v in pair]:
        values -= np.float32(0.01 / comm.size) * flat[at:at + values.size].reshape(values.shape)
        at += values.size

for _ in range(3):
    step()
best = float("inf")
for _ in range(turns):
    comm.Barrier()
    start = time.perf_counter()
    for _ in range(steps):
        step()
    best = min(best, comm.allreduce(time.perf_counter() - start, op=MPI.MAX))
if comm.rank == 0:
    print(share * comm.size * steps / best)
"""


def run(ranks, *command):
    result = subprocess.run(["mpirun", "-n", str(ranks), *map(str, command)],
                            env=os.environ | SETTINGS,
                            capture_output=True,
                            text=True)
    if result.returncode:
        raise RuntimeError(result.stderr[-2000:])
    return [float(word) for word in result.stdout.split()]


def compiled(folder):
    if not (BUILD / "lib" / "liblanes_mpi.so").exists():
        sys.exit(f"{BUILD}/lib/liblanes_mpi.so is not there: run `make build` first, with Open MPI.")
    program = Path(folder) / "distributed"
    subprocess.run([
        "clang++-19", "-std=c++17", "-O3", "-march=native", "-I", CHECKOUT / "include",
        CHECKOUT / "bench" / "distributed.cpp", "-o", program, "-L", BUILD / "lib", "-llanes_mpi",
        "-llanes", f"-Wl,-rpath,{BUILD / 'lib'}"
    ],
                   check=True)
    return program


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--ranks", type=int, default=2)
    options, _ = parser.parse_known_args()
    if not shutil.which("mpirun"):
        sys.exit("mpirun was not found: install openmpi-bin.")
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        print(f"{options.ranks} ranks, one thread each")
        for count, name, times in ((1 << 10, "4 kB", 200), (1 << 18, "1 MB", 50), (1 << 24, "64 MB", 5)):
            mpi, ring = run(options.ranks, program, "all_reduce", count, max(3, times // (5 if options.quick else 1)))
            print(f"all-reduce {name:>6}: MPI {mpi:8.3f} ms, ring {ring:8.3f} ms, {ring / mpi:.2f} of MPI's time")
        script = Path(folder) / "numpy_mpi.py"
        script.write_text(NUMPY)
        turns = 2 if options.quick else 5
        for hidden, layers, batch, steps in ((1024, 2, 512, 10), (128, 1, 512, 100)):
            name = "-".join(map(str, [784] + [hidden] * layers + [10]))
            best, numpy = {}, None
            for _ in range(TURNS):
                speeds = run(options.ranks, program, "train", hidden, layers, batch, steps, turns)
                for mode, speed in zip(MODES, speeds, strict=True):
                    best[mode] = max(best.get(mode, 0), speed)
                try:
                    speed, = run(options.ranks, sys.executable, script, hidden, layers, batch, steps, turns)
                    numpy = max(numpy or 0, speed)
                except RuntimeError as error:
                    if "No module named 'mpi4py'" not in str(error):
                        raise
            print(f"{name}, batch {batch}: {best['DataParallel']:.0f} images/s")
            for mode, speed in best.items():
                print(f"    {mode:>28}: {speed / best['independent']:.2f} of independent trainings")
            if numpy:
                print(f"    DataParallel {best['DataParallel'] / numpy:.2f} times mpi4py with NumPy")
            else:
                print("    mpi4py is not installed: its row is left out")


if __name__ == "__main__":
    main()
