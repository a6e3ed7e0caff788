"""Finds the submissions in a folder.

    SUBMISSIONS/anna/02_elementwise_max.ipynb       notebooks, at any depth
    SUBMISSIONS/anna/hw1.zip, SUBMISSIONS/anna.zip  or what `make hand-in` packs, also zip in zip

Each student is a unit of its own: whatever is wrong with a file becomes a remark for that student,
with the file's name. Of several copies of a notebook the newest counts."""

import datetime
import io
import json
import pathlib
import re
import unicodedata
import zipfile

from lessons.form import solutions

MOST_FILES, MOST_BYTES, MOST_DEPTH = 200, 200_000_000, 3
NOT_MEANT = (".ipynb_checkpoints", "__MACOSX", ".Trash", ".git")


def shown(name):
    """A file's name without characters that a terminal or a page would obey."""
    text = "".join(letter if letter.isprintable() else "?" for letter in str(name))
    return text if len(text) <= 120 else text[:117] + "..."


class Found:
    """A notebook: its text, when it was saved, and where it was."""
    def __init__(self, name, place, when, data):
        self.name, self.place, self.when, self.data = name, place, when, data


def is_meant(path):
    parts = pathlib.PurePosixPath(path).parts
    return not any(part in NOT_MEANT or part.startswith("._") for part in parts)


class Reader:
    """The notebooks of one student. Nothing is written, no path of an archive is followed."""
    def __init__(self):
        self.found, self.remarks, self.files, self.bytes = [], [], 0, 0

    def read(self, place):
        try:
            if place.is_dir():
                self.read_folder(place)
            else:
                self.read_archive(place.name, place, 1)
        except Exception as error:  # whatever a file holds: the class is graded to the end
            self.remark(place.name, error)

    def remark(self, name, error):
        words = str(error).strip().split("\n")[0][:200] or type(error).__name__
        self.remarks.append(f"{shown(name)} cannot be read: {shown(words)}")

    def count(self, name, size):
        self.files, self.bytes = self.files + 1, self.bytes + size
        if self.files > MOST_FILES or self.bytes > MOST_BYTES:
            raise ValueError(f"it holds too much, more than {MOST_FILES} files or "
                             f"{MOST_BYTES / 1e6:.0f} MB")

    def read_folder(self, folder):
        for path in sorted(folder.rglob("*")):
            if path.is_symlink() or not path.is_file() or not is_meant(path.relative_to(folder)):
                continue
            try:
                if path.suffix.lower() == ".ipynb":
                    self.count(path.name, path.stat().st_size)
                    when = datetime.datetime.fromtimestamp(path.stat().st_mtime)
                    self.found.append(
                        Found(path.name, str(path.relative_to(folder)), when, path.read_bytes()))
                elif path.suffix.lower() == ".zip":
                    self.read_archive(path.name, path, 1)
            except Exception as error:
                self.remark(path.name, error)

    def read_archive(self, name, file, depth):
        with zipfile.ZipFile(file) as packed:
            for member in packed.infolist():
                if member.is_dir() or not is_meant(member.filename):
                    continue
                kind = pathlib.PurePosixPath(member.filename).suffix.lower()
                if kind not in (".ipynb", ".zip"):
                    continue
                try:
                    self.count(member.filename, member.file_size)
                    data = packed.read(member)
                    if kind == ".zip":
                        if depth >= MOST_DEPTH:
                            raise ValueError(f"a zip in a zip, more than {MOST_DEPTH} deep")
                        self.read_archive(member.filename, io.BytesIO(data), depth + 1)
                    else:
                        self.found.append(
                            Found(
                                pathlib.PurePosixPath(member.filename).name,
                                f"{name}/{member.filename}", date_of(member), data))
                except Exception as error:
                    self.remark(f"{name}/{member.filename}", error)


def date_of(member):
    try:
        return datetime.datetime(*member.date_time)
    except ValueError:  # a zip file need not hold a real date
        return datetime.datetime(1980, 1, 1)


def lesson_of(found, known):
    """The lesson's name, by the file's name or else by the cells in it; None if it is none."""
    stem = unicodedata.normalize("NFC", pathlib.PurePosixPath(found.name).stem)
    named = [name for name in known if name.lower() in stem.lower()]
    if named:
        return max(named, key=len)
    try:
        cells = json.loads(found.data)["cells"]
        ids = {cell.get("id")
               for cell in cells
               } | {cell.get("metadata", {}).get("nbgrader", {}).get("grade_id")
                    for cell in cells}
    except Exception:  # no JSON, no notebook
        return None
    best = max(known, key=lambda name: len(known[name] & ids))
    return best if len(known[best] & ids) >= 5 else None


def cell_names():
    """{lesson: ids of its cells}"""
    return {
        path.stem: {cell["id"]
                    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]}
        for path in solutions()
    }


def chosen(reader, known):
    """{lesson: Found}; adds remarks about copies and other notebooks."""
    by_lesson = {}
    for found in reader.found:
        lesson = lesson_of(found, known)
        if lesson is None:
            reader.remarks.append(
                f"{shown(found.name)} is no notebook of the course and was left out.")
        else:
            by_lesson.setdefault(lesson, []).append(found)
    result = {}
    for lesson, copies in by_lesson.items():
        newest = max(copies, key=lambda one: one.when)
        if any(one.data != newest.data for one in copies):
            reader.remarks.append(
                f"{lesson} came {len(copies)} times; the newest counts: {shown(newest.place)}, "
                f"saved {newest.when:%Y-%m-%d %H:%M}.")
        result[lesson] = newest
    return result


def student_name(name, taken):
    """A name that can be a folder's and a cell of a table; never one that another student has."""
    plain = re.sub(r"[^\w.@-]", "_", unicodedata.normalize("NFC", name)).strip(".") or "student"
    number, result = 2, plain
    while result in taken:
        result, number = f"{plain}_{number}", number + 1
    return result


class Submission:
    def __init__(self, student, notebooks, remarks):
        self.student, self.notebooks, self.remarks = student, notebooks, remarks


def students(folder, only=None):
    """(submissions in alphabetical order, remarks about the folder)"""
    known, result, remarks, by_name, taken = cell_names(), [], [], {}, set()
    for place in sorted(folder.iterdir()):
        if place.name.startswith(".") or place.name in NOT_MEANT:
            continue
        if place.is_dir() or place.suffix.lower() == ".zip":
            name = place.stem if place.is_file() else place.name
            by_name.setdefault(unicodedata.normalize("NFC", name), []).append(place)
        elif place.suffix.lower() == ".ipynb":
            remarks.append(
                f"{shown(place.name)} lies directly in {folder.name}, so it is nobody's: "
                "put it into a folder with the student's name.")
    for name, places in by_name.items():
        student, reader = student_name(name, taken), Reader()
        taken.add(student)
        if only and only not in (name, student):
            continue
        if student != student_name(name, ()):
            reader.remarks.append(
                f"'{shown(name)}' is called {student} here: another student's name "
                "looks the same.")
        for place in places:
            reader.read(place)
        result.append(Submission(student, chosen(reader, known), reader.remarks))
    return result, remarks
