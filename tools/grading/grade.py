"""Grades a class: `make grade SUBMISSIONS=folder`.

    python -m grading.grade SUBMISSIONS [--student NAME] [--out FOLDER] [--jobs N] [--seed N]
                            [--cell-seconds 20] [--student-seconds 600] [--again]

SUBMISSIONS holds one folder or zip file per student (submissions.py). Results are written beside
it, or to FOLDER:
    class.csv        points of every student and notebook, totals, and remarks
    class.html       per exercise how many passed, and the most frequent messages
    manual.csv       cells that need a person: fill in points and comments, then run this again
    feedback/        one page per student and notebook
    autograded/      the notebooks as they were graded
    gradebook.db     nbgrader's gradebook

Submissions that have not changed are not run again, unless --again is given. --student grades one
of them again; the others keep their results. Status 0: the class is graded; 1: it cannot be graded;
3: this machine allows no sandbox."""

import argparse
import concurrent.futures
import copy
import hashlib
import os
import pathlib
import queue
import secrets
import sys

import nbformat

from lessons.form import ROOT, SOLUTIONS
from lessons.homeworks import homework_of
from lessons.outputs import describe, errors

from . import manual, probes, restore, rooms, run, sandbox
from .book import Book
from .submissions import shown, students


class Progress:
    """One line that is updated in place; if the output is no terminal, one line per notebook."""
    def __init__(self, total, out=sys.stderr):
        self.total, self.done, self.out = total, 0, out

    def step(self, what):
        self.done += 1
        bar = "#" * (24 * self.done // self.total)
        line = f"[{bar:<24}] {self.done}/{self.total} {what}"
        print(f"\r\x1b[K{line}" if self.out.isatty() else line,
              end="" if self.out.isatty() and self.done < self.total else "\n",
              file=self.out,
              flush=True)


def grader_text():
    files = [
        *sorted(pathlib.Path(__file__).parent.rglob("*.py")), probes.FOLDER / "probe.hpp",
        *sorted(path for pattern in ("*/*.cpp", "*/judge.py", "*/needs.txt", "common/*.txt")
                for path in probes.FOLDER.glob(pattern))
    ]
    return "".join(path.read_text(encoding="utf-8") for path in files)


class Class:
    def __init__(self, options):
        self.options, self.limits = options, sandbox.Limits()
        self.seed = secrets.randbelow(2**31) if options.seed is None else options.seed
        self.slots, self.lessons, self.plans = queue.SimpleQueue(), {}, {}
        self.grader = hashlib.sha256(grader_text().encode()).hexdigest()
        for slot in range(options.jobs):
            self.slots.put(slot)

    def in_a_slot(self, work, *arguments):
        slot = self.slots.get()
        try:
            return work(*arguments, slot)
        finally:
            self.slots.put(slot)

    def plan(self, solution=None):
        return run.Plan(self.seed, self.limits, self.options.cell_seconds, solution,
                        self.options.student_seconds)

    def run_solution(self, name, slot):
        """The values of the right answers and how long they take. If the solution fails, grading
        would be wrong for everybody."""
        lesson = self.lessons[name]
        notebook = copy.deepcopy(lesson.graded)
        sources = {cell.id: cell.source for cell in lesson.solution.cells}
        for cell in notebook.cells:
            cell.source = sources[cell.id]
        outcome = run.run(lesson, notebook, self.plan(), slot)
        failed = [
            describe(cell,
                     errors(cell)[0])
            for cell in notebook.cells if restore.is_check(cell) and errors(cell)
        ] + outcome.remarks
        if failed:
            raise SystemExit(
                f"{name}: the teacher's own solution does not pass, so nobody is graded. "
                f"{failed[0]}")
        return name, self.plan(outcome)

    def stamp(self, lesson, data):
        return hashlib.sha256(data + nbformat.writes(lesson.solution).encode() +
                              self.grader.encode()).hexdigest()

    def graded_path(self, student, name):
        return self.options.out / "autograded" / student / homework_of(name) / f"{name}.ipynb"

    def earlier(self, submission, name):
        """The notebook as it was graded before, if nothing has changed since."""
        kept = self.graded_path(submission.student, name)
        if self.options.again or self.options.student or not kept.exists():
            return None
        try:
            notebook = nbformat.read(kept, as_version=4)
        except Exception:  # a run that was stopped while it wrote
            return None
        stamp = self.stamp(self.lessons[name], submission.notebooks[name].data)
        return notebook if notebook.metadata.get("lanes", {}).get("stamp") == stamp else None

    def run_student(self, submission, name, slot):
        """Whatever goes wrong here is this student's alone."""
        lesson, found = self.lessons[name], submission.notebooks[name]
        try:
            notebook, remarks = restore.restore(lesson, restore.read(shown(found.name), found.data))
            remarks += run.run(lesson, notebook, self.plans[name], slot).remarks
        except Exception as error:
            expected = isinstance(error, restore.Unreadable)
            words = str(error) if expected else (
                f"{shown(found.place)} could not be graded: {type(error).__name__}: {error}")
            notebook, remarks = copy.deepcopy(lesson.graded), [words]
            for cell in notebook.cells:
                if restore.is_check(cell):
                    cell.outputs = [run.failure("NotRun", words)]
        notebook.metadata.lanes = {
            "stamp": self.stamp(lesson, found.data),
            "remarks": remarks,
            "seed": self.seed
        }
        kept = self.graded_path(submission.student, name)
        kept.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, kept)
        return submission.student, name, notebook

    def read_lessons(self, names):
        self.lessons = {name: restore.Lesson(SOLUTIONS / f"{name}.ipynb") for name in sorted(names)}

    def grade(self, handed_in):
        """{(student, lesson): graded notebook}"""
        work = [(submission, name) for submission in handed_in for name in submission.notebooks]
        done = {
            (submission.student, name): self.earlier(submission, name)
            for submission, name in work
        }
        todo = [(submission, name) for submission, name in work
                if done[submission.student, name] is None]
        needed = sorted({name for _, name in todo})
        progress = Progress(len(todo) + len(needed)) if todo else None
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for future in concurrent.futures.as_completed(
                [pool.submit(self.in_a_slot, self.run_solution, name) for name in needed]):
                name, self.plans[name] = future.result()
                progress.step(f"the solution of {name}")
            for future in concurrent.futures.as_completed(
                [pool.submit(self.in_a_slot, self.run_student, *one) for one in todo]):
                student, name, done[student, name] = future.result()
                progress.step(f"{student} {name}")
        return done, {submission.student for submission, _ in todo}

    def kept(self, submission):
        """The results of a student who is not graded this time."""
        return {
            name: nbformat.read(path, as_version=4)
            for name in submission.notebooks
            if (path := self.graded_path(submission.student, name)).exists()
        }


