"""Points, pages and tables of a class: class.csv, class.html, manual.csv, feedback/, and nbgrader's
gradebook, which is written again each time. Points that a teacher gives by hand are in manual.csv
(manual.py)."""

import collections
import copy
import html
import logging
import warnings

from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import SaveCells

from lessons.homeworks import homework_of
from lessons.outputs import errors

from . import pages
from .manual import Manual, write_csv
from .restore import is_check

warnings.filterwarnings("ignore", message="Object of type .* not in session"
                        )  # nbgrader 0.9.6 adds a submission to its lists before the session does
LOG = logging.getLogger("grading")
COLUMNS = ("student", "homework", "notebook", "points", "possible", "checked", "checked_possible",
           "by_hand", "by_hand_possible", "waiting", "remarks")


def graded_cells(notebook):
    return [cell for cell in notebook.cells if utils.is_grade(cell)]


class Book:
    def __init__(self, folder, lessons):
        self.folder, self.lessons, self.manual = folder, lessons, Manual(folder / "manual.csv")
        self.results, self.remarks = {}, {}  # by (student, notebook); by student
        self.possible = {
            (name, cell.metadata.nbgrader.grade_id): cell.metadata.nbgrader.points
            for name, lesson in lessons.items()
            for cell in graded_cells(lesson.graded) if utils.is_solution(cell)
        }

    def rows_of(self, student, name, notebook):
        """{grade_id: Row} of a notebook that was handed in; of one that was not if it is None."""
        rows, released = {}, {cell.id: cell.source for cell in self.lessons[name].released.cells}
        for cell in graded_cells(notebook or self.lessons[name].graded):
            identity, most = cell.metadata.nbgrader.grade_id, cell.metadata.nbgrader.points
            if notebook is None:
                rows[identity] = pages.Row(identity, 0, most, "failed")
            elif is_check(cell):
                passed = not errors(cell)
                rows[identity] = pages.Row(identity, most if passed else 0, most,
                                           "passed" if passed else "failed")
            else:
                points, comment = self.manual.points.get((student, name, identity), (None, ""))
                empty = cell.source.strip() in ("", released.get(cell.id, "").strip())
                state = ("failed" if empty else "waiting") if points is None else "passed"
                rows[identity] = pages.Row(identity, points or 0, most, state, comment)
        return rows

    def add(self, student, remarks, notebooks):
        """notebooks: {lesson: graded notebook}"""
        self.remarks[student] = remarks
        for name in self.lessons:
            notebook = notebooks.get(name)
            about = list(notebook.metadata.lanes.remarks) if notebook else ["Not handed in."]
            self.results[student, name] = (self.rows_of(student, name, notebook), about, notebook)

    def write_pages(self, students, when_done=lambda student, error: None):
        for (student, name), (rows, about, notebook) in self.results.items():
            if notebook is None or student not in students:
                continue
            path = self.folder / "feedback" / student / f"{name}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            remarks = self.remarks[student] + about
            try:
                text = pages.page(student, name, copy.deepcopy(notebook), rows, remarks,
                                  notebook.metadata.lanes.get("seed"))
            except Exception as error:  # the page of one student never stops another's
                when_done(student, f"the page of {name} could not be made: {error}")
                text = pages.frame(
                    f"{student}: {name}",
                    "<ul>" + "".join(f"<li>{html.escape(row.name)}: {row.words()}</li>"
                                     for row in rows.values()) + "</ul>")
            path.write_text(text, encoding="utf-8")

    def table(self):
        """The rows of class.csv: one per student and notebook, and a total per student."""
        table = []
        for student in sorted(self.remarks):
            mine = []
            for name in self.lessons:
                rows, about, notebook = self.results[student, name]
                by_hand = [row for key, row in rows.items() if (name, key) in self.possible]
                checked = [row for key, row in rows.items() if (name, key) not in self.possible]
                mine.append({
                    "student": student,
                    "homework": homework_of(name),
                    "notebook": name,
                    "points": sum(row.score for row in rows.values()),
                    "possible": sum(row.possible for row in rows.values()),
                    "checked": sum(row.score for row in checked),
                    "checked_possible": sum(row.possible for row in checked),
                    "by_hand": sum(row.score for row in by_hand),
                    "by_hand_possible": sum(row.possible for row in by_hand),
                    "waiting": sum(row.state == "waiting" for row in rows.values()),
                    "remarks": " ".join(about)
                })
            table += mine
            total = {key: sum(row[key] for row in mine) for key in COLUMNS[3:10]}
            table.append({
                "student": student,
                "homework": "",
                "notebook": "total",
                **total, "remarks": " ".join(self.remarks[student])
            })
        return table

    def write_tables(self):
        """Writes class.csv, class.html and manual.csv; returns the rows of class.csv."""
        table = self.table()
        write_csv(self.folder / "class.csv", COLUMNS,
                  [{
                      key: f"{value:g}" if isinstance(value, float) else value
                      for key, value in row.items()
                  } for row in table])
        waiting = [(student, name, row.name)
                   for (student, name), (rows, _, _) in self.results.items()
                   for row in rows.values() if row.state == "waiting"]
        self.manual.write(waiting, self.possible)
        (self.folder / "class.html").write_text(self.class_page(table), encoding="utf-8")
        return table

    def class_page(self, table):
        """Per exercise how many passed, and the most frequent messages."""
        body = [
            "<h1>The class</h1>", "<table><tr><th>student</th><th>points</th><th>waiting</th></tr>"
        ]
        body += [
            f"<tr><td>{html.escape(row['student'])}</td><td>{row['points']:g} of "
            f"{row['possible']:g}</td><td>{row['waiting'] or ''}</td></tr>" for row in table
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
        path = self.folder / "gradebook.db"
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
                            grade.auto_score = None if (notebook.name,
                                                        grade.name) in self.possible else row.score
                            grade.manual_score = row.score if (
                                notebook.name, grade.name) in self.possible else None
                            grade.needs_manual_grade = row.state == "waiting"
            book.db.commit()


def messages(notebook, identity):
    """The first line of each error of a check."""
    for cell in graded_cells(notebook):
        if cell.metadata.nbgrader.grade_id == identity and cell.cell_type == "code":
            for error in errors(cell):
                yield pages.ANSI.sub("", error.evalue).split("\n")[0].split(" (Random")[0][:160]
