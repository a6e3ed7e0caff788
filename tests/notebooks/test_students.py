"""Each student's notebook runs as it is handed out, with all answers empty. A cell may fail only
with words that name a missing answer: whoever cannot solve a task knows which one a later cell
waits for. The same holds if one answer is empty and all others are there.

All lessons take six minutes: a run takes a sixth (shares.py). With one answer empty they would take
hours: `LANES_ONE_EMPTY=all pytest tests/notebooks/test_students.py -k 08_gpu` takes those of a lesson,
and nothing else does."""

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


def require_only_missing_answers(notebook):
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


def skip_without_mpi(path):
    if path.stem.startswith("10") and not shutil.which("mpirun"):
        pytest.skip("its cells %%run mpirun need Open MPI")


@pytest.mark.parametrize("path", shares(NOTEBOOKS, parts=6), ids=lambda path: path.stem)
def test_only_missing_answers_fail(path, tmp_path):
    skip_without_mpi(path)
    notebook = form.read(path)
    run(notebook, tmp_path)
    require_only_missing_answers(notebook)


def answers():
    """(notebook, id of an answer's cell) of all lessons, if they are asked for."""
    if os.environ.get("LANES_ONE_EMPTY") != "all":
        return []
    return [(path, cell.id) for path in form.solutions() for cell in form.read(path).cells
            if cell.cell_type == "code" and utils.is_solution(cell)]


@pytest.mark.parametrize("path, empty", [pytest.param(path, empty, id=f"{path.stem}-{empty}")
                                         for path, empty in answers()])
def test_only_what_needs_the_one_missing_answer_fails(path, empty, tmp_path):
    skip_without_mpi(path)
    notebook = form.read(path)
    handed_out = form.read(CHECKOUT / "notebooks" / path.name)
    stub = next(cell.source for cell in handed_out.cells if cell.id == empty)
    next(cell for cell in notebook.cells if cell.id == empty).source = stub
    run(notebook, tmp_path)
    require_only_missing_answers(notebook)
