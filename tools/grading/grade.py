"""Grades a class: `make grade SUBMISSIONS=folder`.

    python -m grading.grade SUBMISSIONS [--out FOLDER] [--jobs N] [--cell-seconds 20] [--again]

SUBMISSIONS holds one folder or zip file per student (submissions.py). Results are written beside
it, or to FOLDER:
    class.csv        points of every student and notebook, and remarks
    manual.csv       cells that need a person: fill in points and comments, then run this again
    feedback/        one page per student and notebook
    autograded/      the notebooks as they were graded
    gradebook.db     nbgrader's gradebook

Submissions that have not changed are not run again, unless --again is given. Status 0: the class is
graded; 1: it cannot be graded; 3: this machine allows no sandbox."""

import argparse
import concurrent.futures
import copy
import hashlib
import os
import pathlib
import queue
import secrets
import sys
import tempfile

import nbformat

from lessons.form import ROOT, SOLUTIONS
from lessons.homeworks import homework_of
from lessons.outputs import describe, errors

from . import probes, restore, run, sandbox
from .book import Book
from .submissions import students


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
        *sorted(probes.FOLDER.glob("*/probe.cpp")), *sorted(probes.FOLDER.glob("*/judge.py"))
    ]
    return "".join(path.read_text(encoding="utf-8") for path in files)


class Class:
    def __init__(self, options):
        self.options, self.limits, self.seed = options, sandbox.Limits(), secrets.randbelow(2**31)
        self.slots, self.remarks, self.lessons, self.plans = queue.SimpleQueue(), {}, {}, {}
        for slot in range(options.jobs):
            self.slots.put(slot)

    def in_a_slot(self, work, *arguments):
        slot = self.slots.get()
        try:
            return work(*arguments, slot)
        finally:
            self.slots.put(slot)

    def run_solution(self, name, slot):
        """What the right answers print and how long the cells take. If the solution fails, grading
        would be wrong for everybody."""
        lesson = self.lessons[name]
        notebook = copy.deepcopy(lesson.graded)
        sources = {cell.id: cell.source for cell in lesson.solution.cells}
        for cell in notebook.cells:
            cell.source = sources[cell.id]
        plan = run.Plan(self.seed, self.limits, self.options.cell_seconds)
        plan_for_students = run.Plan(self.seed, self.limits, self.options.cell_seconds,
                                     run.run(lesson, notebook, plan, slot))
        failed = [
            describe(cell,
                     errors(cell)[0])
            for cell in notebook.cells
            if restore.is_check(cell) and errors(cell)
        ]
        failed += [
            f"the probe after '{name}' fails: {probed.problem}"
            for probed in plan_for_students.solution.probes.values()
            if probed.problem
        ]
        if failed:
            raise SystemExit(
                f"{name}: the teacher's own solution does not pass, so nobody is graded. "
                f"{failed[0]}"
            )
        return name, plan_for_students

    def stamp(self, lesson, path):
        return hashlib.sha256(path.read_bytes() + nbformat.writes(lesson.solution).encode() +
                              grader_text().encode()).hexdigest()

    def graded_path(self, student, name):
        return self.options.out / "autograded" / student / homework_of(name) / f"{name}.ipynb"

    def earlier(self, student, name, path):
        """The notebook as it was graded before, if nothing has changed since."""
        kept = self.graded_path(student, name)
        if self.options.again or not kept.exists():
            return None
        notebook = nbformat.read(kept, as_version=4)
        return notebook if notebook.metadata.get("lanes", {}).get("stamp") == self.stamp(
            self.lessons[name], path) else None

    def run_student(self, student, name, path, slot):
        lesson = self.lessons[name]
        try:
            notebook, remarks = restore.restore(lesson, restore.read(path))
            outcome = run.run(lesson, notebook, self.plans[name], slot)
            remarks += outcome.remarks
        except restore.Unreadable as error:
            notebook, remarks = copy.deepcopy(lesson.graded), [str(error)]
            for cell in notebook.cells:
                if restore.is_check(cell):
                    cell.outputs = [run.failure("NotRun", str(error))]
        notebook.metadata.lanes = {"stamp": self.stamp(lesson, path), "remarks": remarks}
        kept = self.graded_path(student, name)
        kept.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, kept)
        return student, name, notebook

    def grade(self, handed_in):
        work = [(student, name, path)
                for student, (notebooks, _) in handed_in.items()
                for name, path in notebooks.items()]
        self.lessons = {
            name: restore.Lesson(SOLUTIONS / f"{name}.ipynb")
            for name in sorted({name
                                for _, name, _ in work})
        }
        done = {(student, name): self.earlier(student, name, path) for student, name, path in work}
        todo = [(student, name, path)
                for student, name, path in work
                if done[student, name] is None]
        needed = sorted({name for _, name, _ in todo})
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
        return done

    def write(self, handed_in, done):
        book = Book(self.options.out, self.lessons)
        for student, (notebooks, remarks) in handed_in.items():
            self.remarks[student] = {None: remarks}
            book.add_student(student, set(notebooks))
            for name in notebooks:
                notebook = done[student, name]
                self.remarks[student][name] = remarks + notebook.metadata.lanes.remarks
                book.record(student, name, notebook)
                book.feedback(student, name, notebook, self.remarks[student][name])
        return book.write(self.remarks)


def options():
    parser = argparse.ArgumentParser(prog="make grade",
                                     description="Grades a folder of submissions.")
    parser.add_argument("submissions", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=max(1, len(os.sched_getaffinity(0))))
    parser.add_argument("--cell-seconds", type=float, default=20)
    parser.add_argument("--again", action="store_true")
    given = parser.parse_args()
    given.submissions = given.submissions.resolve()
    given.out = (given.out
                 or given.submissions.with_name(given.submissions.name + "-graded")).resolve()
    return given


def main():
    given = options()
    if not given.submissions.is_dir():
        raise SystemExit(
            f"{given.submissions} is not a folder. Try make grade SUBMISSIONS=folder, with one "
            "folder or zip file per student in it."
        )
    reason = sandbox.refusal()
    if reason:
        print(f"Nothing was graded: {reason}", file=sys.stderr)
        return 3
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as unpacked:
        handed_in = students(given.submissions, pathlib.Path(unpacked))
        if not any(notebooks for notebooks, _ in handed_in.values()):
            raise SystemExit(
                f"{given.submissions} holds no notebook of the course. It needs one folder or zip "
                f"file per student, with notebooks named as in {ROOT.name}/notebooks."
            )
        course = Class(given)
        rows = course.write(handed_in, course.grade(handed_in))
    for row in rows:
        print(
            f"{row['student']:<20} {row['notebook']:<24} {row['points']:>5g} of {row['possible']:g}"
            + (f", {row['waiting']} cells wait for you" if row["waiting"] else ""))
    for student, (_, remarks) in handed_in.items():
        for remark in remarks:
            print(f"{student}: {remark}")
    print(f"{given.out}: class.csv, manual.csv, feedback/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
