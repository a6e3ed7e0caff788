#!/usr/bin/env python3
"""How fast DataLoader is: batches of 64 images of Fashion-MNIST, and five epochs of training
784-128-10 on them on the CPU.

Prints ratios against PyTorch's DataLoader(TensorDataset), measured in turns in one run. The exit
status says only whether everything could be measured and whether the network learns.

    make bench                                        everything, about a minute
    .venv/bin/python bench/data_loader.py --cores 2   on two cores
    LANES_BUILD=folder …                              another build than build/
    LANES_BENCH=program …                             a compiled bench/data_loader.cpp (see
                                                      tools/try-gpu)
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
BUILD = Path(os.environ.get("LANES_BUILD", CHECKOUT / "build"))
WORKERS = (0, 2)

TORCH = """
    import gzip, os, sys, time
    import numpy as np
    import torch
    from torch.utils.data import DataLoader, TensorDataset
    folder, what, number, epochs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    def values(name, offset):
        return np.frombuffer(gzip.open(f"{folder}/{name}.gz").read(), np.uint8, offset=offset)
    def tensors(name, count):
        x = values(f"{name}-images-idx3-ubyte", 16).reshape(-1, 784)[:count]
        y = values(f"{name}-labels-idx1-ubyte", 8)[:count]
        return torch.from_numpy(x.astype(np.float32) / 255), torch.from_numpy(y.astype(np.int64))
    dataset = TensorDataset(*tensors("train", 10000))
    workers = number if what == "load" else 0
    loader = DataLoader(dataset, batch_size=64, shuffle=True, num_workers=workers,
                        persistent_workers=workers > 0)
    if what == "load":
        best = 1e9
        for epoch in range(epochs):
            begin = time.perf_counter()
            for x, y in loader:
                pass
            best = min(best, time.perf_counter() - begin)
        print(1e6 * best / len(loader))
    else:
        torch.manual_seed(number)
        model = torch.nn.Sequential(torch.nn.Linear(784, 128), torch.nn.ReLU(),
                                    torch.nn.Linear(128, 10))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        begin = time.perf_counter()
        for epoch in range(epochs):
            for x, y in loader:
                optimizer.zero_grad()
                torch.nn.functional.cross_entropy(model(x), y).backward()
                optimizer.step()
        seconds = time.perf_counter() - begin
        x, y = tensors("t10k", 2000)
        print(seconds, 100 * (model(x).argmax(1) == y).float().mean().item())
"""


def numbers(*command):
    """What a program prints."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return [float(word) for word in done.stdout.split()]


def torch(*arguments):
    return numbers(sys.executable, "-c", textwrap.dedent(TORCH), CHECKOUT / "data/fashion-mnist",
                   *arguments)


def compiled(folder):
    if "LANES_BENCH" in os.environ:
        return os.environ["LANES_BENCH"]
    if not (BUILD / "lib" / "liblanes.so").exists():
        sys.exit(
            f"{BUILD}/lib/liblanes.so is not there: run `make build` first, or set LANES_BUILD.")
    program = Path(folder) / "data_loader"
    subprocess.run([
        "clang++-19", "-std=c++17", "-O3", "-march=native", "-fno-relaxed-template-template-args",
        "-Wno-deprecated-no-relaxed-template-template-args", "-I", CHECKOUT / "include",
        CHECKOUT / "bench" / "data_loader.cpp", "-o", program, "-L", BUILD / "lib", "-llanes",
        f"-Wl,-rpath,{BUILD / 'lib'}"
    ],
                   check=True)
    return program


def row(name, unit, own, peer, target=None):
    line = f"{name:<62} {own:9.3f} {unit}"
    if peer:
        line += f" {peer:9.3f} {unit} {peer / own:8.2f}"
    if peer and target:
        line += f"  at least {target:<4g} {'pass' if peer / own >= target else 'FAIL'}"
    print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="one turn")
    parser.add_argument("--rounds", type=int, default=3, help="turns; medians are shown")
    parser.add_argument("--cores", type=int, help="use only so many")
    options = parser.parse_known_args()[0]
    rounds = 1 if options.quick else max(1, options.rounds)
    if options.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:options.cores])
    has_torch = subprocess.run([sys.executable, "-c", "import torch"],
                               capture_output=True).returncode == 0
    own, peer, accuracies = {}, {}, []
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        for seed in range(1, rounds + 1):
            for workers in WORKERS:
                own.setdefault(workers, []).extend(numbers(program, "load", workers, 5))
                if has_torch:
                    peer.setdefault(workers, []).extend(torch("load", workers, 3))
            seconds, accuracy = numbers(program, "train", 5, seed)
            own.setdefault("train", []).append(seconds)
            accuracies.append(accuracy)
            if has_torch:
                peer.setdefault("train", []).append(torch("train", seed, 5)[0])
    own = {name: statistics.median(figures) for name, figures in own.items()}
    peer = {name: statistics.median(figures) for name, figures in peer.items()}
    print(
        f"batches of 64 images, median of {rounds} turns;"
        f" {len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}"
    )
    if not has_torch:
        print("PyTorch is not installed: its figures are left out (pip install torch)")
    print(f"{'':<62} {'ours':>12} {'peer':>12} {'ratio':>8}")
    for workers in WORKERS:
        row(f"one batch from memory, {workers} workers, against PyTorch's DataLoader", "µs",
            own[workers], peer.get(workers))
    row("5 epochs of 784-128-10 on 10,000 images, against PyTorch", "s ", own["train"],
        peer.get("train"), 2)
    mean = statistics.mean(accuracies)
    print(f"test accuracy: {mean:.2f} %, mean of {len(accuracies)} seeds")
    sys.exit(0 if mean > 70 else 1)


if __name__ == "__main__":
    main()
