#!/usr/bin/env python3
"""Writes random programs with what PyTorch computes for them; the C++ tests of this folder run the
same programs with the library. It needs PyTorch, torchvision, NumPy, Pillow and safetensors.

    python3 random_programs.py                     the stored programs: KIND.json beside this file
    python3 random_programs.py tensors --seed 7 --count 5000 --out /tmp/tensors.json
    LANES_RANDOM_PROGRAMS=/tmp/tensors.json random_test --gtest_filter='*Tensors*'

The library's files are read by PyTorch, NumPy and safetensors, too:

    LANES_RANDOM_FILES=/tmp/files random_test --gtest_filter='*States*'
    python3 random_programs.py states --check /tmp/files
"""

import argparse
import importlib
import json
import random
import warnings
from pathlib import Path

import torch

import programs as common

# kind: how many are kept
STORED = {"tensors": 80, "networks": 60, "transforms": 40, "loaders": 25, "states": 8}


def programs(kind, seed, count):
    module = importlib.import_module(kind)
    found, left_out = [], 0
    while len(found) < count:
        rng = random.Random(f"{kind} {seed} {len(found) + left_out}")
        program = module.program(rng)
        if program is None:
            left_out += 1
        else:
            found.append(program)
    print(f"{kind}: {count} programs; {left_out} left out, as rounding errors decide about them")
    return found


def write(path, found):
    lines = ",\n".join(json.dumps(program, separators=(",", ":")) for program in found)
    path.write_text(f'{{"torch": "{torch.__version__}", "programs": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", nargs="?", choices=list(STORED))
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--count", type=int)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--check", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # about schedules that step first
    if options.out:
        common.MOST_VALUES = 10000
    for kind in [options.kind] if options.kind else STORED:
        found = programs(kind, options.seed, options.count or STORED[kind])
        if options.check:
            importlib.import_module(kind).check(options.check, found)
        else:
            write(options.out or Path(__file__).with_name(f"{kind}.json"), found)
