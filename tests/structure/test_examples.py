"""Every public header opens with an example, and every example compiles.

The example is the part of a header's first comment that is indented by three spaces. It is
complete: its own #include lines, if it needs other modules, and statements that compile inside of a
function when the header's module is included."""

import re
import subprocess

import pytest
from test_headers import FLAGS
from tree import ROOT, tracked

HEADERS = [path for path in tracked(".hpp") if path.startswith("include/lanes/")]


def module_of(header):
    return header.split("/")[2].removesuffix(".hpp")


MODULES = sorted({module_of(path) for path in HEADERS})


def example(text):
    """(line, code) pairs of the first comment's blocks that start with three spaces.

    A block that starts with more is a formula or an output.
    """
    found, previous = [], ""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.startswith("//"):
            break
        starts = re.match(r"//   \S", line) and not previous.startswith("//   ")
        continues = line.startswith("//   ") and found and found[-1][0] == number - 1
        if starts or continues:
            found.append((number, line[5:]))
        previous = line
    return found


def program(module):
    """All examples of a module as functions of one translation unit, with the headers' lines."""
    includes, functions = [f'#include "lanes/{module}.hpp"'], []
    for index, path in enumerate(p for p in HEADERS if module_of(p) == module):
        body = []
        for number, line in example((ROOT / path).read_text(encoding="utf-8")):
            (includes if line.startswith("#include") else body).extend(
                [f'#line {number} "{path}"', line])
        functions += [f"[[maybe_unused]] static void example_{index}() {{", *body, "}"]
    return "\n".join([*includes, *functions, ""])


@pytest.mark.parametrize("header", HEADERS)
def test_a_public_header_opens_with_an_example(header):
    assert example((ROOT / header).read_text(encoding="utf-8"))


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_compile(module):
    flags = [flag for flag in FLAGS if flag not in ("-Wall", "-Wextra", "-Werror")]
    result = subprocess.run(["clang++-19", *flags, "-fsyntax-only", "-x", "c++", "-"],
                            input=program(module),
                            capture_output=True,
                            text=True)
    assert result.returncode == 0, result.stderr[:4000]


def test_the_schedule_of_bounds_stays_within_its_limits_in_every_epoch(tmp_path):
    """The example beside AugmentedNetwork::set_bounds, also beyond its fifteen epochs."""
    text = (ROOT / "include/lanes/mlp/augmented_network.hpp").read_text(encoding="utf-8")
    schedule = re.search(r"^ *//   network\.set_bounds\(.*?^ *//   }\);$", text, re.M | re.S)
    (tmp_path / "schedule.cpp").write_text(f"""
#include "lanes/mlp/augment.hpp"
#include <algorithm>
#include <cstdio>
struct {{
    template <class Schedule>
    void set_bounds(Schedule schedule) {{
        for (std::size_t epoch = 1; epoch <= 40; ++epoch)
            std::printf("%g\\n", schedule(epoch).degrees);
    }}
}} network;
int main() {{
{re.sub(r"^ *//", "", schedule[0], flags=re.M)}
}}
""")
    flags = [flag for flag in FLAGS if flag not in ("-Wall", "-Wextra", "-Werror")]
    subprocess.run(["clang++-19", *flags, "-o", tmp_path / "schedule", tmp_path / "schedule.cpp"],
                   check=True)
    output = subprocess.run([tmp_path / "schedule"], check=True, capture_output=True, text=True)
    degrees = [float(line) for line in output.stdout.split()]
    assert degrees[0] == 0 and max(degrees) == 15
    assert degrees[14:] == [0] * 26
