"""Finds the submissions in a folder.

    SUBMISSIONS/anna/02_elementwise_max.ipynb       notebooks, at any depth
    SUBMISSIONS/anna/hw1.zip, SUBMISSIONS/anna.zip  or what `make hand-in` packs, also zip in zip
    SUBMISSIONS/anna.tar.gz                         .tar, .tar.gz and .tgz as well

Each folder and each archive is a student: whatever is wrong with a file becomes a remark for that
student, with the file's name. If it is this machine that cannot read a file, the student is not
graded yet. Of several copies of a notebook the newest counts, among those in
which something is filled in."""

import datetime
import errno
import io
import json
import os
import pathlib
import re
import tarfile
import unicodedata
import zipfile

from lessons.form import ROOT, solutions

MOST_FILES, MOST_BYTES, MOST_DEPTH = 200, 200_000_000, 3
NOT_MEANT = (".ipynb_checkpoints", "__MACOSX", ".Trash", ".git")
TAR = (".tar.gz", ".tgz", ".tar")
ARCHIVES = (".zip", *TAR)
# The machine's doing. What a damaged archive raises has another number, or none.
UNREADABLE = (errno.EACCES, errno.EPERM, errno.EIO, errno.ENOENT, errno.ENFILE, errno.EMFILE,
              errno.ENOMEM, errno.ESTALE, errno.ETIMEDOUT, errno.EBUSY, errno.ENOTCONN)
OTHER_ARCHIVES = (".rar", ".7z", ".tar.xz", ".tar.bz2", ".gz", ".xz", ".bz2")


def shown(name):
    """A file's name without characters that a terminal or a page would obey."""
    text = "".join(letter if letter.isprintable() else "?" for letter in str(name))
    return text if len(text) <= 120 else text[:117] + "..."


class Found:
    """A notebook: its text, when it was saved, and where it was."""
    def __init__(self, name, place, when, data):
        self.name, self.place, self.when, self.data = name, place, when, data


def kind_of(name):
    """How the name of an archive or notebook ends, or "" for other files."""
    known = (".ipynb", *ARCHIVES, *OTHER_ARCHIVES)
    return next((end for end in known if str(name).lower().endswith(end)), "")


def is_meant(path):
    parts = pathlib.PurePosixPath(path).parts
    return not any(part in NOT_MEANT or part.startswith("._") for part in parts)


class Reader:
    """The notebooks of one student. Nothing is written, no path of an archive is followed."""
    def __init__(self):
        self.found, self.remarks, self.files, self.bytes = [], [], 0, 0
        self.others = []  # names of files that are no notebooks
        self.fault = None  # why this machine could not read all of it

    def read(self, place):
        try:
            if place.is_dir():
                self.read_folder(place)
            else:
                self.read_file(place.name, place, kind_of(place.name), 1)
        except Exception as error:  # whatever a file holds: the class is graded to the end
            self.remark(place.name, error)

    def remark(self, name, error):
        words = getattr(error, "strerror", None) or str(error).strip() or type(error).__name__
        words = words.split("\n")[0][:200]
        self.remarks.append(f"{shown(name)} cannot be read: {shown(words)}")
        if isinstance(error, OSError) and error.errno in UNREADABLE:
            self.fault = self.fault or self.remarks[-1]

    def count(self, name, size):
        self.files, self.bytes = self.files + 1, self.bytes + size
        if self.files > MOST_FILES or self.bytes > MOST_BYTES:
            raise ValueError(f"it holds too much, more than {MOST_FILES} files or "
                             f"{MOST_BYTES / 1e6:.0f} MB")

    def read_folder(self, folder):
        def unreadable(error):
            self.remark(os.path.relpath(error.filename, folder.parent), error)

        for inside, folders, names in os.walk(folder, onerror=unreadable):
            folders[:] = filter(is_meant, folders)
            for name in sorted(names):
                path = pathlib.Path(inside, name)
                if path.is_symlink() or not path.is_file() or not is_meant(
                        path.relative_to(folder)):
                    continue
                try:
                    if kind_of(name) == ".ipynb":
                        self.count(name, path.stat().st_size)
                        when = datetime.datetime.fromtimestamp(path.stat().st_mtime)
                        self.found.append(
                            Found(name, str(path.relative_to(folder)), when, path.read_bytes()))
                    else:
                        self.read_file(name, path, kind_of(name), 1)
                except Exception as error:
                    self.remark(name, error)

    def read_file(self, name, file, kind, depth):
        """An archive, as a path or as an open file; other files are noted."""
        if kind in OTHER_ARCHIVES:
            raise ValueError("archives of this kind are not read. Pack it as .zip")
        if kind not in ARCHIVES:
            self.others.append(name)
        elif depth > MOST_DEPTH:
            raise ValueError(f"an archive in an archive, more than {MOST_DEPTH} deep")
        else:
            for member, when, size, read in (members_of_zip if kind == ".zip" else
                                             members_of_tar)(file):
                if not is_meant(member):
                    continue
                try:
                    self.read_member(f"{name}/{member}", when, size, read, depth)
                except Exception as error:
                    self.remark(f"{name}/{member}", error)

    def read_member(self, place, when, size, read, depth):
        kind, name = kind_of(place), pathlib.PurePosixPath(place).name
        if kind == ".ipynb":
            self.count(place, size)
            self.found.append(Found(name, place, when, read()))
        elif kind in ARCHIVES:
            self.count(place, size)
            self.read_file(place, io.BytesIO(read()), kind, depth + 1)
        else:
            self.read_file(name, None, kind, depth)


def members_of_zip(file):
    """(name, date, size, function that returns the data) of each file in it."""
    with zipfile.ZipFile(file) as packed:
        for member in packed.infolist():
            if not member.is_dir():
                yield (member.filename, date_of(member), member.file_size,
                       lambda member=member: packed.read(member))


