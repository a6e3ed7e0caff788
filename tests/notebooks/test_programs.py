"""A lesson runs without Jupyter, as on a cluster: `make program` compiles it with its own #includes
alone, and the program passes the same checks.

All of them take six minutes: a run compiles a sixth (shares.py), and makes the source of all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from shares import shares

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tools"))
from lessons import form  # noqa: E402

# 00_start defines names twice on purpose, which one program cannot do
LESSONS = [path for path in form.solutions() if path.stem != "00_start"]


def passed_lines(path):
    return [
        line for cell in form.read(path).cells if cell.cell_type == "code"
        for output in cell.outputs if output.output_type == "stream"
        for line in output.text.split("\n") if ": passed" in line
    ]


def test_each_lesson_has_a_source(tmp_path):
    build = CHECKOUT / "build"
    for path in LESSONS:
        made = subprocess.run([build / "bin/xcpp17", "--program", path, "-o", tmp_path / "lesson.cpp",
                               "--config", build / "xcpp17.json"], capture_output=True, text=True)
        assert made.returncode == 0, made.stderr


@pytest.mark.parametrize("path", shares(LESSONS, parts=6), ids=lambda path: path.stem)
def test_the_program_passes_the_checks(path, tmp_path):
    made = subprocess.run([CHECKOUT / "tools/program", path], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    ran = subprocess.run([made.stdout.split("\n")[-2]],
                         capture_output=True,
                         text=True,
                         cwd=tmp_path,
                         env={
                             **os.environ, "CI": "1"
                         })
    assert ran.returncode == 0, ran.stderr
    assert [line for line in ran.stdout.split("\n") if ": passed" in line] == passed_lines(path)
