"""Points in the forms that Moodle and Canvas import. Who is not graded yet, or waits for points
by hand, has no points there: an empty cell changes nothing.

    moodle_hw1.csv   the worksheet of an assignment ("Upload grading worksheet")
    canvas.csv       the gradebook ("Import"), one column per homework

Both know students by numbers, which are in the names of the files that they let you download:
`Anna Muster_123_assignsubmission_file_` and `musteranna_456_789_hw1.zip`. If your folders have
other names, the columns of numbers are empty: fill them in, or match by name."""

import os
import re

from .manual import write_csv

MOODLE = re.compile(r"(.+?)_(\d+)_assignsubmission")
CANVAS = re.compile(r"(.+?)(?:_LATE)?_(\d+)_\d+(?:_|$)")


def homeworks(table):
    """{homework: {student: (points or None, possible)}}"""
    result = {}
    for row in table:
        if row["homework"]:
            mine = result.setdefault(row["homework"], {})
            points, possible = mine.get(row["student"], (0, 0))
            known = points is not None and not isinstance(row["points"], str) and not row["waiting"]
            mine[row["student"]] = (points + row["points"] if known else None,
                                    possible + row["possible"])
    return result


def number(value):
    return "" if value is None else f"{value:g}"


def written(name):
    """The name of a file. Archives from other systems may hold names that are not UTF-8."""
    raw = os.fsencode(name)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def identified(student, folders, pattern):
    """(name, number or "")"""
    folder = written(folders.get(student, student))
    found = pattern.match(folder)
    return (found[1], found[2]) if found else (folder, "")


def moodle(points, folders):
    for student, (given, possible) in sorted(points.items()):
        name, identity = identified(student, folders, MOODLE)
        yield {"Identifier": f"Participant {identity}" if identity else "", "Full name": name,
               "Grade": number(given), "Maximum Grade": number(possible), "Feedback comments": ""}


def canvas(found, folders):
    students = sorted({student for mine in found.values() for student in mine})
    yield {"Student": "Points Possible", "ID": "", "Section": "",
           **{one: number(max((most for _, most in mine.values()), default=0))
              for one, mine in found.items()}}
    for student in students:
        name, identity = identified(student, folders, CANVAS)
        yield {"Student": name, "ID": identity, "Section": "",
               **{one: number(mine.get(student, (None, 0))[0]) for one, mine in found.items()}}


def write(folder, table, folders):
    found = homeworks(table)
    for homework, points in found.items():
        write_csv(folder / f"moodle_{homework}.csv",
                  ("Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"),
                  moodle(points, folders))
    write_csv(folder / "canvas.csv", ("Student", "ID", "Section", *found), canvas(found, folders))
