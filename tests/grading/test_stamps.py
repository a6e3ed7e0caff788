"""When an earlier result still holds: not after a change of anything that decides about points, and a
page not after a change of anything that draws it."""

import shutil

import pytest
from conftest import ROOT
from grading import drawing, grade, pages, probes
from lessons import pictures


@pytest.fixture
def exercises(tmp_path, monkeypatch):
    """A checkout with a few exercises."""
    for name in ("probe.hpp", "max_plain", "common", "puzzles/sum_of_three"):
        path = ROOT / "exercises" / name
        (tmp_path / "exercises" / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if path.is_dir() else shutil.copy)(path, tmp_path / "exercises" / name)
    monkeypatch.setattr(probes, "FOLDER", tmp_path / "exercises")
    monkeypatch.setattr(grade, "ROOT", tmp_path)
    monkeypatch.setattr(grade, "GRADER", tmp_path / "grading")
    return tmp_path / "exercises"


DECIDES = ("probe.hpp", "max_plain/probe.cpp", "max_plain/check.cpp", "max_plain/exercise.hpp",
           "max_plain/needs.txt", "common/own_loops.txt", "puzzles/sum_of_three/puzzle.cpp")


@pytest.mark.parametrize("name", DECIDES)
def test_a_corrected_exercise_is_graded_again(exercises, name):
    before = grade.grader_text()
    with open(exercises / name, "a") as file:
        file.write("// corrected\n")
    assert grade.grader_text() != before


def test_headers_of_several_exercises_decide_too(exercises):
    headers = sorted((exercises / "common").glob("*.hpp"))
    before = grade.grader_text()
    headers[0].write_text(headers[0].read_text() + "// corrected\n")
    assert grade.grader_text() != before
    headers[0].rename(headers[0].with_name("other.hpp"))
    assert grade.grader_text() != before


def test_answers_that_tests_keep_and_compiled_python_decide_nothing(exercises):
    before = grade.grader_text()
    (exercises / "max_plain/answers.txt").write_text("another answer")
    (exercises / "max_plain/__pycache__").mkdir()
    (exercises / "max_plain/__pycache__/judge.pyc").write_bytes(b"\xff")
    assert grade.grader_text() == before


@pytest.mark.parametrize("module", [drawing, pages, pictures], ids=lambda module: module.__name__)
def test_a_page_is_made_again_after_a_change_of_what_draws_it(tmp_path, monkeypatch, module):
    before = drawing.renderer_text()
    other = tmp_path / "module.py"
    other.write_text(open(module.__file__).read() + "# changed\n")
    monkeypatch.setattr(module, "__file__", str(other))
    assert drawing.renderer_text() != before
