"""nbgrader's part: the gradebook, points from the outputs of executed notebooks, and the page that
a student gets back.

The gradebook is created again each time. Points that a teacher gives by hand are in manual.csv,
which is read first, and written at the end with the cells that still need points."""

import copy
import csv
import logging
import os
import pathlib
import warnings

import nbformat
import nbgrader
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import GetGrades, SaveAutoGrades, SaveCells
from traitlets.config import Config

from lessons.formulas import STYLE, Page
from lessons.homeworks import homework_of
from lessons.pictures import add_pictures

warnings.filterwarnings("ignore", message="Object of type .* not in session"
                        )  # nbgrader 0.9.6 adds a submission to its lists before the session does
LOG = logging.getLogger("grading")
MANUAL = ("student", "notebook", "cell", "points_possible", "points", "comment")
# The browser runs no scripts of the page and fetches nothing.
HARMLESS = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    'style-src \'unsafe-inline\'; img-src data:; font-src data:">\n'
    '<style>pre { white-space: pre-wrap !important; word-break: normal !important; '
    'overflow-wrap: anywhere; } td, th { padding: 0 1em !important; }</style>') + STYLE
TEMPLATES = pathlib.Path(nbgrader.__file__).parent / "server_extensions/formgrader"


def resources_of(url, lesson, student=None):
    return {
        "nbgrader": {
            "notebook": lesson.name,
            "assignment": homework_of(lesson.name),
            "student": student,
            "db_url": url
        }
    }


def page(notebook, resources):
    """The notebook as HTML in which nothing that a student wrote can do harm."""
    settings = Config()
    settings.Page.template_name = "feedback"
    settings.Page.exclude_anchor_links = True
    settings.Page.extra_template_basedirs = [str(TEMPLATES / "templates")]
    settings.Page.extra_template_paths = [str(TEMPLATES / "static/node_modules/bootstrap/dist/css")]
    body, _ = Page(config=settings).from_notebook_node(add_pictures(notebook), resources)
    return body.replace("<head>", "<head>" + HARMLESS, 1)


class Book:
    def __init__(self, folder, lessons):
        self.folder, self.lessons = folder, lessons
        path = folder / "gradebook.db"
        path.unlink(missing_ok=True)
        self.url = f"sqlite:///{path}"
        with Gradebook(self.url) as book:
            for homework in sorted({homework_of(name) for name in lessons}):
                book.update_or_create_assignment(homework)
        for lesson in lessons.values():
            SaveCells(log=LOG).preprocess(copy.deepcopy(lesson.released),
                                          resources_of(self.url, lesson))
        self.manual = self.read_manual()

    def read_manual(self):
        """{(student, notebook, cell): (points, comment)} as a teacher has filled it in."""
        path = self.folder / "manual.csv"
        if not path.exists():
            return {}
        with open(path, newline="", encoding="utf-8") as file:
            return {
                (row["student"], row["notebook"], row["cell"]):
                (row["points"].strip(), row["comment"])
                for row in csv.DictReader(file)
            }

    def add_student(self, student, names):
        with Gradebook(self.url) as book:
            book.update_or_create_student(student)
            for homework in {homework_of(name) for name in self.lessons}:
                submission = book.update_or_create_submission(homework, student)
                for notebook in submission.notebooks:  # including those that were not handed in
                    for grade in notebook.grades if notebook.name not in names else []:
                        grade.auto_score, grade.needs_manual_grade = 0, False
            book.db.commit()

    def record(self, student, name, notebook):
        """Points from the outputs of the notebook and from manual.csv."""
        lesson = self.lessons[name]
        SaveAutoGrades(log=LOG).preprocess(notebook, resources_of(self.url, lesson, student))
        with Gradebook(self.url) as book:
            for cell in lesson.manual():
                points, comment = self.manual.get((student, name, cell), ("", ""))
                grade = book.find_grade(cell, name, homework_of(name), student)
                if points:
                    try:
                        grade.manual_score = float(points.replace(",", "."))
                    except ValueError:
                        raise SystemExit(
                            f"manual.csv: '{points}' for {student}, {name}, {cell} is no number of "
                            "points"
                        ) from None
                    grade.needs_manual_grade = False
                book.find_comment(cell, name, homework_of(name),
                                  student).manual_comment = comment or None
            book.db.commit()

    def feedback(self, student, name, notebook, remarks):
        resources = resources_of(self.url, self.lessons[name], student)
        notebook, resources = GetGrades(log=LOG).preprocess(copy.deepcopy(notebook), resources)
        if remarks:
            text = "**About what you handed in**\n\n" + "\n".join(f"- {remark}"
                                                                  for remark in remarks)
            notebook.cells.insert(0, nbformat.v4.new_markdown_cell(text))
        path = self.folder / "feedback" / student / f"{name}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(notebook, resources), encoding="utf-8")

    def rows(self, remarks):
        """One row per student and notebook, handed in or not. remarks[student]: by notebook; None:
        about everything else that was handed in."""
        found = []
        with Gradebook(self.url) as book:
            for student in sorted(remarks):
                for homework in sorted({homework_of(name) for name in self.lessons}):
                    submission = book.update_or_create_submission(homework, student)
                    for notebook in sorted(submission.notebooks,
                                           key=lambda notebook: notebook.name):
                        checked = [
                            grade for grade in notebook.grades
                            if not self.is_manual(notebook.name, grade)
                        ]
                        by_hand = [
                            grade for grade in notebook.grades
                            if self.is_manual(notebook.name, grade)
                        ]
                        found.append({
                            "student":
                            student,
                            "homework":
                            homework,
                            "notebook":
                            notebook.name,
                            "points":
                            notebook.score,
                            "possible":
                            notebook.max_score,
                            "checked":
                            sum(grade.score for grade in checked),
                            "checked_possible":
                            sum(grade.max_score for grade in checked),
                            "by_hand":
                            sum(grade.score for grade in by_hand),
                            "by_hand_possible":
                            sum(grade.max_score for grade in by_hand),
                            "waiting":
                            sum(bool(grade.needs_manual_grade) for grade in by_hand),
                            "remarks":
                            " ".join(remarks[student].get(
                                notebook.name, ["Not handed in.", *remarks[student][None]]))
                        })
        return found

    def is_manual(self, name, grade):
        return grade.name in self.lessons[name].manual()

    def write(self, remarks):
        """Writes class.csv and manual.csv; returns the rows."""
        rows = self.rows(remarks)
        write_csv(self.folder / "class.csv", list(rows[0]), [{
            key: number(value)
            for key, value in row.items()
        }
                                                             for row in rows])
        waiting = []
        for row in rows:
            if "Not handed in." in row["remarks"]:
                continue
            for cell in self.lessons[row["notebook"]].graded.cells:
                if utils.is_grade(cell) and utils.is_solution(cell):
                    name = cell.metadata.nbgrader.grade_id
                    points, comment = self.manual.get((row["student"], row["notebook"], name),
                                                      ("", ""))
                    waiting.append(
                        dict(
                            zip(MANUAL, (row["student"], row["notebook"], name,
                                         number(cell.metadata.nbgrader.points), points, comment))))
        write_csv(self.folder / "manual.csv", MANUAL, waiting)
        return rows


def number(value):
    return f"{value:g}" if isinstance(value, float) else value


def harmless(value):
    """A spreadsheet would take a cell that begins like a formula for a formula."""
    return "'" + value if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value


def write_csv(path, columns, rows):
    fresh = path.with_suffix(".new")
    with open(fresh, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, columns)
        table.writeheader()
        table.writerows({key: harmless(value) for key, value in row.items()} for row in rows)
    os.replace(fresh, path)
