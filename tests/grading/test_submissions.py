"""Which notebooks of a student are graded, whatever was handed in, and in what it was packed."""

import io
import zipfile

import mock_class
import nbformat
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
