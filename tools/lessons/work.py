"""The student's own copies of the notebooks: `make lab` keeps work/ up to date with notebooks/.

    python -m lessons.work

A missing notebook is copied. One that the student has not changed is replaced by a newer version.
One that the student has changed is kept; the newer version is put beside it as NAME.new.ipynb. So
`git pull` never meets a changed file, and no work is lost. work/.released/ holds the versions that
the copies were made from."""

import json
import pathlib
import shutil
import sys

from .form import ROOT

FOLDER = ROOT / "work"


def texts(path):
    """What a student can change: the cells' texts. Outputs and numbers come with every run."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return [(cell["cell_type"], "".join(cell["source"]).strip()) for cell in cells]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name("." + target.name + ".tmp")
    shutil.copyfile(source, fresh)
    fresh.replace(target)


def update(released, folder):
    """One line for each notebook that needs the student's attention."""
    lines = []
    for source in sorted(pathlib.Path(released).glob("*.ipynb")):
        target, base = folder / source.name, folder / ".released" / source.name
        newer = folder / f"{source.stem}.new.ipynb"
        if not target.exists():
            copy(source, target)
            copy(source, base)
        elif texts(source) == texts(base):
            continue
        elif texts(target) in (texts(base), texts(source)):
            copy(source, target)
            copy(source, base)
            lines.append(f"{target.name}: you had not changed it; it is the newer version now.")
        elif not newer.exists() or texts(newer) != texts(source):
            copy(source, newer)
            lines.append(f"{target.name}: kept as you left it. The newer version is {newer.name}: "
                         "copy your answers into it, or delete it.")
    return lines


def main():
    for line in update(ROOT / "notebooks", FOLDER):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
