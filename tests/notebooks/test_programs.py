"""A lesson runs without Jupyter, as on a cluster: `make program` compiles it with its own #includes
alone, and the program passes the same checks.

All of them take four minutes: a run takes a third (thirds.py)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from thirds import thirds

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


@pytest.mark.parametrize("path", thirds(LESSONS), ids=lambda path: path.stem)
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