def options():
    parser = argparse.ArgumentParser(prog="make grade",
                                     description="Grades a folder of submissions.")
    parser.add_argument("submissions", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--student", help="grades this one again, and nobody else")
    parser.add_argument("--jobs", type=int, default=max(1, len(os.sched_getaffinity(0))))
    parser.add_argument("--seed", type=int, help="of the random arguments, to repeat a failure")
    parser.add_argument("--cell-seconds", type=float, default=20)
    parser.add_argument("--student-seconds", type=float, default=600)
    parser.add_argument("--again", action="store_true")
    given = parser.parse_args()
    given.submissions = given.submissions.resolve()
    given.out = (given.out
                 or given.submissions.with_name(given.submissions.name + "-graded")).resolve()
    return given


def grade(given):
    everybody, notes = students(given.submissions)
    handed_in = [one for one in everybody if given.student in (None, one.student)]
    if given.student and not handed_in:
        raise SystemExit(
            f"There is no student '{given.student}' in {given.submissions}. There are: " +
            ", ".join(one.student for one in everybody) + ".")
    if not any(one.notebooks for one in everybody):
        raise SystemExit("\n".join([
            f"{given.submissions} holds no notebook of the course. It needs one folder or "
            "zip file per student, with notebooks named as in "
            f"{ROOT.name}/notebooks.", *notes
        ]))
    course = Class(given)
    course.read_lessons({name for one in everybody for name in one.notebooks})
    book = Book(given.out, course.lessons)
    book.manual.check(book.possible, {one.student for one in everybody})
    done, graded_now = course.grade(handed_in)
    for one in everybody:
        now = one in handed_in
        book.add(one.student, one.remarks, {
            name: notebook
            for (student, name), notebook in done.items() if student == one.student
        } if now else course.kept(one))
    rows = book.write_tables()  # first: a page may take its time
    book.write_pages({one.student
                      for one in handed_in},
                     lambda student, words: print(f"{student}: {words}", file=sys.stderr))
    book.write_gradebook()
    return rows, handed_in, notes


def main():
    given = options()
    if not given.submissions.is_dir():
        raise SystemExit(
            f"{given.submissions} is not a folder. Try make grade SUBMISSIONS=folder, with one "
            "folder or zip file per student in it.")
    reason = sandbox.refusal()
    if reason:
        print(f"Nothing was graded: {reason}", file=sys.stderr)
        return 3
    given.out.mkdir(parents=True, exist_ok=True)
    try:
        rows, handed_in, notes = grade(given)
    except (manual.Refused, rooms.CannotBuild) as refused:
        raise SystemExit(str(refused)) from None
    for row in rows:
        if given.student in (None, row["student"]):
            print(f"{row['student']:<20} {row['notebook']:<24} {row['points']:>5g} of "
                  f"{row['possible']:g}" +
                  (f", {row['waiting']} cells wait for you" if row["waiting"] else ""))
    for one in handed_in:
        for remark in one.remarks:
            print(f"{one.student}: {remark}")
    print("\n".join([*notes, f"{given.out}: class.csv, class.html, manual.csv, feedback/"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
