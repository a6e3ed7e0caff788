"""Each header that a cell may include compiles alone, and all of them in two translation units
link. Compiling all of them alone takes four minutes: a run takes a third (shares.py)."""

import subprocess

import pytest
from shares import shares
from tree import BUILD, ROOT, tracked

FLAGS = [
    "-std=c++17", "-fPIC", "-fopenmp", "-Wall", "-Wextra", "-Werror",
    "-fno-relaxed-template-template-args", "-Wno-deprecated-no-relaxed-template-template-args",
    f"-I{ROOT}/include", f"-I{BUILD}/include", f"-I{ROOT}/jupyter_kernel/include"
]
LANES = [path for path in tracked(".hpp") if path.startswith("include/lanes/")]
EXERCISES = [path for path in tracked("/exercise.hpp") if path.startswith("exercises/")]
HEADERS = LANES + EXERCISES + [
    path for path in tracked(".hpp", ".h") if path.startswith("jupyter_kernel/include/")
]


def clang(*arguments, text=""):
    result = subprocess.run(["clang++-19", *FLAGS, *map(str, arguments)],
                            input=text,
                            capture_output=True,
                            text=True)
    assert result.returncode == 0, result.stderr[:4000]


@pytest.mark.parametrize("header", shares(HEADERS))
def test_a_header_compiles_alone(header):
    clang("-fsyntax-only", "-x", "c++", "-", text=f'#include "{ROOT}/{header}"\n')


def test_all_headers_in_two_translation_units_link(tmp_path):
    names = [path.removeprefix("include/") for path in LANES] + ["lanes/exercises.hpp"]
    includes = "".join(f'#include "{name}"\n' for name in names)
    clang("-c",
          "-x",
          "c++",
          "-",
          "-o",
          tmp_path / "one.o",
          text=includes + "int one() { return 1; }\n")
    clang("-c",
          "-x",
          "c++",
          "-",
          "-o",
          tmp_path / "two.o",
          text=includes + "int one();\nint main() { return one() - 1; }\n")
    clang(tmp_path / "one.o", tmp_path / "two.o", "-o", tmp_path / "both", f"-L{BUILD}/lib",
          *["-llanes_mpi"] * (BUILD / "lib/liblanes_mpi.so").exists(), "-llanes_exercises", "-llanes",
          f"-Wl,-rpath,{BUILD}/lib")
    assert subprocess.run([tmp_path / "both"]).returncode == 0
