"""Grades a class: `make grade SUBMISSIONS=folder`.

    python -m grading.grade SUBMISSIONS [--student NAME] [--out FOLDER] [--jobs N] [--seed N]
                            [--cell-seconds 20] [--student-seconds 600] [--again]

SUBMISSIONS holds one folder or archive (zip, tar) per student (submissions.py). Results are
written beside it, or to FOLDER:
    class.csv        points of every student and notebook, totals, and remarks
    class.html       distribution of points, the hardest exercises, who needs a look
    similar.html     pairs of answers that are alike
    moodle_HW.csv, canvas.csv   points to import there
    manual.csv       cells that need a person: fill in points and comments, then run this again
    feedback/        one page per student and notebook
    autograded/      the notebooks as they were graded
    gradebook.db     nbgrader's gradebook
    names.json       which folder or archive has which name here

Submissions that have not changed are not run again, unless --again is given, or a solution or the
grader has changed. --student grades one of them again; the others keep their results. If the same
submission gets other points than before, these are listed, and stored only with --accept.

A result is kept only if it is the doing of the submission. Whatever else fails (the disk is full, a
process is killed, the grader itself has a fault) leaves no result: class.csv says "not graded yet",
the end of the output says why, and the same command grades just those again. Ctrl-C keeps what is
finished.

Status 0: the class is graded; 1: it cannot be graded; 3: this machine allows no sandbox; 4: some
are not graded yet; 130: stopped."""

import argparse
import concurrent.futures
import copy
import fcntl
import hashlib
import json
import os
import pathlib
import queue
import secrets
import sys

import nbformat

from lessons.form import ROOT, SOLUTIONS
from lessons.homeworks import homework_of
from lessons.outputs import describe, errors

from . import bubblewrap, cells, guard, jail, manual, probes, restore, rooms, run
from .book import Book
from .submissions import shown, students


GRADER = pathlib.Path(__file__).parent


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
    """What points depend on besides submission and solution: the grader, and all files of the
    exercises but the answers that tests keep."""
    files = [
        *GRADER.rglob("*.py"),
        *(path for path in probes.FOLDER.rglob("*")
          if path.is_file() and path.name != "answers.txt" and "__pycache__" not in path.parts)
    ]
    return b"".join(b"%s\0%s\0" % (str(path.relative_to(ROOT)).encode(), path.read_bytes())
                    for path in sorted(files))


