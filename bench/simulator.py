#!/usr/bin/env python3
"""How fast the CUDA simulator is, as ratios measured in one run: against Numba's simulator
(NUMBA_ENABLE_CUDASIM=1), what a user without a GPU would pick instead, and against plain C++
loops compiled with the same flags. Prints a table; the exit status says only whether it could be
measured and was right.

    make bench                                      everything, about three minutes
    .venv/bin/python bench/simulator.py --quick     without Numba, which takes most of the time
    LANES_BUILD=folder …                            another build than build/

Nothing here is part of the tests: figures depend on the machine and on what else runs on it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
BUILD = Path(os.environ.get("LANES_BUILD", CHECKOUT / "build"))

# The same tiled product as in simulator.cpp, in a separate process: Numba reads the variable when
# it is loaded.
NUMBA = """
    import time
    import numpy as np
    from numba import cuda, float32

    @cuda.jit
    def tiled(a, b, c):
        left = cuda.shared.array((16, 16), float32)
        right = cuda.shared.array((16, 16), float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        row, column = cuda.blockIdx.y * 16 + ty, cuda.blockIdx.x * 16 + tx
        total = float32(0)
        for start in range(0, a.shape[0], 16):
            left[ty, tx] = a[row, start + tx]
            right[ty, tx] = b[start + ty, column]
            cuda.syncthreads()
            for k in range(16):
                total += left[ty, k] * right[k, tx]
            cuda.syncthreads()
        c[row, column] = total

    @cuda.jit
    def sums(x, y):
        s = cuda.shared.array(256, float32)
        t = cuda.threadIdx.x
        s[t] = x[cuda.blockIdx.x * 256 + t]
        cuda.syncthreads()
        half = 128
        while half > 0:
            if t < half:
                s[t] += s[t + half]
            cuda.syncthreads()
            half //= 2
        if t == 0:
            y[cuda.blockIdx.x] = s[0]

    a = np.random.default_rng(1).random((64, 64), dtype=np.float32)
    c = np.zeros((64, 64), np.float32)
    begin = time.perf_counter()
    tiled[(4, 4), (16, 16)](a, a, c)
    seconds = time.perf_counter() - begin
    assert np.allclose(c, a @ a, rtol=1e-4)
    x = a.reshape(-1)
    y = np.zeros(16, np.float32)
    begin = time.perf_counter()
    sums[16, 256](x, y)
    per_element = (time.perf_counter() - begin) / x.size
    assert np.allclose(y, x.reshape(16, 256).sum(axis=1), rtol=1e-4)
    print(seconds, per_element)
"""


def numba_seconds():
    """With Numba's simulator: seconds of the product, and of the sums per element. None if Numba is
    not installed."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(NUMBA)],
                          env={
                              **os.environ, "NUMBA_ENABLE_CUDASIM": "1"
                          },
                          capture_output=True,
                          text=True)
    if "No module named 'numba'" in done.stderr:
        return None
    if done.returncode != 0:
        sys.exit(f"Numba's simulator failed:\n{done.stderr}")
    return [float(value) for value in done.stdout.split()]


def our_seconds():
    """Figures of simulator.cpp by name."""
    if not (BUILD / "lib" / "liblanes.so").exists():
        sys.exit(
            f"{BUILD}/lib/liblanes.so is not there: run `make build` first, or set LANES_BUILD.")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "simulator"
        subprocess.run([
            "clang++-19", "-std=c++17", "-O3", "-march=native", "-ffp-contract=fast", "-I",
            CHECKOUT / "include", CHECKOUT / "bench" / "simulator.cpp", "-o", program, "-L",
            BUILD / "lib", "-llanes", f"-Wl,-rpath,{BUILD / 'lib'}"
        ],
                       check=True)
        lines = subprocess.run([program], check=True, capture_output=True,
                               text=True).stdout.split("\n")
    return {name: float(value) for name, value in (line.split() for line in lines if line)}


def row(name, ours, peer, ratio, target, at_least):
    kept = ratio >= target if at_least else ratio <= target
    print(
        f"{name:<64} {1e3 * ours:10.3f} ms {1e3 * peer:10.3f} ms {ratio:10.1f}"
        f"  {'at least' if at_least else 'at most':<8} {target:<6g} {'pass' if kept else 'FAIL'}",
        flush=True)


def time_row(name, seconds, target):
    print(
        f"{name:<64} {1e3 * seconds:10.3f} ms {'':<13} {'':<10}"
        f"  at most  {f'{target:g} s':<6} {'pass' if seconds <= target else 'FAIL'}",
        flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="without Numba")
    quick = parser.parse_known_args()[0].quick
    ours = our_seconds()
    print(f"{'':<64} {'simulator':>13} {'peer':>13} {'ratio':>10}")
    numba = None if quick else numba_seconds()
    if numba:
        product, element = numba
        row("tiled matmul 64x64x64, 16x16 blocks: times faster than Numba's", ours["fast_tiled"],
            product, product / ours["fast_tiled"], 5000, True)
        row("the same with checks, one order of threads: faster than Numba's",
            ours["one_order_tiled"], product, product / ours["one_order_tiled"], 100, True)
        row("sums of 256 elements, a barrier per step: times faster than Numba's",
            ours["fast_sums"], element * (1 << 20), element * (1 << 20) / ours["fast_sums"], 500,
            True)
    elif not quick:
        print("Numba is not installed: its row is left out (pip install numba)")
    row("max of 1000x1000 ints: times slower than a plain loop", ours["fast_max"],
        ours["plain_max"], ours["fast_max"] / ours["plain_max"], 3, False)
    row("X times its transpose, 784x128: times slower than plain loops", ours["fast_product"],
        ours["plain_product"], ours["fast_product"] / ours["plain_product"], 3, False)
    for name, text, target in (("tiled", "tiled matmul", 30),
                               ("product", "X times its transpose", 60), ("max", "max", 60)):
        row(f"checks, one order, {text}: times slower than fast",
            ours[f"one_order_{name}"], ours[f"fast_{name}"],
            ours[f"one_order_{name}"] / ours[f"fast_{name}"], target, False)
    row("all checks, all orders, saxpy of 1M: times slower than fast",
        ours["checked_saxpy"], ours["fast_saxpy"], ours["checked_saxpy"] / ours["fast_saxpy"], 60,
        False)
    print(f"{'':<64} {'simulator':>13}")
    time_row("all checks, all orders, tiled matmul 256x256x256", ours["checked_tiled_256"], 3)
    time_row("fast, sums of 1M elements with a barrier per step", ours["fast_sums"], 0.25)
    time_row("first compilation, fast", ours["fast_compile"], 1)
    time_row("first compilation, with checks", ours["checked_compile"], 1)
    print(f"A text comes from the cache in {1e3 * ours['fast_from_cache']:.1f} ms.")


if __name__ == "__main__":
    main()