def members_of_tar(file):
    """The same. The members are read one after the other; what is not wanted is skipped."""
    with tarfile.open(file if isinstance(file, os.PathLike) else None,
                      fileobj=None if isinstance(file, os.PathLike) else file) as packed:
        for number, member in enumerate(packed):
            if number > 100 * MOST_FILES or packed.offset > 10 * MOST_BYTES:
                raise ValueError("it holds too much")
            if member.isfile():
                when = datetime.datetime.fromtimestamp(min(max(member.mtime, 0), 4e9))
                yield (member.name, when, member.size,
                       lambda member=member: packed.extractfile(member).read())


def date_of(member):
    try:
        return datetime.datetime(*member.date_time)
    except ValueError:  # a zip file need not hold a real date
        return datetime.datetime(1980, 1, 1)


class Known:
    """A lesson: the names of its cells, and the answers as they were handed out, by name."""
    def __init__(self, path):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        self.names = {name for cell in cells for name in names_of(cell)}
        self.answers = {}
        released = ROOT / "notebooks" / path.name
        if released.exists():
            for cell in json.loads(released.read_text(encoding="utf-8"))["cells"]:
                if cell["metadata"].get("nbgrader", {}).get("solution"):
                    self.answers |= {name: text_of(cell) for name in names_of(cell)}

    def is_filled_in(self, found):
        """Whether some answer is not as it was handed out."""
        return any(text_of(cell) not in (self.answers[name], "") for cell in cells_of(found)
                   for name in names_of(cell) if name in self.answers)


def names_of(cell):
    """A cell's id and nbgrader's name of it; some editors keep only one of them."""
    grade = cell.get("metadata", {}).get("nbgrader") or {}
    return {cell.get("id"), grade.get("grade_id")} - {None}


def text_of(cell):
    source = cell.get("source", "")
    return ("".join(source) if isinstance(source, list) else str(source)).strip()


def cells_of(found):
    """The cells of a file; none if it is no notebook."""
    try:
        cells = json.loads(found.data)["cells"]
        for cell in cells:
            names_of(cell), text_of(cell)
        return cells
    except Exception:  # no JSON, or of another form
        return []


def lesson_of(found, known):
    """The lesson's name, by the file's name or else by the cells in it; None if it is none."""
    stem = unicodedata.normalize("NFC", pathlib.PurePosixPath(found.name).stem)
    named = [name for name in known if name.lower() in stem.lower()]
    if named:
        return max(named, key=len)
    names = {name for cell in cells_of(found) for name in names_of(cell)}
    best = max(known, key=lambda name: len(known[name].names & names))
    return best if len(known[best].names & names) >= 5 else None


def known_lessons():
    return {path.stem: Known(path) for path in solutions()}


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
        filled = {id(one): known[lesson].is_filled_in(one) for one in copies}
        counts = max(copies, key=lambda one: (filled[id(one)], one.when))
        if any(one.data != counts.data for one in copies):
            empty = [shown(one.place) for one in copies if filled[id(counts)] and not filled[id(one)]]
            reader.remarks.append(
                f"{lesson} came {len(copies)} times; the newest counts: {shown(counts.place)}, "
                f"saved {counts.when:%Y-%m-%d %H:%M}." +
                (f" Nothing is filled in in {', '.join(empty[:3])}." if empty else ""))
        result[lesson] = counts
    if not result and reader.others:
        reader.remarks.append("There is no notebook in it, only: " +
                              ", ".join(shown(name) for name in reader.others[:5]) +
                              (", ..." if len(reader.others) > 5 else "."))
    return result


def plain_name(name):
    """A name that can be a folder's and a cell of a table."""
    return re.sub(r"[^\w.@-]", "_", unicodedata.normalize("NFC", name)).strip(".") or "student"


def give_names(folders, names):
    """Adds those that have none yet to {folder or archive: name of the student}. Nobody gets a name
    that another one has or had: results and points by hand are stored by name. A folder that is
    written just as its name comes first."""
    for folder in sorted(set(folders) - set(names), key=lambda one: (plain_name(one) != one, one)):
        plain, number = plain_name(folder), 2
        result = plain
        while result in names.values():
            result, number = f"{plain}_{number}", number + 1
        names[folder] = result


class Submission:
    """fault: why this machine could not read all that was handed in, or None."""
    def __init__(self, student, notebooks, remarks, fault=None):
        self.student, self.notebooks, self.remarks = student, notebooks, remarks
        self.fault = fault


def students(folder, names=None):
    """(submissions in alphabetical order, remarks about the folder). `names`: {folder or archive:
    name of the student}, to which new ones are added."""
    known, result, remarks, by_name = known_lessons(), [], [], {}
    names = {} if names is None else names
    for place in sorted(folder.iterdir()):
        if place.name.startswith(".") or place.name in NOT_MEANT:
            continue
        kind = kind_of(place.name)
        if place.is_dir() or kind in ARCHIVES + OTHER_ARCHIVES:
            name = place.name if place.is_dir() else place.name[:-len(kind)]
            by_name.setdefault(unicodedata.normalize("NFC", name), []).append(place)
        elif kind == ".ipynb":
            remarks.append(
                f"{shown(place.name)} lies directly in {folder.name}, so it is nobody's: "
                "put it into a folder with the student's name.")
    give_names(by_name, names)
    for name, places in by_name.items():
        student, reader = names[name], Reader()
        if student != plain_name(name):
            reader.remarks.append(
                f"'{shown(name)}' is called {student} here: another student's name "
                "looks the same.")
        for place in places:
            reader.read(place)
        result.append(Submission(student, chosen(reader, known), reader.remarks, reader.fault))
    return result, remarks
