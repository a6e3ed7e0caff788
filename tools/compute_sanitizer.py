#!/usr/bin/env python3
"""Compares the simulator with NVIDIA's compute-sanitizer, on a machine with a GPU, nvcc and
compute-sanitizer. Each wrong CUDA kernel of the gallery (tests/unit/gpu/simulator/check/gallery)
becomes a program of its own, with the gallery's launch; every tool of compute-sanitizer runs it, and
its repaired version.

    tools/compute_sanitizer.py --out table.md     a table: what the simulator finds (the gallery's test
                                                  proves it), and what each tool says
    tools/compute_sanitizer.py --compile-only --arch sm_90     without a GPU
    tools/compute_sanitizer.py no_guard stale_tile             only these
    tools/compute_sanitizer.py --results said.json             every result is kept in the file at once: the
                                                               same command continues where it was stopped
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

GALLERY = Path(__file__).resolve().parent.parent / "tests/unit/gpu/simulator/check/gallery"
TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
ALONE = "the GPU alone"

INCLUDES = "#include <cassert>\n#include <cstdio>\n#include <numeric>\n#include <vector>\n"
HOST = """
template <class T>
T* buffer(std::size_t count, const char* how) {
    T* device = nullptr;
    cudaMalloc(&device, count * sizeof(T));
    std::vector<T> values(count);
    if (*how == 'v') std::iota(values.begin(), values.end(), T(0));
    if (*how != 'e') cudaMemcpy(device, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}
"""


def program(path, repaired):
    """The text of a program with a main function. gallery_test.cpp describes the directives."""
    text = path.read_text()
    said = dict(re.findall(r"^// (launch|repaired launch|constant|entry): (.*)$", text, re.M))
    launch = said.get("repaired launch", said["launch"]) if repaired else said["launch"]
    kernel, parameters = re.search(r"__global__ void (\w+)\(([^)]*)\)", text).groups()
    kernel = said.get("entry", kernel)
    words, sizes, arguments = iter(launch.split()), {"grid": "1", "block": "1", "shared": "0"}, []
    cooperative = 0
    for word in words:
        if word in sizes:
            sizes[word] = next(words).replace("x", ", ")
        elif word == "cooperative":
            cooperative = 1
        elif word == "host_struct":
            arguments.append(f"{parameters.split()[0]}{{host.data(), 32}}")
        elif found := re.fullmatch(r"(\w+)\[(\d+)\](?:=(\w+))?", word):
            kind, count, how = found.groups("values")
            arguments.append(f'buffer<{kind}>({count}, "{how}")')
        else:
            arguments.append(word)
    main = ["int main() {", "    const std::vector<float> host(1000);"]
    if "constant" in said:
        name, count = re.fullmatch(r"(\w+) float\[(\d+)\]", said["constant"]).groups()
        main.append(f"    std::vector<float> values({count});")
        main.append("    std::iota(values.begin(), values.end(), 0.0f);")
        main.append(f"    cudaMemcpyToSymbol({name}, values.data(), {count} * sizeof(float));")
    shape = f"dim3({sizes['grid']}), dim3({sizes['block']}), {sizes['shared']}"
    if cooperative:
        main.append("    cudaLaunchAttribute together{};\n    together.id = cudaLaunchAttributeCooperative;")
        main.append("    together.val.cooperative = 1;")
        main.append(f"    cudaLaunchConfig_t config{{{shape}, nullptr, &together, 1}};")
        main.append(f"    cudaLaunchKernelEx(&config, {', '.join([kernel, *arguments])});")
    else:
        main.append(f"    {kernel}<<<{shape}>>>({', '.join(arguments)});")
    main.append("    const cudaError_t launched = cudaGetLastError(), ended = cudaDeviceSynchronize();")
    main.append("    const cudaError_t error = launched ? launched : ended;")
    main.append('    if (error) std::printf("%s\\n", cudaGetErrorString(error));\n    return error != 0;\n}')
    # HOST comes first, because a CUDA kernel's text may define macros, such as T.
    return "\n".join([INCLUDES + HOST + f'#line 1 "{path.name}"', text, *main, ""])


def run(command, seconds):
    """Output and status; the status is None after `seconds`. The tool's own children end with it."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, **streams, text=True, errors="replace", start_new_session=True) as process:
        try:
            return process.communicate(timeout=seconds)[0], process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return process.communicate()[0], None


def compile_one(path, repaired, folder, arch):
    name = path.stem + ("_repaired" if repaired else "")
    source = folder / f"{name}.cu"
    source.write_text(program(path, repaired))
    flags = [f"-arch={arch}", "-lineinfo", "-w"] + ["-DREPAIRED"] * repaired
    output, status = run(["nvcc", *flags, source, "-o", folder / name], 300)
    return name, output if status else ""


def said_by(tool, executable, seconds):
    """What a tool reports first; '' if nothing, and (...) if it did not come to its end."""
    command = [] if tool == ALONE else ["compute-sanitizer", "--tool", tool]
    output, status = run([*command, executable], seconds)
    if status is None:
        return f"(does not end in {seconds} s)"
    if tool == ALONE:
        return output.strip().split("\n")[-1][:60] if status else ""
    lines = [line[10:] for line in output.splitlines() if line.startswith("========= ")]
    # Details are indented, and the summary comes last.
    reports = [line for line in lines if line.strip() and line[0] != " " and not line.startswith("COMPUTE-")]
    if not reports:
        return f"(no report, status {status})"
    if re.match(r"(ERROR|RACECHECK) SUMMARY: 0 ", reports[0]):
        return ""
    return re.sub(r" of size \d+ bytes.*| due to .*| \(error \d+\)| between .*", "", reports[0]).strip()[:60]


def expectation(path):
    return re.search(r"^// expect: (\w+)", path.read_text(), re.M)[1].replace("_", " ")


class Results:
    """What each tool said about each program, kept in a file as it comes."""

    def __init__(self, path):
        self.path = path
        self.said = dict(map(json.loads, path.read_text().splitlines())) if path and path.exists() else {}
        self.lock = threading.Lock()

    def get(self, name, tool, ask):
        key = f"{name} {tool}"
        if key not in self.said:
            text = ask()
            with self.lock:
                self.said[key] = text
                if self.path:
                    with self.path.open("a") as file:
                        file.write(json.dumps([key, text]) + "\n")
        return self.said[key]


def is_report(text):
    return text != "" and text[0] != "("


def table(paths, reports):
    columns = [*TOOLS, ALONE]
    lines = ["| CUDA kernel | simulator | " + " | ".join(columns) + " |", "|---" * (len(columns) + 2) + "|"]
    for path in paths:
        cells = [reports[path.stem, tool] for tool in columns]
        lines.append(f"| {path.stem} | {expectation(path)} | " + " | ".join(cells) + " |")
    missed = [p.stem for p in paths if not any(is_report(reports[p.stem, tool]) for tool in TOOLS)]
    alone = sum(is_report(reports[p.stem, ALONE]) for p in paths)
    found = len(paths) - len(missed)
    lines.append(f"\nOf {len(paths)} wrong CUDA kernels, the simulator reports all, compute-sanitizer {found}.")
    lines.append(f"Reported by the simulator only: {', '.join(missed) or 'none'}.")
    lines.append(f"The GPU alone reports {alone} of them.")
    for path in paths:
        for tool in [*TOOLS, ALONE]:
            if text := reports[path.stem + "_repaired", tool]:
                lines.append(f"Repaired, but not silent: {path.stem}, {tool}: {text}")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--arch", default="native")
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--seconds", type=int, default=20, help="until an endless loop is stopped")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=Path)
    parser.add_argument("--results", type=Path, help="a file that keeps what was said")
    options = parser.parse_args()
    for needed in ["nvcc"] + ["compute-sanitizer"] * (not options.compile_only):
        if not shutil.which(needed):
            sys.exit(f"compute_sanitizer.py: {needed} was not found. Add CUDA's bin folder to PATH.")
    paths = sorted(p for p in GALLERY.glob("*.cu") if not options.names or p.stem in options.names)
    unknown = set(options.names) - {p.stem for p in paths}
    if unknown:
        sys.exit(f"compute_sanitizer.py: not in the gallery: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = Path(place)
        both = [(p, repaired) for p in paths for repaired in (False, True)]
        compiled = list(pool.map(lambda one: compile_one(*one, folder, options.arch), both))
        failed = {name: log for name, log in compiled if log}
        for name, log in failed.items():
            print(f"{name} does not compile, left out:\n{log}", file=sys.stderr)
        print(f"{len(compiled) - len(failed)} programs compiled", file=sys.stderr)
        if options.compile_only:
            sys.exit(bool(failed))
        paths = [p for p in paths if not {p.stem, p.stem + "_repaired"} & set(failed)]
        # Endless loops last: they take the GPU's time from the others.
        endless = {p.stem for p in paths if expectation(p) == "no progress"}
        names = [p.stem for p in paths] + [p.stem + "_repaired" for p in paths]
        names.sort(key=lambda name: name in endless)
        runs = [(name, tool) for name in names for tool in [*TOOLS, ALONE]]
        results = Results(options.results)

        def ask(one):
            name, tool = one
            return results.get(name, tool, lambda: said_by(tool, folder / name, options.seconds))

        said = pool.map(ask, runs)
        text = table(paths, dict(zip(runs, said)))
    print(text)
    if options.out:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