class Class:
    def __init__(self, options):
        self.options, self.limits = options, bubblewrap.limits_for(options.jobs)
        self.seed = secrets.randbelow(2**31) if options.seed is None else options.seed
        self.slots, self.lessons, self.plans = queue.SimpleQueue(), {}, {}
        self.stopped = False
        self.done, self.failed = {}, {}  # {(student, lesson): notebook, or why there is none}
        self.changed = {}  # {(student, lesson): (checks that passed before, and now)}
        self.grader = hashlib.sha256(grader_text()).hexdigest()
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
            raise CannotGrade(
                f"{name}: the teacher's own solution does not pass, so nobody is graded. "
                f"{failed[0]}")
        return self.plan(outcome)

    def stamp(self, lesson, data):
        return hashlib.sha256(data + nbformat.writes(lesson.solution).encode() +
                              self.grader.encode()).hexdigest()

    def graded_path(self, student, name, place="autograded"):
        return self.options.out / place / student / homework_of(name) / f"{name}.ipynb"

    def use_earlier(self, key, submission):
        """Takes over what was graded before, if nothing has changed since."""
        if self.options.again or self.options.student:
            return
        stamp = self.stamp(self.lessons[key[1]], submission.notebooks[key[1]].data)
        for place in ("autograded", "regraded"):
            notebook = read_notebook(self.graded_path(*key, place))
            if notebook is not None and notebook.metadata.get("lanes", {}).get("stamp") == stamp:
                if place == "autograded":
                    self.done[key] = notebook
                else:
                    self.store(key, notebook)
                return

    def run_student(self, submission, name, slot):
        lesson, found = self.lessons[name], submission.notebooks[name]
        try:
            notebook, remarks = restore.restore(lesson, restore.read(shown(found.name), found.data))
        except restore.Unreadable as error:
            notebook, remarks = copy.deepcopy(lesson.graded), [str(error)]
            for cell in notebook.cells:
                if restore.is_check(cell):
                    cell.outputs = [cells.failure("NotRun", str(error))]
        else:
            remarks += run.run(lesson, notebook, self.plans[name], slot).remarks
        notebook.metadata.lanes = {
            "stamp": self.stamp(lesson, found.data),
            "submission": hashlib.sha256(found.data).hexdigest(),
            "remarks": remarks,
            "seed": self.seed
        }
        self.store((submission.student, name), notebook)

    def store(self, key, notebook):
        """If the same submission had other points before, they stay until the teacher accepts the
        new ones, which are kept beside them."""
        path = self.graded_path(*key)
        old = read_notebook(path)
        if old is not None and not self.options.accept:
            before, now = points_of_checks(old), points_of_checks(notebook)
            if (old.metadata.get("lanes", {}).get("submission") == notebook.metadata.lanes.submission
                    and before != now):
                self.keep(self.graded_path(*key, "regraded"), notebook)
                self.changed[key], self.done[key] = (before, now), old
                return
        self.done[key] = self.keep(path, notebook)
        self.graded_path(*key, "regraded").unlink(missing_ok=True)

    def keep(self, path, notebook):
        """Writes the file as a whole or not at all; returns the notebook as it can be read again.
        What is no Unicode, such as half an emoji in an output, becomes a question mark."""
        data = nbformat.writes(notebook).encode("utf-8", "replace")
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        try:
            fresh.write_bytes(data)
            os.replace(fresh, path)
        finally:
            fresh.unlink(missing_ok=True)
        return nbformat.reads(data.decode("utf-8"), as_version=4)

    def read_lessons(self, names):
        self.lessons = {name: restore.Lesson(SOLUTIONS / f"{name}.ipynb") for name in sorted(names)}

    def grade(self, handed_in):
        """Fills in `done` and `failed`."""
        work = {(submission.student, name): submission
                for submission in handed_in for name in submission.notebooks
                if not submission.fault}
        for key, submission in work.items():
            self.use_earlier(key, submission)
        todo = [key for key in work if key not in self.done]
        needed = sorted({name for _, name in todo})
        failed = dict.fromkeys(todo, "the run was stopped before")
        progress = Progress(len(todo) + len(needed)) if todo else None
        pool = concurrent.futures.ThreadPoolExecutor(self.options.jobs)
        try:
            for name, plan, error in self.in_parallel(
                    pool, {name: (self.run_solution, name) for name in needed}):
                if error:
                    if isinstance(error, (CannotGrade, rooms.CannotBuild)):
                        raise error
                    for key in todo:
                        if key[1] == name:
                            failed[key] = f"the solution could not be run: {reason_of(error)}"
                else:
                    self.plans[name] = plan
                progress.step(f"the solution of {name}")
            for key, _, error in self.in_parallel(
                    pool, {key: (self.run_student, work[key], key[1])
                           for key in todo if key[1] in self.plans}):
                if error:
                    failed[key] = reason_of(error)
                progress.step(" ".join(key) + (": not graded" if error else ""))
        except KeyboardInterrupt:
            self.stopped = True
        finally:
            if sys.exc_info()[0] or self.stopped:
                jail.RUNNING.stop("make grade was stopped")
            pool.shutdown(cancel_futures=True)
        self.failed = {key: words for key, words in failed.items() if key not in self.done}
        self.failed |= {(submission.student, name): submission.fault for submission in handed_in
                        if submission.fault for name in self.lessons}

    def in_parallel_slots(self, jobs):
        """The same as in_parallel, in a pool of its own; functions also get a slot."""
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            try:
                yield from self.in_parallel(pool, jobs)
            except KeyboardInterrupt:
                jail.RUNNING.stop("make grade was stopped")
                pool.shutdown(cancel_futures=True)
                raise

    def in_parallel(self, pool, jobs):
        """{key: (function, arguments...)} -> (key, result, exception) of each, as they end."""
        futures = {pool.submit(self.in_a_slot, *job): key for key, job in jobs.items()}
        for future in concurrent.futures.as_completed(futures):
            error = future.exception()
            yield futures[future], None if error else future.result(), error

    def kept(self, submission):
        """The results of a student who is not graded this time."""
        found = {}
        for name in submission.notebooks:
            try:
                found[name] = nbformat.read(self.graded_path(submission.student, name),
                                            as_version=4)
            except Exception as error:  # there is none, or it was damaged
                self.failed[submission.student, name] = f"no result yet: {reason_of(error)}"
        return found


def read_notebook(path):
    """None if there is none; a run that was stopped may have left half of one."""
    try:
        return nbformat.read(path, as_version=4)
    except Exception:  # nbformat raises many types
        return None


def points_of_checks(notebook):
    """{check: its points}"""
    return {cell.metadata.nbgrader.grade_id: restore.points_of(cell)
            for cell in notebook.cells if restore.is_check(cell)}


def words_of_change(key, before, now):
    what = ", ".join(f"{check} {before.get(check, 0):g} -> {now.get(check, 0):g}"
                     for check in sorted({*before, *now}) if before.get(check) != now.get(check))
    return f"{key[0]} {key[1]}: {sum(before.values()):g} -> {sum(now.values()):g} ({what})"


class CannotGrade(Exception):
    """Grading would be wrong for everybody."""


def reason_of(error):
    """One line for the teacher."""
    words = shown(str(error).strip().split("\n")[0])
    return words if isinstance(error, bubblewrap.Fault) else f"{type(error).__name__}: {words}"


class Lock:
    """One grader at a time writes to a folder."""
    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        self.file = open(self.folder / "lock", "a+")
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.file.seek(0)
            raise CannotGrade(
                f"{self.folder}: another make grade (process {self.file.read().strip() or '?'}) "
                "is at work there. Wait for it, or choose another folder by --out.") from None
        self.file.truncate(0)
        self.file.write(str(os.getppid()))
        self.file.flush()

    def __exit__(self, *_):
        self.file.close()


