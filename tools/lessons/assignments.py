"""Makes what a student opens: notebooks/solutions/NAME.ipynb -> notebooks/NAME.ipynb. Solutions are
replaced by stubs, hidden tests are removed, outputs are cleared, and cells that are not the
student's are locked; everything else stays the same. It uses nbgrader's own steps, those of
generate_assignment that need no gradebook.

    python -m lessons.assignments             writes all, and removes those without a solution
    python -m lessons.assignments --check     changes nothing; status 1 and one line for each
                                              notebook that is not up to date"""

import logging
import sys

from nbgrader.preprocessors import (CheckCellMetadata, ClearHiddenTests, ClearMarkScheme,
                                    ClearOutput, ComputeChecksums, LockCells)

from .form import ROOT, normalize, read, solutions, write
from .stubs import FriendlyStubs

STEPS = (CheckCellMetadata, LockCells, FriendlyStubs, ClearOutput, ClearHiddenTests,
         ClearMarkScheme, ComputeChecksums, CheckCellMetadata)


def student_version(notebook):
    """Changes the notebook."""
    for cell in notebook.cells:  # links: this notebook is one folder nearer to the root
        if cell.cell_type == "markdown":
            cell.source = cell.source.replace("](../../", "](../")
    resources = {}
    for step in STEPS:
        kwargs = {"code_stub": {"C++17": ""}} if step is FriendlyStubs else {}
        notebook, resources = step(log=logging.getLogger("lessons"),
                                   **kwargs).preprocess(notebook, resources)
    return normalize(notebook)


def wanted():
    """{path of the student's notebook: its text}"""
    return {
        ROOT / "notebooks" / path.name: write(student_version(normalize(read(path))))
        for path in solutions()
    }


def differences(made, folder=ROOT / "notebooks"):
    there = {path: path.read_text(encoding="utf-8") for path in folder.glob("*.ipynb")}
    found = [f"{path.relative_to(folder.parent)} is missing" for path in made if path not in there]
    found += [
        f"{path.relative_to(folder.parent)} is not what its solution gives" for path in made
        if path in there and there[path] != made[path]
    ]
    return found + [
        f"{path.relative_to(folder.parent)} has no solution" for path in there if path not in made
    ]


def main():
    made = wanted()
    changes = differences(made)
    if "--check" in sys.argv[1:]:
        print("\n".join(changes + ["`make assignments` repairs this."]
                        ) if changes else f"{len(made)} notebooks are what their solutions give")
        return 1 if changes else 0
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        if path not in made:
            path.unlink()
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    print(f"{len(made)} notebooks for students; " +
          (f"{len(changes)} changed" if changes else "nothing had changed"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
