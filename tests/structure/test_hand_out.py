"""`make hand-out`: what students get holds the course, and nothing that gives answers away."""

import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def hand_out(folder):
    return subprocess.run([CHECKOUT / "tools/hand-out", folder], capture_output=True, text=True)


def test_there_are_no_solutions_no_answers_no_tests_and_no_history(tmp_path):
    done = hand_out(tmp_path / "lanes")
    assert done.returncode == 0, done.stderr
    given = {str(path.relative_to(tmp_path / "lanes")) for path in (tmp_path / "lanes").rglob("*")}
    for wanted in ("Makefile", "notebooks/02_elementwise_max.ipynb", "exercises/max_plain/check.cpp",
                   "tools/lab", "tools/hand-in", "src/ops/max.cpp"):
        assert wanted in given
    assert not [path for path in given if path.startswith(("notebooks/solutions", "tests", ".git/"))
                or path.endswith("answers.txt")]
    kernels = "".join(path.read_text() for path in (tmp_path / "lanes/kernels_src").glob("*.cu"))
    for name in ("max_v1", "matmul_transpose_v1", "matmul_transpose_v2", "correlation_v1",
                 "correlation_v2"):
        assert f"void {name}(" not in kernels
    for name in ("max_v2", "matmul_transpose_v3", "correlation_v3"):
        assert f"void {name}(" in kernels
    assert "ANSWER" not in kernels
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
