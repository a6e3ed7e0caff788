"""gpu_program.ipynb as a program prints what the notebook shows."""

import json
import os
import subprocess
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
NOTEBOOK = CHECKOUT / "tests/notebooks/gpu_program.ipynb"


def shown():
    """What the stored outputs of the notebook say, as text."""
    lines = ""
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        for output in cell.get("outputs", []):
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            lines += "".join(text).rstrip("\n") + "\n"
    return lines


def test_the_program_prints_what_the_notebook_shows():
    made = subprocess.run([CHECKOUT / "tools/program", NOTEBOOK], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    ran = subprocess.run([made.stdout.split("\n")[-2]],
                         capture_output=True,
                         text=True,
                         env={
                             **os.environ, "LANES_DEVICE": "simulator"
                         })
    assert (ran.returncode, ran.stdout) == (0, shown()), ran.stderr
