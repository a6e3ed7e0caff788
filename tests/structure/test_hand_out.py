"""`make hand-out`: what students get holds the course, and nothing that gives answers away."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat

CHECKOUT = Path(__file__).resolve().parents[2]
# Rungs that no lesson asks for; functions of the library that lessons call need them.
KERNELS = {
    "correlation.cu": ["correlation_v3", "correlation_v3_sized"],
    "matmul_transpose.cu": ["matmul_transpose_sum", "matmul_transpose_v3", "matmul_transpose_v4",
                            "matmul_transpose_v4_tile"],
    "max.cu": [],
}
SOLUTION = re.compile(r"// BEGIN SOLUTION[^\n]*\n(.*?)// END SOLUTION", re.DOTALL)


def hand_out(folder):
    return subprocess.run([CHECKOUT / "tools/hand-out", folder], capture_output=True, text=True)


def statements(text):
    """Without comments and spaces, one per line."""
    code = (re.sub(r"\s+", "", part) for part in re.split(r"[;{}]", re.sub(r"//[^\n]*", "", text)))
    return [part for part in code if part]


def cuda_solutions():
    for path in sorted((CHECKOUT / "notebooks/solutions").glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.source.startswith("%%cuda"):
                for text in SOLUTION.findall(cell.source):
                    yield f"{path.stem}, {cell.id}", statements(text)


def given_away(folder):
    """Files with more than three fifths of a CUDA solution in one piece. (Of the CUDA kernels with a
    fault, three fifths are given.)"""
    given = {}
    for path in folder.rglob("*"):
        if path.suffix == ".ipynb":
            cells = nbformat.read(path, as_version=4).cells
            given[path] = "\n".join(cell.source for cell in cells)
        elif path.suffix in (".cu", ".cpp", ".hpp", ".md", ".txt"):
            given[path] = path.read_text(encoding="utf-8")
    found = []
    pieces = []
    for where, answer in cuda_solutions():
        size = len(answer) * 3 // 5 + 1
        if size >= 3:
            pieces += [(where, "\n" + "\n".join(answer[first:first + size]) + "\n")
                       for first in range(len(answer) - size + 1)]
    assert len(pieces) > 50
    for path, text in given.items():
        lines = "\n" + "\n".join(statements(text)) + "\n"
        found += [f"{path.relative_to(folder)}: {where}" for where, piece in pieces if piece in lines]
    return found


def test_a_solution_in_another_file_is_found(tmp_path):
    where, answer = max(cuda_solutions(), key=lambda pair: len(pair[1]))
    (tmp_path / "notes.md").write_text("```\n" + " ;\n".join(answer[2:]) + ";\n```\n")
    assert any(where in one for one in given_away(tmp_path))


def test_there_are_no_solutions_no_answers_no_tests_and_no_history(tmp_path):
    done = hand_out(tmp_path / "lanes")
    assert done.returncode == 0, done.stderr
    given = {str(path.relative_to(tmp_path / "lanes")) for path in (tmp_path / "lanes").rglob("*")}
    for wanted in ("Makefile", "notebooks/02_elementwise_max.ipynb", "exercises/max_plain/check.cpp",
                   "tools/lab", "tools/hand-in", "src/ops/max.cpp"):
        assert wanted in given
    assert not [path for path in given if path.startswith(("notebooks/solutions", "tests", ".git/"))
                or path.endswith("answers.txt")]
    for path in (tmp_path / "lanes/kernels_src").glob("*.cu"):
        text = path.read_text()
        assert "ANSWER" not in text
        if not path.name.startswith("tensor_"):
            found = re.findall(r"__global__ void (?:__launch_bounds__\([^)]*\)\s+)?(\w+)\(", text)
            assert sorted(found) == KERNELS[path.name]
    assert not given_away(tmp_path / "lanes")
    # It may be made again, and a student can fill and pack it.
    assert hand_out(tmp_path / "lanes").returncode == 0
    packed = subprocess.run(
        [sys.executable, "-m", "lessons.hand_in", "hw3", "--from", tmp_path / "nothing"],
        cwd=tmp_path / "lanes", capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": "tools"})
    assert packed.returncode == 1 and "hw3: nothing to pack" in packed.stdout, packed.stderr


def test_a_folder_of_somebody_elses_is_left_alone(tmp_path):
    (tmp_path / "precious").write_text("x")
    done = hand_out(tmp_path)
    assert done.returncode == 1 and "was not made by this command" in done.stderr
    assert (tmp_path / "precious").exists()
