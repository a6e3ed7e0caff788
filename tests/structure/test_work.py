"""`make lab` keeps work/ up to date and never loses what a student has written."""

import json
import re
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tools"))
from lessons import work  # noqa: E402


def write(path, *sources, outputs=()):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": [
        {"cell_type": "code", "source": source, "outputs": list(outputs)} for source in sources]}))


def sources(path):
    return [cell["source"] for cell in json.loads(path.read_text())["cells"]]


def test_a_missing_notebook_is_copied_once(tmp_path):
    write(tmp_path / "notebooks/a.ipynb", "one")
    assert work.update(tmp_path / "notebooks", tmp_path / "work") == []
    assert sources(tmp_path / "work/a.ipynb") == ["one"]
    write(tmp_path / "work/a.ipynb", "mine")
    assert work.update(tmp_path / "notebooks", tmp_path / "work") == []
    assert sources(tmp_path / "work/a.ipynb") == ["mine"]


def test_one_that_was_only_run_is_replaced_by_a_newer_one(tmp_path):
    write(tmp_path / "notebooks/a.ipynb", "one")
    work.update(tmp_path / "notebooks", tmp_path / "work")
    write(tmp_path / "work/a.ipynb", "one", outputs=[{"output_type": "stream", "text": "x"}])
    write(tmp_path / "notebooks/a.ipynb", "two")
    assert "it is the newer version now" in work.update(tmp_path / "notebooks", tmp_path / "work")[0]
    assert sources(tmp_path / "work/a.ipynb") == ["two"]


def test_one_that_was_changed_is_kept_and_the_newer_one_is_named(tmp_path):
    write(tmp_path / "notebooks/a.ipynb", "one")
    work.update(tmp_path / "notebooks", tmp_path / "work")
    write(tmp_path / "work/a.ipynb", "mine")
    for version in ("two", "three"):
        write(tmp_path / "notebooks/a.ipynb", version)
        said = work.update(tmp_path / "notebooks", tmp_path / "work")
        assert "The newer version is a.new.ipynb" in said[0]
        assert sources(tmp_path / "work/a.ipynb") == ["mine"]
        assert sources(tmp_path / "work/a.new.ipynb") == [version]
    assert work.update(tmp_path / "notebooks", tmp_path / "work") == []


def test_a_damaged_copy_is_kept(tmp_path):
    write(tmp_path / "notebooks/a.ipynb", "one")
    work.update(tmp_path / "notebooks", tmp_path / "work")
    (tmp_path / "work/a.ipynb").write_text("{")
    write(tmp_path / "notebooks/a.ipynb", "two")
    work.update(tmp_path / "notebooks", tmp_path / "work")
    assert (tmp_path / "work/a.ipynb").read_text() == "{"


def test_links_of_the_glossary_stay_in_the_folder_of_the_copies(tmp_path):
    folder = tmp_path / "work"
    work.update(CHECKOUT / "notebooks", folder)
    work.copy_glossary(work.GLOSSARY, folder)
    links = re.findall(r"\]\(([^)]*)\)", (folder / "glossary.md").read_text(encoding="utf-8"))
    assert len(links) > 100 and all((folder / link).exists() and "/" not in link for link in links)
    for path in folder.glob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert "](glossary.md)" in text and "](../" not in text


def test_an_older_copy_gets_the_new_link_and_keeps_its_answers(tmp_path):
    link = "the [glossary](../docs/glossary.md)"
    write(tmp_path / "notebooks/a.ipynb", link, "one")
    for folder in ("work", "work/.released"):
        write(tmp_path / folder / "a.ipynb", link, "one")
    write(tmp_path / "work/a.ipynb", link, "mine")
    assert work.update(tmp_path / "notebooks", tmp_path / "work") == []
    work.copy_glossary(work.GLOSSARY, tmp_path / "work")
    assert sources(tmp_path / "work/a.ipynb") == ["the [glossary](glossary.md)", "mine"]
    assert work.update(tmp_path / "notebooks", tmp_path / "work") == []
    # A newer version replaces a copy that only differs by the link.
    write(tmp_path / "work/a.ipynb", link, "one")
    write(tmp_path / "notebooks/a.ipynb", link, "two")
    assert "newer version now" in work.update(tmp_path / "notebooks", tmp_path / "work")[0]
