#!/usr/bin/env python3
"""Writes random CUDA programs that are right by construction, for cuda_test.cpp: see README.md.

    python3 cuda_programs.py                       the stored programs: cuda.json beside this file
    python3 cuda_programs.py --values /tmp/values  stores what a GPU has computed with them
    python3 cuda_programs.py --seed 7 --count 2000 --out /tmp/cuda.json
"""

import argparse
import json
import random
import sys
from pathlib import Path

from cuda_kernels import HEADER, Kernel

STORED = 60  # CUDA kernels, short ones


def programs(seed, count, per_program, most_characters):
    """One program has many CUDA kernels: they are compiled together."""
    found, attempt = [], 0
    for first in range(0, count, per_program):
        # Every fourth program is compiled with contraction, as CUDA does by default.
        exact = first // per_program % 4 != 3
        kernels = []
        while len(kernels) < min(per_program, count - first):
            rng = random.Random(f"cuda {seed} {attempt}")
            attempt += 1
            kernel = Kernel(rng, f"k{first + len(kernels)}", exact).entry()
            if len(kernel["text"]) <= most_characters:
                kernels.append(kernel)
        flags = ["-fmad=false"] if exact else []
        found.append({"flags": flags, "header": HEADER, "kernels": kernels})
    return {"programs": found}


def with_values(made, folder):
    for number, program in enumerate(made["programs"]):
        found = json.loads((folder / f"{number}.json").read_text())
        made["gpu"] = found["device"]
        for kernel, values in zip(program["kernels"], found["values"]):
            if not values:
                sys.exit(f"program {number} of {folder} has no values: some CUDA kernel failed there")
            kernel["expected"] = values
    return made


def write(path, made):
    texts = []
    for program in made["programs"]:
        head = json.dumps({"flags": program["flags"], "header": program["header"]})[:-1]
        kernels = ",\n".join(json.dumps(k, separators=(",", ":")) for k in program["kernels"])
        texts.append(f'{head}, "kernels": [\n{kernels}\n]}}')
    joined = ",\n".join(texts)
    path.write_text(f'{{"gpu": {json.dumps(made.get("gpu", ""))}, "programs": [\n{joined}\n]}}\n')


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--count", type=int, help="how many CUDA kernels, instead of the stored ones")
    parser.add_argument("--in", dest="source", type=Path, help="programs that get --values, instead of cuda.json")
    parser.add_argument("--values", type=Path, help="the folder that cuda_test.cpp wrote")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("cuda.json"))
    options = parser.parse_args()
    if options.values and not options.source:
        options.source = Path(__file__).with_name("cuda.json")
    if options.source:
        made = json.loads(options.source.read_text())
    elif options.count:
        made = programs(options.seed, options.count, 50, 1000000)
    else:
        made = programs(options.seed, STORED, 15, 2000)
    write(options.out, with_values(made, options.values) if options.values else made)
