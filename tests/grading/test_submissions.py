"""Which notebooks of a student are graded, whatever was handed in, and in what it was packed."""

import io
import os
import tarfile
import zipfile

import mock_class
import nbformat
import pytest
from grading import submissions

NAME = mock_class.NAME
TEXT = b'{"cells": []}'


def zipped(members):
    """{name: (data, year)} as a zip file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (data, year) in members.items():
            archive.writestr(zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0)), data)
    return packed.getvalue()


def found(folder, student):
    return next(one for one in submissions.students(folder)[0] if one.student == student)


def write(folder, name, data):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def test_only_notebooks_are_read_and_no_path_is_followed(tmp_path):
    write(tmp_path, "zoe.zip", zipped({f"../../{NAME}.ipynb": (TEXT, 2026), "x.sh": (b"rm", 2026)}))
    zoe = found(tmp_path, "zoe")
    assert list(zoe.notebooks) == [NAME] and zoe.notebooks[NAME].data == TEXT
    assert [path.name for path in tmp_path.iterdir()] == ["zoe.zip"]


def test_another_notebook_is_told(tmp_path):
    write(tmp_path, "yan/essay.ipynb", TEXT)
    assert found(tmp_path, "yan").remarks == [
        "essay.ipynb is no notebook of the course and was left out."]


def test_a_zip_in_a_zip_and_checkpoints(tmp_path):
    inner = zipped({f".ipynb_checkpoints/{NAME}.ipynb": (b"old", 2027),
                    f"__MACOSX/._{NAME}.ipynb": (b"x", 2027), f"hw/{NAME}.ipynb": (TEXT, 2026)})
    write(tmp_path, "anna/all.zip", zipped({"hw1.zip": (inner, 2026)}))
    anna = found(tmp_path, "anna")
    assert anna.notebooks[NAME].data == TEXT and anna.remarks == []


def test_the_newest_copy_counts_and_this_is_told(tmp_path):
    write(tmp_path, "anna.zip", zipped({f"old/{NAME}.ipynb": (b"old", 2025),
                                        f"final/{NAME}.ipynb": (TEXT, 2026),
                                        f"older/{NAME} (1).ipynb": (b"older", 2024)}))
    anna = found(tmp_path, "anna")
    assert anna.notebooks[NAME].data == TEXT
    assert f"{NAME} came 3 times; the newest counts: anna.zip/final/" in anna.remarks[0]


def test_a_renamed_notebook_is_known_by_its_cells(tmp_path):
    write(tmp_path, "anna/my homework.ipynb", nbformat.writes(mock_class.perfect()).encode())
    assert list(found(tmp_path, "anna").notebooks) == [NAME]


def test_names_of_any_script_and_names_that_look_the_same(tmp_path):
    for name in ("Бенита", "ben b", "ben_b", "-dash", "u\u0308ber"):
        write(tmp_path, f"{name}/{NAME}.ipynb", TEXT)
    everybody = submissions.students(tmp_path)[0]
    assert {one.student for one in everybody} == {"Бенита", "ben_b", "ben_b_2", "-dash", "über"}
    assert all(list(one.notebooks) == [NAME] for one in everybody)
    assert "another student's name looks the same" in found(tmp_path, "ben_b_2").remarks[0]


def test_control_characters_do_not_reach_the_terminal(tmp_path):
    write(tmp_path, "eve.zip", zipped({"\x1b[2J\x1b[31mx.ipynb": (TEXT, 2026)}))
    assert found(tmp_path, "eve").remarks == [
        "?[2J?[31mx.ipynb is no notebook of the course and was left out."]


def test_damaged_and_huge_archives_are_notes_for_their_student(tmp_path):
    mock_class.damaged_archive(tmp_path / "kim.zip")
    deep = TEXT
    for _ in range(5):
        deep = zipped({"more.zip": (deep, 2026)})
    write(tmp_path, "lou.zip", deep)
    write(tmp_path, "max.zip", zipped({f"{i}.ipynb": (b"x", 2026) for i in range(300)}))
    write(tmp_path, f"nia/{NAME}.ipynb", TEXT)
    everybody = {one.student: one for one in submissions.students(tmp_path)[0]}
    assert f"kim.zip/{NAME}.ipynb cannot be read" in everybody["kim"].remarks[0]
    assert "more than 3 deep" in everybody["lou"].remarks[0]
    assert any("it holds too much" in remark for remark in everybody["max"].remarks)
    assert list(everybody["nia"].notebooks) == [NAME]


def test_a_notebook_directly_in_the_folder_is_nobodys(tmp_path):
    write(tmp_path, f"{NAME}.ipynb", TEXT)
    everybody, remarks = submissions.students(tmp_path)
    assert everybody == [] and "so it is nobody's" in remarks[0]


def without_ids(book):
    """As VS Code and Colab may write it."""
    book = nbformat.from_dict({**book, "nbformat": 4, "nbformat_minor": 4})
    for cell in book.cells:
        cell.pop("id", None)
    return nbformat.writes(book, version=nbformat.NO_CONVERT).encode()


@pytest.mark.parametrize("path", submissions.solutions(), ids=lambda path: path.stem)
def test_a_renamed_notebook_without_ids_is_known(tmp_path, path):
    write(tmp_path, "anna/mine.ipynb", without_ids(nbformat.read(path, as_version=4)))
    assert list(found(tmp_path, "anna").notebooks) == [path.stem]


def test_a_filled_copy_counts_beside_the_course_as_handed_out(tmp_path):
    filled = nbformat.writes(mock_class.perfect()).encode()
    write(tmp_path, f"anna/lanes/work/{NAME}.ipynb", filled)
    write(tmp_path, f"anna/lanes/notebooks/{NAME}.ipynb",
          nbformat.writes(mock_class.notebook("notebooks")).encode())
    os.utime(tmp_path / f"anna/lanes/work/{NAME}.ipynb", (1e9, 1e9))
    anna = found(tmp_path, "anna")
    assert anna.notebooks[NAME].data == filled
    assert f"Nothing is filled in in lanes/notebooks/{NAME}.ipynb." in anna.remarks[0]


def packed_tar(members):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def test_tar_archives_are_read(tmp_path):
    data = packed_tar({f"hw/{NAME}.ipynb": TEXT, "hw/report.pdf": b"%PDF"})
    write(tmp_path, "anna.tar.gz", data)
    write(tmp_path, "ben/hw1.tgz", data)
    write(tmp_path, "carla.zip", zipped({"hw1.tar.gz": (data, 2026)}))
    for student in ("anna", "ben", "carla"):
        assert found(tmp_path, student).notebooks[NAME].data == TEXT


def test_every_folder_and_archive_has_a_row_that_says_why_it_is_empty(tmp_path):
    write(tmp_path, "anna/report.pdf", b"%PDF")
    write(tmp_path, "ben.rar", b"Rar!")
    write(tmp_path, "carla.tar.gz", b"no archive")
    (tmp_path / "dan").mkdir()
    everybody = submissions.students(tmp_path)[0]
    assert [one.student for one in everybody] == ["anna", "ben", "carla", "dan"]
    assert found(tmp_path, "anna").remarks == ["There is no notebook in it, only: report.pdf."]
    assert "not read. Pack it as .zip" in found(tmp_path, "ben").remarks[0]
    assert "carla.tar.gz cannot be read" in found(tmp_path, "carla").remarks[0]


def test_a_folder_that_cannot_be_read_is_told(tmp_path, monkeypatch):
    write(tmp_path, f"anna/hw1/{NAME}.ipynb", TEXT)
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: denied(path) if str(path).endswith("hw1")
                        else scan(path))
    write(tmp_path, f"ben/{NAME}.ipynb", TEXT)
    anna = found(tmp_path, "anna")
    assert anna.remarks == ["anna/hw1 cannot be read: Permission denied"]
    assert anna.fault == anna.remarks[0] and found(tmp_path, "ben").fault is None


def test_a_folder_that_is_not_meant_need_not_be_readable(tmp_path, monkeypatch):
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: denied(path) if ".git" in str(path)
                        else scan(path))
    write(tmp_path, f"anna/.git/objects/{NAME}.ipynb", TEXT)
    write(tmp_path, f"anna/{NAME}.ipynb", TEXT)
    anna = found(tmp_path, "anna")
    assert (anna.fault, anna.remarks, list(anna.notebooks)) == (None, [], [NAME])


def test_a_damaged_archive_is_no_fault_of_the_machine(tmp_path):
    packed = bytearray(packed_tar({f"hw/{NAME}.ipynb": TEXT * 1000}))
    for number, data in enumerate((packed[:-20], packed[:15], b"no archive", b"")):
        write(tmp_path, f"tar{number}.tar.gz", data)
        write(tmp_path, f"zip{number}.zip", zipped({"x.ipynb": (TEXT, 2026)})[:10 * number])
    for one in submissions.students(tmp_path)[0]:
        assert one.remarks and one.fault is None, one.student


def denied(path):
    raise PermissionError(13, "Permission denied", str(path))
