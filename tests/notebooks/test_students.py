"""Each student's notebook runs as it is handed out, with all answers empty. A cell may fail only
with words that name a missing answer: whoever cannot solve a task knows which one a later cell
waits for.

All of them take six minutes: a run takes a sixth (shares.py)."""

import os
import re
import shutil
import sys
from pathlib import Path

import nbclient
import pytest
from nbgrader import utils
from shares import shares

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tools"))
from lessons import form, outputs  # noqa: E402

NOTEBOOKS = [CHECKOUT / "notebooks" / path.name for path in form.solutions()]
STUB = re.compile(r'(?:throw lanes::NotFilledIn\(|#error )"(Fill in .*)"')
NAMES_AN_ANSWER = re.compile(r"Fill in \w|\w has not passed its check")


def run(notebook, folder):
    client = nbclient.NotebookClient(notebook,
                                     kernel_name="xcpp17",
                                     timeout=600,
                                     resources={"metadata": {
                                         "path": str(folder)
                                     }},
                                     allow_errors=True,
                                     record_timing=False)
    with client.setup_kernel(env={**os.environ, "CI": "1"}):
        for index, cell in enumerate(notebook.cells):
            if cell.cell_type == "code":
                client.execute_cell(cell, index)


@pytest.mark.parametrize("path", shares(NOTEBOOKS, parts=6), ids=lambda path: path.stem)
def test_only_missing_answers_fail(path, tmp_path):
    if path.stem.startswith("10") and not shutil.which("mpirun"):
        pytest.skip("its cells %%run mpirun need Open MPI")
    notebook = form.read(path)
    run(notebook, tmp_path)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell in code:
        for error in outputs.errors(cell):
            if "raises-exception" in outputs.tags(cell):
                continue
            words = error.evalue + "\n" + "\n".join(error.traceback)
            assert NAMES_AN_ANSWER.search(words), f"{cell.source}\n{words}"
    # The check of each answer says which one it waits for.
    waiting = []
    for cell in code:
        if utils.is_solution(cell):
            waiting += STUB.findall(cell.source)
        elif utils.is_grade(cell) and waiting:
            said = " ".join(error.evalue for error in outputs.errors(cell))
            assert NAMES_AN_ANSWER.search(said), cell.source
            waiting = []
