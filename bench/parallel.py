#!/usr/bin/env python3
"""Messages per second through the library's queues, as ratios against Python's
multiprocessing.SimpleQueue, measured in turns, so that other load on the machine affects both
alike. Prints a table; the exit status says only whether it could be measured and was right.

    make bench                                    everything
    .venv/bin/python bench/parallel.py --quick    fewer messages
    LANES_BUILD=folder …                          another build than build/
"""

import argparse
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
BUILD = Path(os.environ.get("LANES_BUILD", CHECKOUT / "build"))
TURNS = 5


def compiled(folder):
    if not (BUILD / "lib" / "liblanes.so").exists():
        sys.exit(
            f"{BUILD}/lib/liblanes.so is not there: run `make build` first, or set LANES_BUILD.")
    program = Path(folder) / "parallel"
    subprocess.run([
        "clang++-19", "-std=c++17", "-O3", "-march=native", "-I", CHECKOUT / "include",
        CHECKOUT / "bench" / "parallel.cpp", "-o", program, "-L", BUILD / "lib", "-llanes",
        f"-Wl,-rpath,{BUILD / 'lib'}"
    ],
                   check=True)
    return program


def ours(program, what, writers, messages):
    return float(
        subprocess.run([program, what, str(writers), str(messages)],
                       check=True,
                       capture_output=True,
                       text=True).stdout)


def write(queue, count):
    for i in range(count):
        queue.put(i)


def simple_queue(writers, messages):
    queue = multiprocessing.SimpleQueue()
    each = messages // writers
    workers = [multiprocessing.Process(target=write, args=(queue, each)) for _ in range(writers)]
    begin = time.perf_counter()
    for worker in workers:
        worker.start()
    for _ in range(each * writers):
        queue.get()
    seconds = time.perf_counter() - begin
    for worker in workers:
        worker.join()
    return each * writers / seconds


def row(what, own, peer, target):
    ratio = own / peer
    print(
        f"{what:<62} {own:12,.0f} /s {peer:12,.0f} /s {ratio:8.2f}"
        f"  at least {target:<4g} {'pass' if ratio >= target else 'FAIL'}",
        flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="fewer messages")
    size = 0.2 if parser.parse_known_args()[0].quick else 1
    multiprocessing.set_start_method("fork")
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        print(f"medians of {TURNS} turns; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        print(f"{'':<62} {'ours':>15} {'peer':>15} {'ratio':>8}")
        for writers, target in ((1, 8), (8, 6)):
            own, peer = [], []
            for _ in range(TURNS):
                own.append(ours(program, "pipe", writers, int(2e6 * size)))
                peer.append(simple_queue(writers, int(2e5 * size)))
            row(f"PipeQueue<int>, {writers} writer(s), against multiprocessing.SimpleQueue",
                statistics.median(own), statistics.median(peer), target)
        ring, pipe = [], []
        for _ in range(TURNS):
            ring.append(ours(program, "ring_50k", 1, int(1e5 * size)))
            pipe.append(ours(program, "pipe_50k", 1, int(2e4 * size)))
        row("SharedRing, batches of 50 kB, against PipeQueue", statistics.median(ring),
            statistics.median(pipe), 5)
        latency = [ours(program, "latency", 1, int(2e4 * size)) for _ in range(TURNS)]
        print(f"PipeQueue, there and back: {statistics.median(latency):.1f} microseconds")


if __name__ == "__main__":
    main()
