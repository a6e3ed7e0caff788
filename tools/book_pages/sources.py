"""What Sphinx reads: the lessons with the outputs of their solutions, some documents, the first
page."""

import base64
import hashlib
import json
import os
import pathlib
import re
import shutil

import nbformat

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ("docs/notebooks.md", "docs/cuda-programs.md", "docs/glossary.md")
CELL = re.compile(r"^```\{lesson-cell\} (\S+)/(\S+?)( output)?\n```\n", re.M)
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)")


def names():
    return sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


def lesson(name, solved):
    """The notebook with outputs. Without solutions, the text of each cell is what students get."""
    notebook = nbformat.read(ROOT / f"notebooks/solutions/{name}.ipynb", as_version=4)
    given = nbformat.read(ROOT / f"notebooks/{name}.ipynb", as_version=4)
    texts = {cell.id: cell.source for cell in given.cells}
    for cell in notebook.cells:
        if solved:
            cell.source = cell.source.replace("](../../", "](../")
        else:
            cell.source = texts[cell.id]
        if cell.metadata.get("jupyter", {}).get("source_hidden"):
            cell.metadata.setdefault("tags", []).append("hide-input")
        # The outputs keep this order of preference: a table, a picture, text.
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("application/vnd.vegalite.v5+json", None)
    return notebook


def with_links(text, folder, pages, to):
    """For a text that moves from one folder to another. Links to what is not in the book become
    plain text."""
    def one(link):
        words, path, part = link.groups()
        target = os.path.normpath(os.path.join(folder, path))
        if target not in pages:
            return words
        return f"[{words}]({os.path.relpath(target, to)}{part or ''})"

    return LINK.sub(one, text)


def first_page(text, solved):
    """docs/book.md as a notebook: a block {lesson-cell} LESSON/CELL becomes that cell with its
    outputs, or its outputs alone."""
    cells, end = [], 0
    notebooks = {}
    for mark in CELL.finditer(text):
        cells.append(nbformat.v4.new_markdown_cell(text[end:mark.start()]))
        end = mark.end()
        name, wanted, output_only = mark.groups()
        if name not in notebooks:
            notebooks[name] = lesson(name, solved)
        found = [cell for cell in notebooks[name].cells if cell.id == wanted]
        if not found:
            raise SystemExit(f"docs/book.md: lesson {name} has no cell '{wanted}'")
        cell = found[0].copy()
        cell.metadata = {"tags": ["remove-input"] if output_only else []}
        cells.append(cell)
    cells.append(nbformat.v4.new_markdown_cell(text[end:]))
    notebook = nbformat.v4.new_notebook(cells=cells)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"first-{number}"
    return notebook


def contents(pages):
    lessons = [page for page in pages if page.startswith("notebooks/")]
    documents = [page for page in pages if page.startswith("docs/")]
    return "\n".join(f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n" + "\n".join(some) + "\n```\n"
                     for title, some in (("Lessons", lessons), ("Documents", documents)))


def pictures(notebook):
    """{SHA-256 of a PNG: what it shows in words}"""
    found = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                key = hashlib.sha256(base64.b64decode(data["image/png"])).hexdigest()
                found[key] = data.get("text/plain", "")[:300]
    return found


def write(folder, lessons, solved):
    """Makes the folder again. The paths of the pages are those of the checkout, so that links
    between lessons and documents stay as they are."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = [f"notebooks/{name}.ipynb" for name in lessons] + list(DOCUMENTS)
    made = {name: lesson(name, solved) for name in lessons}
    text = (ROOT / "docs/book.md").read_text(encoding="utf-8")
    front = first_page(text, solved)
    for cell in front.cells:
        if cell.cell_type == "markdown":
            cell.source = with_links(cell.source, "docs", pages, to=".")
    front.cells[-1].source += contents(pages)
    shown = pictures(front)
    for path in DOCUMENTS:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(with_links((ROOT / path).read_text(encoding="utf-8"), "docs", pages, "docs"),
                          encoding="utf-8")
    for picture in (ROOT / "docs").glob("*.svg"):
        shutil.copy(picture, folder / "docs")
    (folder / "notebooks").mkdir()
    for name, notebook in made.items():
        shown |= pictures(notebook)
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = with_links(cell.source, "notebooks", pages, "notebooks")
        nbformat.write(notebook, folder / f"notebooks/{name}.ipynb")
    front.metadata = next(iter(made.values())).metadata
    nbformat.write(front, folder / "index.ipynb")
    (folder / "pictures.json").write_text(json.dumps(shown))
