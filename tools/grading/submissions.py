"""Finds the submissions in a folder.

    SUBMISSIONS/anna/02_elementwise_max.ipynb       notebooks, at any depth
    SUBMISSIONS/anna/hw1.zip, SUBMISSIONS/anna.zip  or what `make hand-in` packs"""

import pathlib
import re
import zipfile

from lessons.form import solutions

MOST_FILES, MOST_BYTES = 200, 200_000_000


def unpack(archive, folder):
    """Only notebooks, and only by their file names: no path of the archive is followed."""
    with zipfile.ZipFile(archive) as packed:
        wanted = [member for member in packed.infolist() if member.filename.endswith(".ipynb")]
        if len(wanted) > MOST_FILES or sum(member.file_size for member in wanted) > MOST_BYTES:
            raise ValueError(
                f"{archive.name} holds too much: {len(wanted)} notebooks, "
                f"{sum(member.file_size for member in wanted) / 1e6:.0f} MB"
            )
        folder.mkdir(parents=True, exist_ok=True)
        for member in wanted:
            (folder / pathlib.PurePosixPath(member.filename).name).write_bytes(packed.read(member))


def students(submissions, unpacked):
    """{student: (notebooks by lesson's name, remarks)}, students in alphabetical order."""
    found = {}
    for place in sorted(submissions.iterdir()):
        if place.name.startswith("."):
            continue
        name, remarks, folders = place.stem if place.is_file() else place.name, [], [
            place
        ] if place.is_dir() else []
        for archive in [place] if place.suffix == ".zip" else sorted(
                place.rglob("*.zip")) if place.is_dir() else []:
            try:
                unpack(archive, unpacked / name / archive.stem)
                folders.append(unpacked / name / archive.stem)
            except (OSError, ValueError, zipfile.BadZipFile, RuntimeError) as error:
                remarks.append(f"{archive.name} cannot be unpacked: {error}")
        if not folders and not remarks:
            continue
        notebooks = found.setdefault(re.sub(r"[^\w.@-]", "_", name), ({}, []))
        notebooks[1].extend(remarks)
        collect(folders, *notebooks)
    return found


def collect(folders, notebooks, remarks):
    known = {path.stem: path for path in solutions()}
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*.ipynb")
                           if ".ipynb_checkpoints" not in path.parts and path.is_file()
                           and not path.is_symlink()):
            lesson = path.stem if path.stem in known else next(
                (name for name in known if path.stem.startswith(name)), None)
            if lesson is None:
                remarks.append(f"{path.name} is no notebook of the course and was left out.")
            elif lesson in notebooks:
                remarks.append(f"{path.name} came twice; {notebooks[lesson].name} counts.")
            else:
                notebooks[lesson] = path
