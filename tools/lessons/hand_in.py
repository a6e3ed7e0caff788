"""Packs what a student hands in: the filled notebooks of a homework and a report, in hw1.zip, hw1b.zip,
hw2.zip and hw3.zip.

    python -m lessons.hand_in [hw1 …] [--from work] [--to .] [--name "Ada Lovelace"]

The report is one PDF: the student's name, questions and answers, tables and plots as the notebooks
show them. A name that was given once is remembered in work/.name. Missing parts are listed. A report
that is too long is the only reason not to pack."""

import argparse
import pathlib
import re
import sys
import zipfile

from nbgrader import utils

from grading import screen

from .form import ROOT, normalize, read
from .homeworks import HOMEWORKS, MOST_PAGES, lessons_of
from .outputs import errors, tags
from .report import pages, pdf, report

STUB = re.compile(r'(?:throw lanes::NotFilledIn\(|#error )"(Fill in .*)"')


def missing(notebook, released):
    """What a grader would not find, one sentence per item."""
    found, known = [], {cell.id: cell for cell in notebook.cells}
    not_run = 0
    for cell in released.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", cell.id)
        filled = known.get(cell.id)
        if filled is None:
            found += [f"the cell '{name}' is gone"] if "nbgrader" in cell.metadata else []
        elif utils.is_solution(cell) and cell.cell_type == "code":
            found += [sentence for sentence in STUB.findall(filled.source)]
        elif utils.is_solution(cell):
            found += [f"the report cell '{name}' is empty"
                      ] if filled.source.strip() in ("", cell.source.strip()) else []
        elif cell.cell_type == "code" and utils.is_grade(cell):
            if filled.get("execution_count") is None:
                found.append(f"the check '{name}' was not run (or not saved)")
            elif errors(filled):
                found.append(f"the check '{name}' has not passed")
        elif cell.cell_type == "code" and "play" not in tags(cell):
            not_run += filled.get("execution_count") is None
    if not_run:
        cells, their = ("cell was", "its") if not_run == 1 else ("cells were", "their")
        found.append(f"{not_run} given {cells} not run (or not saved), {their} tables and plots are "
                     "not in the report")
    return found


def advice_on(name, notebook):
    """What the grader's page would say about the text of the student's cells."""
    released = normalize(read(ROOT / "notebooks" / f"{name}.ipynb"))
    given = {cell.id: cell.source.strip() for cell in released.cells}
    own = [
        cell for cell in notebook.cells
        if cell.cell_type == "code" and cell.source.strip() != given.get(cell.id)
    ]
    return [f"A cell that grading refuses: {words}" for cell in own
            if (words := screen.refused(cell.source))] + screen.advice(released.cells, own)


def author_of(name, folder):
    """The given name, or the one that was given the last time, or ""."""
    file = folder / ".name"
    if name and folder.is_dir():
        file.write_text(name + "\n", encoding="utf-8")
    return name or (file.read_text(encoding="utf-8").strip() if file.exists() else "")


def pack(homework, source, target, author=""):
    """(lines to print, whether it was packed; None if there was nothing to pack)"""
    names = lessons_of(homework)
    there = {
        number: source / f"{name}.ipynb"
        for number, name in names.items()
        if name and (source / f"{name}.ipynb").exists()
    }
    if not there:
        missing_names = ", ".join(names)
        return [
            f"{homework}: nothing to pack, none of the notebooks {missing_names} is in {source}"
        ], None
    lines = [
        f"  missing: the notebook {names[number] or number}" for number in names
        if number not in there
    ]
    notebooks = {path.stem: read(path) for path in there.values()}
    for name, notebook in notebooks.items():
        lines += [
            f"  missing in {name}: {what}"
            for what in missing(notebook, normalize(read(ROOT / "notebooks" / f"{name}.ipynb")))
        ]
        lines += [f"  {name}: {advice}" for advice in advice_on(name, notebook)]
    most = MOST_PAGES.get(homework)
    printed = pdf(report(notebooks, homework, author, recorded=not most), homework, most)
    counted = pages(printed)
    if most and counted > most:
        return [
            *lines,
            f"{homework}: not packed. The report has {counted} pages, {most} are allowed: "
            "shorten the texts in the report cells."
        ], False
    with zipfile.ZipFile(target / f"{homework}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in there.values():
            archive.write(path, path.name)
        archive.writestr(f"{homework}.pdf", printed)
    packed = "1 notebook" if len(there) == 1 else f"{len(there)} notebooks"
    printed_on = "1 page" if counted == 1 else f"{counted} pages"
    place = "work/" if target == ROOT / "work" else ""
    return [*lines, f"{place}{homework}.zip: {packed} and a report of {printed_on}"], True


def main():
    parser = argparse.ArgumentParser(prog="make hand-in")
    parser.add_argument("homework", nargs="*", default=list(HOMEWORKS))
    parser.add_argument("--from", dest="source", type=pathlib.Path, default=ROOT / "work")
    # In an image or a bundle only work/ is the student's.
    default = ROOT / "work" if (ROOT / ".finished").exists() else ROOT
    parser.add_argument("--to", dest="target", type=pathlib.Path, default=default)
    parser.add_argument("--name", default="")
    given = parser.parse_args()
    unknown = [name for name in given.homework if name not in HOMEWORKS]
    if unknown:
        raise SystemExit(
            f"make hand-in: there is no homework '{unknown[0]}'. There are: {', '.join(HOMEWORKS)}")
    packed, author = set(), author_of(" ".join(given.name.split()), given.source)
    for homework in given.homework:
        lines, done = pack(homework, given.source, given.target, author)
        packed.add(done)
        print("\n".join(lines), flush=True)
    if True in packed and not author:
        print('The reports have no name on them: make hand-in NAME="Ada Lovelace" adds yours.')
    return 0 if True in packed and False not in packed else 1


if __name__ == "__main__":
    sys.exit(main())
