"""The student's own copies of the notebooks: `make lab` keeps work/ up to date with notebooks/.

    python -m lessons.work

A missing notebook is copied. One that the student has not changed is replaced by a newer version.
One that the student has changed is kept; the newer version is put beside it as NAME.new.ipynb. So
`git pull` never meets a changed file, and no work is lost. work/.released/ holds the versions that
the copies were made from.

The copies refer to work/glossary.md, a copy of docs/glossary.md whose links lead to the copies: an
answer that is written into a notebook of notebooks/ would not be handed in."""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]  # .form loads nbformat, which takes a second
FOLDER = ROOT / "work"
GLOSSARY = ROOT / "docs/glossary.md"
TO_DOCUMENTS, TO_COPY = "](../docs/glossary.md)", "](glossary.md)"


def texts(path):
    """What a student can change: the cells' texts. Outputs and numbers come with every run."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return [(cell["cell_type"], "".join(cell["source"]).strip().replace(TO_DOCUMENTS, TO_COPY))
                for cell in cells]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(target, text):
    """A reader finds the old text or the new one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name("." + target.name + ".tmp")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(target)


def copy(source, target):
    write(target, source.read_text(encoding="utf-8").replace(TO_DOCUMENTS, TO_COPY))


def copy_glossary(glossary, folder):
    target = folder / "glossary.md"
    text = glossary.read_text(encoding="utf-8").replace("](../notebooks/", "](")
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        write(target, text)
    for path in folder.glob("*.ipynb"):  # copies that are older than this link
        try:
            text = path.read_text(encoding="utf-8")
        except ValueError:
            continue
        if TO_DOCUMENTS in text:
            write(path, text.replace(TO_DOCUMENTS, TO_COPY))


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
    copy_glossary(GLOSSARY, FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