def options():
    parser = argparse.ArgumentParser(prog="make grade",
                                     description="Grades a folder of submissions.")
    parser.add_argument("submissions", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--student", help="grades this one again, and nobody else")
    parser.add_argument("--jobs", type=int, default=bubblewrap.most_jobs())
    parser.add_argument("--seed", type=int, help="of the random arguments, to repeat a failure")
    parser.add_argument("--cell-seconds", type=float, default=20)
    parser.add_argument("--student-seconds", type=float, default=600)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--accept", action="store_true", help="stores points that have changed")
    given = parser.parse_args()
    given.submissions = given.submissions.resolve()
    given.out = (given.out
                 or given.submissions.with_name(given.submissions.name + "-graded")).resolve()
    return given


def remembered_names(path):
    """{folder or archive: name of the student}, as earlier runs gave them."""
    try:
        names = json.loads(path.read_text(encoding="utf-8"))
        return {str(key): str(value) for key, value in names.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, AttributeError):
        raise CannotGrade(f"{path} is damaged. It says which student has which name in manual.csv: "
                          "repair it, or delete it if no two names look the same.") from None


def write_text(path, text):
    """As a whole or not at all."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8", errors="replace")
    os.replace(fresh, path)


def grade(given):
    names = remembered_names(given.out / "names.json")
    everybody, notes = students(given.submissions, names)
    write_text(given.out / "names.json",
               json.dumps(names, indent=1, ensure_ascii=True, sort_keys=True))
    handed_in = [one for one in everybody if given.student in (None, one.student)]
    if given.student and not handed_in:
        raise CannotGrade(
            f"There is no student '{given.student}' in {given.submissions}. There are: " +
            ", ".join(one.student for one in everybody) + ".")
    if not any(one.notebooks for one in everybody):
        raise CannotGrade("\n".join([
            f"{given.submissions} holds no notebook of the course. It needs one folder or "
            "archive (zip, tar) per student, with notebooks named as in "
            f"{ROOT.name}/notebooks.", *notes
        ]))
    course = Class(given)
    course.read_lessons({name for one in everybody for name in one.notebooks})
    book = Book(given.out, course.lessons, {one.student for one in everybody})
    course.grade(handed_in)
    book.folders = {student: folder for folder, student in names.items()}
    for one in everybody:
        now = one in handed_in
        book.add(one.student, one.remarks, {
            name: notebook
            for (student, name), notebook in course.done.items() if student == one.student
        } if now else course.kept(one), {
            name: words
            for (student, name), words in course.failed.items() if student == one.student
        })
    rows = book.write_tables()  # first: a page may take its time
    problems = [f"{student} {name}: {words}" for (student, name), words in course.failed.items()]
    try:
        if course.stopped:
            raise KeyboardInterrupt
        problems += book.write_pages({one.student for one in handed_in}, course.in_parallel_slots)
        book.write_gradebook()
    except KeyboardInterrupt:
        course.stopped = True
        jail.RUNNING.stop("make grade was stopped")
    notes += book.notes
    if course.changed:
        notes += ["", "Graded again, these would have other points. The old ones stay until you run "
                  "this with ARGS=--accept:"] + [
                      words_of_change(key, *both) for key, both in sorted(course.changed.items())]
    return rows, handed_in, notes, problems, course.stopped


def main():
    sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may not know a student's letters
    given = options()
    if not given.submissions.is_dir():
        raise SystemExit(
            f"{given.submissions} is not a folder. Try make grade SUBMISSIONS=folder, with one "
            "folder or archive (zip, tar) per student in it.")
    try:
        reason = bubblewrap.refusal()
    except bubblewrap.Fault as fault:
        print(f"Nothing was graded: {fault}. Run the same command again.", file=sys.stderr)
        return 4
    if reason:
        print(f"Nothing was graded: {reason}", file=sys.stderr)
        return 3
    try:
        given.out.mkdir(parents=True, exist_ok=True)
        with Lock(given.out):
            rows, handed_in, notes, problems, stopped = grade(given)
    except (CannotGrade, manual.Refused, rooms.CannotBuild, OSError) as refused:
        print(refused, file=sys.stderr)
        if isinstance(refused, OSError):
            print("What was finished is kept: run the same command again.", file=sys.stderr)
        return 1
    for row in rows:
        if given.student in (None, row["student"]):
            points = row["points"]
            print(f"{row['student']:<20} {row['notebook']:<24} " +
                  (points if isinstance(points, str) else f"{points:>5g} of {row['possible']:g}") +
                  (f", {row['waiting']} cells wait for you" if row["waiting"] else ""))
    for one in handed_in:
        for remark in one.remarks:
            print(f"{one.student}: {remark}")
    print("\n".join([*notes, f"{given.out}: class.csv, class.html, manual.csv, feedback/"]))
    if problems:
        print(f"\nNot done, through no fault of the submission ({len(problems)}):", *problems,
              "The same command does just these again.", sep="\n", file=sys.stderr)
    return 130 if stopped else 4 if problems else 0


if __name__ == "__main__":
    guard.guarded(main)
