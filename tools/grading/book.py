"""Points, pages and tables of a class: class.csv, class.html, manual.csv, feedback/, and nbgrader's
gradebook, which is written again each time. Points that a teacher gives by hand are in manual.csv
(manual.py)."""

import collections
import copy
import html
import logging
import os
import warnings

from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import SaveCells

from lessons.homeworks import homework_of
from lessons.outputs import errors

from . import drawing, exports, overview, pages, similar
from .manual import Manual, Refused, write_csv
from .restore import is_check, points_of

warnings.filterwarnings("ignore", message="Object of type .* not in session"
                        )  # nbgrader 0.9.6 adds a submission to its lists before the session does
LOG = logging.getLogger("grading")
COLUMNS = ("student", "homework", "notebook", "points", "possible", "checked", "checked_possible",
           "by_hand", "by_hand_possible", "waiting", "remarks")
PENDING = "not graded yet"


def graded_cells(notebook):
    return [cell for cell in notebook.cells if utils.is_grade(cell)]


class Book:
    def __init__(self, folder, lessons, students):
        self.folder, self.lessons, self.students, self.notes = folder, lessons, students, []
        self.handed_in, self.results, self.remarks = {}, {}, {}  # by student or (student, notebook)
        self.folders = {}  # {student: name of the folder or archive}
        self.possible = {
            (name, cell.metadata.nbgrader.grade_id): cell.metadata.nbgrader.points
            for name, lesson in lessons.items()
            for cell in graded_cells(lesson.graded) if utils.is_solution(cell)
        }
        self.manual = self.read_manual()

    def read_manual(self):
        found = Manual(self.folder / "manual.csv")
        found.check(self.possible, self.students)
        return found

    def rows_of(self, student, name, notebook, is_pending):
        """{grade_id: Row} of a notebook that was handed in; of one that was not if it is None."""
        rows, released = {}, {cell.id: cell.source for cell in self.lessons[name].released.cells}
        for cell in graded_cells(notebook or self.lessons[name].graded):
            identity, most = cell.metadata.nbgrader.grade_id, cell.metadata.nbgrader.points
            if notebook is None:
                rows[identity] = pages.Row(identity, 0, most, "pending" if is_pending else "failed")
            elif is_check(cell):
                rows[identity] = pages.Row(identity, points_of(cell), most,
                                           "failed" if errors(cell) else "passed")
            else:
                points, comment = self.manual.points.get((student, name, identity), (None, ""))
                empty = cell.source.strip() in ("", released.get(cell.id, "").strip())
                state = ("failed" if empty else "waiting") if points is None else "passed"
                rows[identity] = pages.Row(identity, points or 0, most, state, comment)
        return rows

    def add(self, student, remarks, notebooks, pending):
        """notebooks: {lesson: graded notebook}; pending: {lesson: why there is none}"""
        self.remarks[student] = remarks
        self.handed_in[student] = (notebooks, pending)

    def settle(self):
        """The points of all. Those by hand are read again: they may have been typed meanwhile."""
        readable = True
        try:
            self.manual = self.read_manual()
        except Refused as refused:
            readable = False
            self.notes.append(f"{refused} manual.csv was left as it is; the points that were in it "
                              "before are used.")
        for student, (notebooks, pending) in self.handed_in.items():
            for name in self.lessons:
                notebook = notebooks.get(name)
                if notebook:
                    about = list(notebook.metadata.lanes.remarks)
                elif name in pending:
                    about = [f"Not graded yet: {pending[name]}"]
                else:
                    about = ["Not handed in."]
                rows = self.rows_of(student, name, notebook, name in pending)
                self.results[student, name] = (rows, about, notebook)
        return readable

    def write_pages(self, students, in_parallel):
        """One job per student; in_parallel runs them (grade.py). Returns what could not be done
        through no fault of the submissions. A page that would be the same is not made again."""
        wanted = {}
        for (student, name), (rows, about, notebook) in self.results.items():
            if notebook is None or student not in students:
                continue
            page = drawing.Page(self.folder / "feedback" / student / f"{name}.html", student, name,
                                notebook, rows, self.remarks[student] + about)
            if not page.is_there():
                wanted.setdefault(student, []).append(page)
        problems = []
        for student, notes, error in in_parallel(
                {student: (drawing.make, pages) for student, pages in wanted.items()}):
            if error:
                problems.append(f"{student}: the pages could not be made: {error}")
            else:
                self.notes += [f"{student}: {note}" for note in notes]
        return problems

    def table(self):
        """The rows of class.csv: one per student and notebook, and a total per student."""
        table = []
        for student in sorted(self.remarks):
            mine = []
            for name in self.lessons:
                rows, about, notebook = self.results[student, name]
                pending = any(row.state == "pending" for row in rows.values())
                by_hand = [row for key, row in rows.items() if (name, key) in self.possible]
                checked = [row for key, row in rows.items() if (name, key) not in self.possible]
                mine.append({
                    "student": student,
                    "homework": homework_of(name),
                    "notebook": name,
                    "points": PENDING if pending else sum(row.score for row in rows.values()),
                    "possible": sum(row.possible for row in rows.values()),
                    "checked": PENDING if pending else sum(row.score for row in checked),
                    "checked_possible": sum(row.possible for row in checked),
                    "by_hand": sum(row.score for row in by_hand),
                    "by_hand_possible": sum(row.possible for row in by_hand),
                    "waiting": sum(row.state == "waiting" for row in rows.values()),
                    "remarks": " ".join(about)
                })
            table += mine
            total = {key: PENDING if PENDING in (values := [row[key] for row in mine]) else
                     sum(values) for key in COLUMNS[3:10]}
            table.append({
                "student": student,
                "homework": "",
                "notebook": "total",
                **total, "remarks": " ".join(self.remarks[student])
            })
        return table

    def write_tables(self):
        """Writes class.csv, class.html and manual.csv; returns the rows of class.csv."""
        readable = self.settle()
        table = self.table()
        write_csv(self.folder / "class.csv", COLUMNS,
                  [{
                      key: f"{value:g}" if isinstance(value, float) else value
                      for key, value in row.items()
                  } for row in table])
        waiting = [(student, name, row.name)
                   for (student, name), (rows, _, _) in self.results.items()
                   for row in rows.values() if row.state == "waiting"]
        if readable:
            self.manual.write(waiting, self.possible)
        (self.folder / "class.html").write_text(self.class_page(table), encoding="utf-8",
                                                errors="replace")
        exports.write(self.folder, table, self.folders)
        (self.folder / "similar.html").write_text(similar.page(
            self.lessons, {key: result[2] for key, result in self.results.items() if result[2]}),
            encoding="utf-8", errors="replace")
        return table

    def class_page(self, table):
        """What happened, who needs a look, and per exercise how many passed with the most frequent
        messages."""
        body = [
            "<h1>The class</h1>", *overview.sections(self, table), "<h2>Students</h2>",
            "<table><tr><th>student</th><th>points</th><th>waiting</th></tr>"
        ]
        body += [
            f"<tr><td>{html.escape(row['student'])}</td><td>{words_of(row)}</td>"
            f"<td>{row['waiting'] or ''}</td></tr>" for row in table
            if row["notebook"] == "total"
        ]
        body.append("</table>")
        for name, lesson in self.lessons.items():
            body.append(f"<h2>{html.escape(name)}</h2><table><tr><th>exercise</th><th>passed</th>"
                        "<th>most frequent messages</th></tr>")
            handed_in = [
                result for (_, book), result in self.results.items()
                if book == name and result[2] is not None
            ]
            for cell in graded_cells(lesson.graded):
                identity = cell.metadata.nbgrader.grade_id
                passed = sum(rows[identity].state == "passed" for rows, _, _ in handed_in)
                said = collections.Counter(words for _, _, notebook in handed_in
                                           for words in messages(notebook, identity))
                common = "<br>".join(f"{count} × {html.escape(words)}"
                                     for words, count in said.most_common(3))
                body.append(f"<tr><td>{html.escape(identity)}</td><td>{passed} of {len(handed_in)}"
                            f"</td><td>{common}</td></tr>")
            body.append("</table>")
        return pages.frame("The class", "\n".join(body))

    def write_gradebook(self):
        """Written beside the old one, which it then replaces."""
        path = self.folder / "gradebook.new"
        path.unlink(missing_ok=True)
        url = f"sqlite:///{path}"
        with Gradebook(url) as book:
            for homework in sorted({homework_of(name) for name in self.lessons}):
                book.update_or_create_assignment(homework)
        for name, lesson in self.lessons.items():
            SaveCells(log=LOG).preprocess(
                copy.deepcopy(lesson.released), {
                    "nbgrader": {
                        "notebook": name,
                        "assignment": homework_of(name),
                        "student": None,
                        "db_url": url
                    }
                })
        with Gradebook(url) as book:
            for student in self.remarks:
                book.update_or_create_student(student)
                for homework in {homework_of(name) for name in self.lessons}:
                    for notebook in book.update_or_create_submission(homework, student).notebooks:
                        rows = self.results[student, notebook.name][0]
                        for grade in notebook.grades:
                            row = rows[grade.name]
                            by_hand = (notebook.name, grade.name) in self.possible
                            unknown = by_hand or row.state == "pending"
                            grade.auto_score = None if unknown else row.score
                            grade.manual_score = row.score if by_hand else None
                            grade.needs_manual_grade = row.state == "waiting"
            book.db.commit()
        os.replace(path, self.folder / "gradebook.db")


def words_of(row):
    """The points of a row of class.csv."""
    return row["points"] if row["points"] == PENDING else f"{row['points']:g} of {row['possible']:g}"


def messages(notebook, identity):
    """The first line of each error of a check."""
    for cell in graded_cells(notebook):
        if cell.metadata.nbgrader.grade_id == identity and cell.cell_type == "code":
            for error in errors(cell):
                yield pages.ANSI.sub("", error.evalue).split("\n")[0].split(" (Random")[0][:160]
