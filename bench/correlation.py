#!/usr/bin/env python3
"""How fast correlation_fast is, as ratios against OpenCV's filter2D: one thread against one, and
all against all, turn by turn in one run, so that what else runs on the machine disturbs both alike.
Filters are those of the assignment: 3x3 sharpen (OpenCV passes over its zeros, and so do we), 5x5
blur, 7x7 edge. Every result is compared with SciPy's first. Prints a table; the exit status says
only whether it could be measured and was right.

    make bench                                          everything
    BENCH=correlation tools/bench --quick               215x215 and 512x512
    LANES_BUILD=folder …                                another build than build/

A turn is a call that is not counted, then 41 (4096x4096: 5) of which the best counts; figures are
medians of 9 turns. "fresh": the result is new memory in each call. "limit", for one thread: the
ratio that a correlation would reach which takes no longer than a plain copy of the image and than
its arithmetic (without the filter's zeros) at the machine's best; the percentages say how near we
are to either."""

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
REST = 0.25  # seconds after a measurement with many threads: idle threads spin for up to 0.2 s


def filters():
    y, x = np.mgrid[-3:4, -3:4].astype(np.float32)
    squares = x * x + y * y
    squares[3, 3] = 1
    return {
        "sharpen": np.float32([[0, -1, 0], [-1, 5, -1], [0, -1, 0]]),
        "blur": np.full((5, 5), 1 / 25, np.float32),
        "edge": (x / squares).astype(np.float32)
    }


class Lanes:
    """bench/correlation.cpp, compiled and running; it measures on request."""
    def __init__(self, folder):
        if not (BUILD / "lib" / "liblanes.so").exists():
            sys.exit(
                f"{BUILD}/lib/liblanes.so is not there: run `make build` first, or set LANES_BUILD."
            )
        program = Path(folder) / "correlation"
        subprocess.run([
            "clang++-19", "-std=c++17", "-O2", "-march=native",
            "-fno-relaxed-template-template-args",
            "-Wno-deprecated-no-relaxed-template-template-args", "-I", CHECKOUT / "include",
            CHECKOUT / "bench" / "correlation.cpp", "-o", program, "-L", BUILD / "lib", "-llanes",
            f"-Wl,-rpath,{BUILD / 'lib'}"
        ],
                       check=True)
        self.process = subprocess.Popen([program, folder],
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"bench/correlation.cpp ended at {words}")
        return line.strip()

    def turn(self, what, *words):
        return 1e-9 * float(self.ask(what, *words))


def best(calls, work):
    work()
    seconds = []
    for _ in range(calls):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def compare(lanes, folder, name, kernel, size, image):
    """Against SciPy: |a - b| <= 1e-4 |b| + 1e-5 sum|k| max|image|."""
    try:
        from scipy.signal import convolve2d
    except ImportError:
        return False
    lanes.ask("write", name, size, "result")
    ours = np.fromfile(Path(folder) / "result", np.float32).reshape(size, size)
    right = convolve2d(image, kernel[::-1, ::-1], mode="same")
    if (np.abs(ours - right)
            > 1e-4 * np.abs(right) + 1e-5 * np.abs(kernel).sum() * np.abs(image).max()).any():
        sys.exit(f"{name} on {size}x{size} is not what SciPy gives")
    return True


def measure(cv2, lanes, name, kernel, size, image, threads, peak):
    calls = 5 if size > 2000 else 41
    out = np.empty_like(image)
    cores = os.cpu_count() if threads == 0 else threads
    cv2.setNumThreads(cores)
    seconds = {}
    for _ in range(TURNS):
        for memory in ("given", "fresh"):
            seconds.setdefault(("ours", memory),
                               []).append(lanes.turn("time", name, size, threads, calls, memory))
            time.sleep(REST if threads != 1 else 0)
            given = out if memory == "given" else None
            seconds.setdefault(("peer", memory), []).append(
                best(calls,
                     lambda given=given: cv2.filter2D(
                         image, -1, kernel, dst=given, borderType=cv2.BORDER_CONSTANT)))
            time.sleep(REST if threads != 1 else 0)
        if threads == 1:
            seconds.setdefault("copy", []).append(lanes.turn("copy", name, size, calls))
    t = {what: statistics.median(values) for what, values in seconds.items()}
    side, target = kernel.shape[0], 1.8 if kernel.shape[0] == 7 else 2
    ratio, fresh = t["peer", "given"] / t["ours", "given"], t["peer", "fresh"] / t["ours", "fresh"]
    limit = ""
    if threads == 1:
        arithmetic = 2e-9 * np.count_nonzero(kernel) * size * size / peak
        limit = (
            f"   limit: {t['peer', 'given'] / max(t['copy'], arithmetic):5.2f}"
            f" (copy {t['copy'] / t['ours', 'given']:3.0%}, arithmetic"
            f" {arithmetic / t['ours', 'given']:3.0%} of our time)")
    print(
        f"{size}x{size}, {side}x{side}, {'one thread' if threads == 1 else 'all threads':<11}"
        f" {1e3 * t['ours', 'given']:10.4f} ms {1e3 * t['peer', 'given']:10.4f} ms"
        f" {ratio:6.2f}  at least {target:<4g} {'pass' if ratio >= target else 'FAIL'}"
        f"   fresh: {fresh:5.2f}{limit}",
        flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="without 4096x4096")
    quick = parser.parse_known_args()[0].quick
    try:
        import cv2
    except ImportError:
        print("OpenCV is not installed (bench/peers.txt): nothing to measure against")
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, kernel in filters().items():
            kernel.tofile(Path(folder) / name)
        lanes = Lanes(folder)
        print(
            f"medians of {TURNS} turns; {os.cpu_count()} cores,"
            f" load {os.getloadavg()[0]:.1f}; OpenCV {cv2.__version__}"
        )
        print(f"{'':<32} {'lanes':>13} {'filter2D':>13} {'ratio':>6}")
        for size in (215, 512) if quick else (215, 512, 4096):
            image = np.random.default_rng(1).random((size, size), dtype=np.float32)
            image.tofile(Path(folder) / f"{size}.floats")
            for name, kernel in filters().items():
                if not compare(lanes, folder, name, kernel, size, image):
                    print("SciPy is not installed (bench/peers.txt): results are not compared")
                peak = float(lanes.ask("peak", name, size))
                for threads in (1, 0):
                    measure(cv2, lanes, name, kernel, size, image, threads, peak)
        lanes.process.stdin.close()
        if lanes.process.wait() != 0:
            sys.exit("bench/correlation.cpp failed")


if __name__ == "__main__":
    main()
