"""manual.csv: the report cells that wait for the teacher's points, and the points given so far. A
spreadsheet may have saved it in any way: with a byte order mark or in Latin-1, with semicolons,
with 2,5 in place of 2.5. What cannot be meant is refused, with the row."""

import csv
import io
import os

COLUMNS = ("student", "notebook", "cell", "points_possible", "points", "comment")
FORMULA = ("=", "+", "-", "@")


class Refused(Exception):
    pass


def harmless(value):
    """A spreadsheet would take a cell that begins like a formula for a formula."""
    return "'" + value if isinstance(value, str) and value[:1] in FORMULA else value


def meant(value):
    """The text before harmless()."""
    text = (value or "").strip()
    while text[:1] == "'" and text[1:2] in FORMULA + ("'", ):
        text = text[1:]
    return text


def decode(data):
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def separator(text):
    """Which of comma, semicolon and tab divides the first line."""
    lines = [line for line in text.splitlines() if line.strip()]
    first = lines[0] if lines else ""
    if first.lower().startswith("sep="):
        return first[4:5] or ","
    return max(",;\t", key=first.count)


def number(text, place):
    try:
        value = float(text.replace(",", ".").replace("\u00a0", "").strip())
    except ValueError:
        raise Refused(f"{place}: '{text}' is no number of points.") from None
    return value


class Manual:
    """points: {(student, notebook, cell): (points or None, comment)}."""
    def __init__(self, path):
        self.path, self.points, self.separator, self.rows = path, {}, ",", {}
        if not path.exists():
            return
        text = decode(path.read_bytes())
        self.separator = separator(text)
        lines = text.splitlines(keepends=True)
        if lines and lines[0].lower().startswith("sep="):
            lines = lines[1:]
        table = csv.DictReader(io.StringIO("".join(lines), newline=""), delimiter=self.separator)
        missing = [name for name in COLUMNS if name not in (table.fieldnames or [])]
        if missing:
            raise Refused(f"{path.name}: the column '{missing[0]}' is missing. Its first line is "
                          f"{self.separator.join(COLUMNS)}.")
        for row in table:
            key = tuple(meant(row[name]) for name in COLUMNS[:3])
            if not any(key):
                continue
            place = f"{path.name}, row {table.line_num} ({', '.join(key)})"
            given = meant(row["points"])
            if key in self.points:
                raise Refused(f"{place}: this cell has another row above.")
            self.points[key] = (number(given, place) if given else None, meant(row["comment"]))
            self.rows[key] = place

    def check(self, possible, students):
        """possible: {(notebook, cell): points}. Refuses what cannot be meant."""
        for (student, notebook, cell), (points, _) in self.points.items():
            place = self.rows[student, notebook, cell]
            if (notebook, cell) not in possible:
                raise Refused(
                    f"{place}: there is no report cell '{cell}' in '{notebook}'. There are: " +
                    ", ".join(
                        sorted(name for book, name in possible
                               if book == notebook) or sorted({book
                                                               for book, _ in possible})) + ".")
            most = possible[notebook, cell]
            if points is not None and not 0 <= points <= most:
                raise Refused(f"{place}: {points:g} points, 0 to {most:g} are possible.")
            if students is not None and student not in students:
                raise Refused(f"{place}: there is no student '{student}'. There are: "
                              f"{', '.join(sorted(students)[:20])}.")

    def write(self, waiting, possible):
        """Keeps all points given, and adds the cells that wait."""
        keys = sorted(
            set(waiting) | {
                key
                for key, (points, comment) in self.points.items() if points is not None or comment
            })
        rows = []
        for key in keys:
            points, comment = self.points.get(key, (None, ""))
            rows.append(
                dict(
                    zip(COLUMNS, (*key, f"{possible[key[1:]]:g}",
                                  "" if points is None else f"{points:g}", comment))))
        if self.separator == ";":  # where semicolons divide, a comma is the decimal sign
            for row in rows:
                row["points"] = row["points"].replace(".", ",")
                row["points_possible"] = row["points_possible"].replace(".", ",")
        write_csv(self.path, COLUMNS, rows, self.separator)


def write_csv(path, columns, rows, delimiter=","):
    """With a byte order mark: spreadsheets then read UTF-8 as such."""
    fresh = path.with_suffix(".new")
    with open(fresh, "w", newline="", encoding="utf-8-sig", errors="replace") as file:
        table = csv.DictWriter(file, columns, delimiter=delimiter)
        table.writeheader()
        table.writerows({key: harmless(value) for key, value in row.items()} for row in rows)
    os.replace(fresh, path)
