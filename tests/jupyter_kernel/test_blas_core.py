"""OpenBLAS uses the kernels for this CPU however a process starts, also if it has taken the CPU for an
old one. A library that is loaded before OpenBLAS makes it do so: it interposes the function that
chooses, and gives the old name once, when OpenBLAS is loaded."""

import json
import os
import platform
import subprocess
from pathlib import Path

import pytest

BUILD = Path(__file__).parents[2] / "build"
WRONG = "ARMV8" if platform.machine() == "aarch64" else "Prescott"

TAKEN_FOR_AN_OLD_CPU = """
#include <dlfcn.h>
#include <stdlib.h>
void gotoblas_dynamic_init(void) {
    static int calls;
    void* blas = dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_NOLOAD);
    void (*choose)(void) = (void (*)(void))dlsym(blas, "gotoblas_dynamic_init");
    const int first = calls++ == 0;
    if (first) setenv("OPENBLAS_CORETYPE", WRONG, 1);
    choose();
    if (first) unsetenv("OPENBLAS_CORETYPE");
}
"""

PROGRAM = """
#include <stdio.h>
char* openblas_get_corename(void);
int main(void) { puts(openblas_get_corename()); }
"""


def compile_c(folder, name, text, *options):
    source = folder / f"{name}.c"
    source.write_text(text)
    subprocess.run(["clang-19", str(source), "-o", str(folder / name), "-ldl", *options],
                   check=True)
    return folder / name


@pytest.fixture(name="environment")
def environment_of_a_wrong_choice(tmp_path):
    library = compile_c(tmp_path, "wrong.so", TAKEN_FOR_AN_OLD_CPU, "-shared", "-fPIC",
                        f'-DWRONG="{WRONG}"')
    return {"LD_PRELOAD": str(library)}


def core_of(program, environment):
    without = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    return subprocess.run([str(program)], env={**without, **environment}, check=True,
                          capture_output=True, text=True).stdout.strip()


def openblas():
    libraries = json.loads((BUILD / "xcpp17.json").read_text())["libraries"]
    return next(path for path in libraries if "openblas" in path)


def test_a_program_has_the_core_of_this_cpu(tmp_path, environment):
    blas = [openblas(), f"-Wl,-rpath,{os.path.dirname(openblas())}"]
    lanes = ["-Wl,--no-as-needed", str(BUILD / "lib/liblanes.so"), f"-Wl,-rpath,{BUILD / 'lib'}"]
    alone = compile_c(tmp_path, "alone", PROGRAM, *blas)
    assert core_of(alone, environment).lower() == WRONG.lower(), "the simulated mistake is none"
    with_lanes = compile_c(tmp_path, "with_lanes", PROGRAM, *blas, *lanes)
    assert core_of(with_lanes, environment).lower() != WRONG.lower()
    assert core_of(with_lanes, {"OPENBLAS_CORETYPE": WRONG}).lower() == WRONG.lower()


def test_a_cell_has_the_core_of_this_cpu(make_kernel, environment):
    kernel = make_kernel(env=environment)
    core = kernel.value('extern "C" char* openblas_get_corename();\n'
                        'std::string(openblas_get_corename())')
    assert core.strip('"').lower() != WRONG.lower()
