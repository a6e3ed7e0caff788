"""A class of eight is graded by one command: points and messages, and no student affects
another."""

import csv
import html
import os
import re
import subprocess

import mock_class
import pytest
from conftest import ROOT
from grading.sandbox import SLOW

pytestmark = pytest.mark.timeout(1200 * SLOW)  # some 60 seconds on two quiet cores


def command(*arguments, **environment):
    return subprocess.run([ROOT / "tools/grade", *map(str, arguments)],
                          capture_output=True,
                          text=True,
                          env={
                              **os.environ,
                              **environment
                          })


@pytest.fixture(scope="session")
def graded(tmp_path_factory, needs_sandbox):
    folder = tmp_path_factory.mktemp("class")
    mock_class.hand_in(folder / "submissions")
    done = command(folder / "submissions", "--out", folder / "graded", "--cell-seconds", 8)
    assert done.returncode == 0, done.stderr
    return folder / "graded", done


def rows(folder, name="class.csv"):
    with open(folder / name, newline="") as file:
        return list(csv.DictReader(file))


def row(graded, student):
    return next(row for row in rows(graded[0]) if row["student"] == student)


def page(graded, student):
    return html.unescape(
        re.sub(r"<[^>]+>", "",
               (graded[0] / "feedback" / student / f"{mock_class.NAME}.html").read_text()))


POINTS = {"anna": 8, "ben": 0, "carla": 2, "dan": 6, "eva": 6, "finn": 6, "gina": 0, "hugo": 8}


@pytest.mark.parametrize("student", POINTS)
def test_points(graded, student):
    found = row(graded, student)
    assert (float(found["checked"]), float(found["checked_possible"])) == (POINTS[student],
                                                                           8), found
    assert (int(found["waiting"]),
            float(found["by_hand_possible"])) == (0 if student == "ben" else 3, 10)


# The first limit that a fork bomb reaches ends it: on a busy machine the count of processes may
# come late.
BOMB = ("more than 200 processes at a time", "does a loop never end?",
        "a cell could not be interrupted", "was killed from inside", "GiB of memory")
WORDS = {
    "ben": ["Fill in max_plain: three lines.", "Fill in max_gpu: six lines."],
    "carla": ["max_plain: passed, 9 cases.", "This is the smaller of the two", "Fill in max_gpu"],
    "dan": ["TimeLimit", "does a loop never end?", "max_gpu: passed"],
    "eva": ["SIGSEGV", "max_fast: passed"],
    "finn": [BOMB, "max_plain: passed", "max_gpu: passed"],
    "gina": [
        "your answer uses lanes::max_plain", "redefines 'check' by #define", "it uses 'exit'",
        "The locked cell 'max_plain_check' was changed",
        "nbgrader's metadata of the cell 'max_plain_check' was changed"
    ],
    "hugo": ["asked for the Jupyter kernel 'python3'", "max_gpu: passed, 5 cases."],
}


@pytest.mark.parametrize("student", WORDS)
def test_the_page_says_why(graded, student):
    said = page(graded, student)
    for words in WORDS[student]:
        any_of = words if isinstance(words, tuple) else (words, )
        assert any(one in said for one in any_of), f"{words} is not in\n" + "\n".join(
            line for line in said.splitlines() if "ession" in line or "Error" in line)
    assert "lanes-" not in said


def test_the_page_shows_the_students_own_plot(graded):
    assert mock_class.PLOT in (graded[0] / "feedback/anna" / f"{mock_class.NAME}.html").read_text()
    assert "Score: 8.0 / 18.0" in page(graded, "anna")


def test_who_handed_in_nothing_that_can_be_read_is_told_and_waits_for_nobody(graded):
    found = row(graded, "ida")
    assert (float(found["points"]), int(found["waiting"])) == (0, 0)
    assert found["remarks"] == "Not handed in. hw1.zip cannot be unpacked: File is not a zip file"
    assert "ida: hw1.zip cannot be unpacked" in graded[1].stdout
    assert not any(entry["student"] == "ida" for entry in rows(graded[0], "manual.csv"))


def test_the_bar_counts_to_the_end(graded):
    assert "[########################] 9/9" in graded[1].stderr


def test_points_by_hand_are_taken_over_and_nothing_is_run_again(graded):
    folder = graded[0]
    given = rows(folder, "manual.csv")
    assert {entry["cell"]
            for entry in given
            if entry["student"] == "anna"} == {"max_report_1", "max_report_2", "max_report_3"}
    with open(folder / "manual.csv", "w", newline="") as file:
        table = csv.DictWriter(file, given[0])
        table.writeheader()
        for entry in given:
            table.writerow({
                **entry, "points": "2.5",
                "comment": "Which cores?"
            } if (entry["student"], entry["cell"]) == ("anna", "max_report_2") else entry)
    done = command(folder.parent / "submissions", "--out", folder)
    assert done.returncode == 0, done.stderr
    assert "/9" not in done.stderr
    assert (row(graded, "anna")["points"], row(graded, "anna")["waiting"]) == ("10.5", "2")
    assert "Which cores?" in page(graded, "anna")


@pytest.mark.parametrize(
    "bwrap, reason", [("no-such-bwrap", "bubblewrap is not installed"),
                      ("refusing", "bubblewrap cannot make a sandbox here (bwrap: No permissions")])
def test_without_a_sandbox_nothing_is_graded(tmp_path, bwrap, reason):
    mock_class.hand_in(tmp_path / "submissions")
    refusing = tmp_path / "refusing"
    refusing.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    refusing.chmod(0o755)
    done = command(tmp_path / "submissions",
                   "--out",
                   tmp_path / "graded",
                   LANES_BWRAP=str(tmp_path / bwrap))
    assert done.returncode == 3
    assert "Nothing was graded" in done.stderr and reason in done.stderr
    assert not (tmp_path / "graded").exists()


def test_a_folder_without_notebooks_is_told(tmp_path, needs_sandbox):
    (tmp_path / "ida").mkdir()
    done = command(tmp_path, "--out", tmp_path / "graded")
    assert done.returncode == 1 and "holds no notebook of the course" in done.stderr
