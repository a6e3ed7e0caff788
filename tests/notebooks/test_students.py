"""Each student's notebook runs as it is handed out, up to the check of its first answer, and fails
there with the sentence of the stub."""

import re
import sys
from pathlib import Path

import pytest
from nbgrader import utils

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tools"))
from lessons import form, outputs  # noqa: E402

NOTEBOOKS = [CHECKOUT / "notebooks" / path.name for path in form.solutions()]
STUB = re.compile(r'(?:throw lanes::NotFilledIn\(|#error )"(Fill in .*)"')


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_first_stub_says_what_to_fill_in(path, tmp_path):
    notebook = form.read(path)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    answer = next(i for i, cell in enumerate(code) if utils.is_solution(cell))
    sentence = STUB.search(code[answer].source)[1]
    with pytest.raises(outputs.Failed):
        outputs.run(notebook, tmp_path)
    first = next(i for i, cell in enumerate(code)
                 if outputs.errors(cell) and "raises-exception" not in outputs.tags(cell))
    assert utils.is_grade(code[first]), code[first].source
    assert not any(utils.is_grade(cell) for cell in code[answer:first])
    assert sentence in outputs.errors(code[first])[0].evalue
