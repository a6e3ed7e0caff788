"""Grading as a normal user, whose sandboxes are in user namespaces. If the tests are run by root,
another user id is taken for it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import mock_class
import nbformat
import pytest
from conftest import ROOT
from grading import rooms
from grading.bubblewrap import SLOW
from lessons.pictures import SVG
from test_class import BOMB, page, row

pytestmark = pytest.mark.timeout(1800 * SLOW)
USER = 64990  # no account has it
DRAWING = ('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">'
           '<rect width="9" height="9" fill="#00f"/></svg>')


@pytest.fixture
def as_user():
    """The beginning of a command that a normal user runs."""
    found = []
    if os.geteuid() == 0:
        found = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups",
                 "--inh-caps=-all", "--bounding-set=-all", "--"]
    if subprocess.run([*found, "unshare", "--user", "true"], capture_output=True).returncode != 0:
        pytest.skip("NOT TESTED: a normal user can make no user namespace here")
    if subprocess.run([*found, "test", "-r", ROOT / "tools/grade"]).returncode != 0:
        pytest.skip("NOT TESTED: other users cannot read the checkout")
    return found


@pytest.fixture
def folder():
    """Of the normal user. pytest's own folders belong to who runs the tests alone."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def with_drawing():
    book = mock_class.perfect()
    cell = next(cell for cell in book.cells if cell.cell_type == "code")
    cell.outputs = [nbformat.v4.new_output("display_data", data={SVG: DRAWING})]
    return book


def test_a_normal_user_grades(as_user, folder, monkeypatch):
    """One exercise: a right answer, and one that starts processes without end."""
    monkeypatch.setattr(mock_class, "LAST_CHECK", "max-plain-check")
    rooms.course(), rooms.of("max_plain")  # the checkout may belong to root
    for student, book in (("anna", with_drawing()),
                          ("ben", mock_class.answering(max_plain=mock_class.FORKING))):
        (folder / "class" / student).mkdir(parents=True)
        nbformat.write(book, folder / f"class/{student}/{mock_class.NAME}.ipynb")
    if os.geteuid() == 0:
        os.chown(folder, USER, USER)
    scripts = Path(sys.executable).parent
    done = subprocess.run([*as_user, sys.executable, mock_class.__file__, folder / "class", "--out",
                           folder / "out", "--cell-seconds", "8"],
                          capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "HOME": str(folder), "LAST_CHECK": "max-plain-check",
                               "PATH": f"{scripts}:{os.environ['PATH']}"})
    assert done.returncode == 0, done.stdout + done.stderr
    graded = (folder / "out", done)
    assert [row(graded, student)["checked"] for student in ("anna", "ben")] == ["2", "0"]
    assert any(words in page(graded, "ben") for words in BOMB), page(graded, "ben")
    assert "no pictures" not in done.stdout, done.stdout
    drawn = folder / f"out/feedback/anna/{mock_class.NAME}.html"
    assert "data:image/png;base64," in drawn.read_text()
