#!/usr/bin/env python3
"""How fast max and matmul_transpose are, as ratios against Numba's parallel loops, NumPy and a
parallel copy, all measured in one run, turn by turn: what else runs on the machine then disturbs
all of them alike. Prints a table; the exit status says only whether it could be measured and was
right.

    make bench                                  everything, about a minute
    .venv/bin/python bench/ops.py --quick       the small sizes only
    LANES_BUILD=folder …                        another build than build/

A turn is a fresh start for one of them: a call that is not counted, then some of which the best
counts, because other work on the machine only adds. Figures are medians of 9 turns.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

CHECKOUT = Path(__file__).resolve().parents[1]
BUILD = Path(os.environ.get("LANES_BUILD", CHECKOUT / "build"))
TURNS = 9
# Seconds between turns: threads that wait for work spin for up to 0.2 s, and would take a core from
# the next candidate.
REST = 0.25


class Lanes:
    """bench/ops.cpp, compiled and running; it measures on request."""
    def __init__(self, folder):
        if not (BUILD / "lib" / "liblanes.so").exists():
            sys.exit(
                f"{BUILD}/lib/liblanes.so is not there: run `make build` first, or set LANES_BUILD."
            )
        program = Path(folder) / "ops"
        subprocess.run([
            "clang++-19", "-std=c++17", "-O3", "-march=native", "-fopenmp",
            "-fno-relaxed-template-template-args",
            "-Wno-deprecated-no-relaxed-template-template-args", "-I", CHECKOUT / "include",
            CHECKOUT / "bench" / "ops.cpp", "-o", program, "-L", BUILD / "lib", "-llanes",
            f"-Wl,-rpath,{BUILD / 'lib'}"
        ],
                       check=True)
        self.process = subprocess.Popen([program],
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE,
                                        text=True)
        self.gpu = self.process.stdout.readline().strip()

    def figures(self, name, shape, calls):
        """Seconds; two of them for a task on the GPU."""
        self.process.stdin.write(f"{name} {shape[0]} {shape[1]} {calls}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"bench/ops.cpp ended at {name} {shape[0]}x{shape[1]}")
        return [1e-9 * float(word) for word in line.split()]

    def turn(self, name, shape, calls):
        return lambda: self.figures(name, shape, calls)[0]


def python_turn(calls, work):
    def turn():
        work()
        seconds = []
        for _ in range(calls):
            begin = time.perf_counter()
            work()
            seconds.append(time.perf_counter() - begin)
        return min(seconds)

    return turn


def medians(turns, rounds=TURNS):
    """Name -> median seconds, with all of them taking turns."""
    seconds = {name: [] for name in turns}
    for _ in range(rounds):
        for name, turn in turns.items():
            time.sleep(REST)
            seconds[name].append(turn())
    return {name: statistics.median(values) for name, values in seconds.items()}


def numba_functions():
    """Parallel loops as a user of Numba writes them; None if it is not installed."""
    try:
        from numba import njit, prange
    except ImportError:
        return None, None

    @njit(parallel=True)
    def larger(a, b, c):
        for i in prange(a.shape[0]):
            for j in range(a.shape[1]):
                c[i, j] = a[i, j] if a[i, j] > b[i, j] else b[i, j]

    @njit(parallel=True, fastmath=True)
    def product(x):
        c = np.empty((x.shape[0], x.shape[0]), x.dtype)
        for i in prange(x.shape[0]):
            for j in range(x.shape[0]):
                total = x.dtype.type(0)
                for k in range(x.shape[1]):
                    total += x[i, k] * x[j, k]
                c[i, j] = total
        return c

    return larger, product


def row(what, seconds, peer, ratio, target=None):
    verdict = ""
    if target is not None:
        verdict = f"  at least {target:<5g} {'pass' if ratio >= target else 'FAIL'}"
    print(f"{what:<58} {1e3 * seconds:10.3f} ms {1e3 * peer:10.3f} ms {ratio:8.2f}{verdict}",
          flush=True)


def measure_max(lanes, size, larger):
    shape, calls = (
        size, size
    ), 201 if size <= 2000 else 3  # long enough for the system to give two threads two cores
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 256, shape, dtype=np.int32) for _ in range(2))
    c = np.empty_like(a)
    turns = {
        name: lanes.turn(name, shape, calls)
        for name in ("max_fast", "copy", "max_fresh", "max_plain")
    }
    turns["numpy"] = python_turn(calls, lambda: np.maximum(a, b, out=c))
    if larger:
        turns["numba"] = python_turn(calls, lambda: larger(a, b, c))
    t = medians(turns)
    if larger and not np.array_equal(c, np.maximum(a, b)):
        sys.exit("Numba's loop is wrong")
    what = f"max_fast {size}x{size} int32: "
    if larger:
        row(what + "times as fast as Numba's loop", t["max_fast"], t["numba"],
            t["numba"] / t["max_fast"], 0.97)
    row(what + "bandwidth of a parallel copy", t["max_fast"], t["copy"],
        12 / t["max_fast"] / (8 / t["copy"]), 0.9)
    row(what + "times as fast as NumPy", t["max_fast"], t["numpy"], t["numpy"] / t["max_fast"])
    row(what + "times as fast as max_plain", t["max_fast"], t["max_plain"],
        t["max_plain"] / t["max_fast"])
    row(what + "result in fresh memory", t["max_fresh"], t["max_fast"],
        t["max_fast"] / t["max_fresh"])
    print(f"{'':<58} {12e-9 * size * size / t['max_fast']:10.1f} GB/s")


def measure_product(lanes, shape, product):
    calls = 1 if shape[0] > 2000 else 11
    x = np.random.default_rng(1).random(shape, dtype=np.float32)
    t = medians({
        "matmul_fast": lanes.turn("matmul_fast", shape, calls),
        "numpy": python_turn(calls, lambda: x @ x.T)
    })
    what = f"matmul_transpose_fast {shape[0]}x{shape[1]}: "
    row(what + "times as fast as NumPy", t["matmul_fast"], t["numpy"],
        t["numpy"] / t["matmul_fast"], 1)
    if product and shape[0] <= 2000:  # with 4096 rows its loops take most of a minute
        if not np.allclose(product(x), x @ x.T, rtol=1e-4):
            sys.exit("Numba's product is wrong")
        numba = medians({"numba": python_turn(1, lambda: product(x))}, 3)["numba"]
        row(what + "as Numba's loops", t["matmul_fast"], numba, numba / t["matmul_fast"])
    print(
        f"{'':<58} {1e-9 * shape[0] ** 2 * shape[1] / t['matmul_fast']:10.1f} GFLOP/s,"
        f" half of the product counted"
    )


def measure_gpu(lanes):
    print(f"{lanes.gpu + ':':<58} {'alone':>13} {'end to end':>13}")
    for name, rungs, shape in [("max", 2, (1000, 1000)), ("matmul", 4, (784, 128)),
                               ("matmul", 4, (4096, 4096))]:
        for rung in range(rungs + 1) if shape[0] < 2000 else (0, 3, 4):
            alone, whole = lanes.figures(f"{name}_gpu_{rung}", shape, 9)
            what = f"{name}_gpu {shape[0]}x{shape[1]}, " + (f"rung {rung}"
                                                            if rung else "the rung that it picks")
            print(f"{what:<58} {1e3 * alone:10.4f} ms {1e3 * whole:10.3f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="the small sizes only")
    quick = parser.parse_known_args()[0].quick
    larger, product = numba_functions()
    if not larger:
        print("Numba is not installed: its rows are left out (pip install numba)")
    with tempfile.TemporaryDirectory() as folder:
        lanes = Lanes(folder)
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        print(f"{'':<58} {'lanes':>13} {'peer':>13} {'ratio':>8}")
        for size in (1000, ) if quick else (1000, 8192):
            measure_max(lanes, size, larger)
        for shape in ((784, 128), (1000, 1024), (4096, 4096))[:2 if quick else 3]:
            measure_product(lanes, shape, product)
        if lanes.gpu:
            measure_gpu(lanes)
        else:
            print("no GPU: max_gpu and matmul_transpose_gpu are not measured")
        lanes.process.stdin.close()
        if lanes.process.wait() != 0:
            sys.exit("bench/ops.cpp failed")


if __name__ == "__main__":
    main()
