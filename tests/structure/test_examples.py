"""Every public header opens with an example, and every example compiles.

The example is the part of a header's first comment that is indented by three spaces. It is
complete: its own #include lines, if it needs other modules, and statements that compile inside of a
function when the header's module is included."""

import re
import subprocess

import pytest
from test_headers import FLAGS
from tree import ROOT, tracked

HEADERS = [path for path in tracked(".hpp") if re.match(r"include/lanes/\w+/", path)]
MODULES = sorted({path.split("/")[2] for path in HEADERS})


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
    for index, path in enumerate(p for p in HEADERS if p.split("/")[2] == module):
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
