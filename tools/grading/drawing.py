"""Makes the pages of a student inside a jail (jail.py): what was handed in may hold pictures
that name files and addresses, and texts that take forever. There is no network, no file of the
teacher's, and a limit of time, memory and size per student. A page that cannot be made within
the limits holds the same as plain text.

    python -m grading.drawing FOLDER      inside: makes FOLDER/N.html from FOLDER/N.json"""

import hashlib
import json
import os
import pathlib
import stat
import sys

import nbformat

from lessons import formulas, pictures, report
from lessons.form import ROOT

from . import pages
from .bubblewrap import GIB, PRIVATE, SLOW, Limits
from .jail import Jail

SECONDS, PICTURE_SECONDS = 180, 60
MOST_BYTES = 100 << 20
LIMITS = Limits(memory=2 * GIB, private=512 << 20)


class Python:
    """What the jail has of this machine: Python with its packages, and the scripts."""
    hidden = ()

    def __init__(self):
        places = {pathlib.Path(sys.prefix), pathlib.Path(sys.base_prefix), ROOT / "tools"}
        self.files = {path: path for path in places if path.parts[:2] != ("/", "usr")}


class Page:
    def __init__(self, path, student, lesson, notebook, rows, remarks):
        self.path, self.arguments = path, [student, lesson, notebook, [vars(row)
                                                                       for row in rows.values()],
                                           remarks, notebook.metadata.lanes.get("seed")]
        # A surrogate in a name or comment becomes a question mark.
        self.data = json.dumps(self.arguments, ensure_ascii=False).encode("utf-8", "replace")
        self.stamp = hashlib.sha256(self.data + renderer_text()).hexdigest()

    def is_there(self):
        """Whether the same page was written before."""
        try:
            with open(self.path, "rb") as file:
                return self.stamp.encode() in file.read(300)
        except OSError:
            return False

    def write(self, text):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        head, rest = text.split("\n", 1)
        fresh.write_text(f"{head}\n<!-- {self.stamp} -->\n{rest}", encoding="utf-8",
                         errors="replace")
        os.replace(fresh, self.path)


def renderer_text():
    """All that a page is made by."""
    made_by = (sys.modules[__name__], pages, formulas, pictures, report)
    return b"".join(pathlib.Path(module.__file__).read_bytes() for module in made_by)


def html_of(data, rich):
    """The page from what a Page holds."""
    student, lesson, notebook, rows, remarks, seed = json.loads(data)
    found = [pages.Row(row["name"], row["score"], row["possible"], row["state"], row["comment"])
             for row in rows]
    return pages.page(student, lesson, nbformat.from_dict(notebook),
                      {row.name: row for row in found}, remarks, seed,
                      PICTURE_SECONDS * SLOW if rich else None)


def read(jail, name):
    """A page from the jail, or None."""
    try:
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC,
                       dir_fd=jail.private)
    except OSError:
        return None
    with os.fdopen(file, "rb") as opened:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
            return None
        return opened.read(MOST_BYTES).decode("utf-8", "replace")


def make(wanted, slot):
    """Writes the Pages of one student; returns notes for the teacher."""
    command = [sys.executable, "-m", "grading.drawing", PRIVATE]
    files = {f"{number}.json": page.data for number, page in enumerate(wanted)}
    extra = {"PYTHONPATH": str(ROOT / "tools"), "PYTHONDONTWRITEBYTECODE": "1"}
    with Jail(command, Python(), slot, LIMITS, extra, files) as jail:
        jail.wait(SECONDS * SLOW)
        made = [read(jail, f"{number}.html") for number in range(len(wanted))]
        said = jail.said()
    if jail.fault:
        raise jail.fault
    notes = []
    for page, text in zip(wanted, made):
        if text is None:
            why = said.split("\n")[-1] if jail.killed and said else jail.ended
            notes.append(f"the page of {page.path.stem} has no pictures: {why}")
        page.write(text or html_of(page.data, rich=False))
    return notes


def main(folder):
    for path in sorted(folder.glob("*.json")):
        fresh = path.with_suffix(".part")
        fresh.write_text(html_of(path.read_bytes(), rich=True), encoding="utf-8", errors="replace")
        os.replace(fresh, path.with_suffix(".html"))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
