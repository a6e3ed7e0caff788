"""Grades one notebook. For each check of the lesson:

1. Which declarations is the answer made of? The cells are compiled, and not run, in a session that
   knows the whole course. It lists what the probe's function needs (`%references`): the answer,
   helpers and aliases wherever they stand, and what of the standard library and xtensor they use.
2. These declarations are run in a new session that has only what the exercise allows (rooms.py),
   then the probe calls the answer with random arguments. Its values are compared outside (probes).
   If something is forbidden and the values are right, they are read again in such a session.
3. Only if this fails, the check of the notebook is run, to explain the mistake to the student.

Other cells, printed text and the order in which cells were run play no part in the points."""

import json
import re

from lessons.outputs import tags

from . import clock, needs, probes, rooms, screen
from .bubblewrap import HOME, SLOW, Fault
from .cells import IfFailed, failure, first_error, in_new_session, printed, seconds_text
from .reading import COMPILE_SECONDS, Compiler, Made, exercises_of, forbidden, objection_to
from .restore import OWN, is_answer, is_check

NOT_FILLED_IN = "Fill in "
TIMES_OF_THE_SOLUTION = 10  # how much slower than the solution an answer may be
BUSY = 4  # times as slow as before: such a machine cannot judge what is too slow
MISSING = re.compile(rf"'(?:{HOME}/)?([^']+)' file not found")


class Plan:
    """What is the same for a whole `make grade`: the seed, and the results and times of the
    teacher's own solution (None while that is run)."""
    def __init__(self, seed, limits, cell_seconds, solution=None, student_seconds=600):
        self.seed, self.limits, self.solution = seed, limits, solution
        self.cell_seconds, self.student_seconds = cell_seconds, student_seconds
        self.explains = True  # runs the check of the notebook to explain what is wrong
        self.hides = True  # what an answer says in a session that holds the text of a solution

    def limit(self, check):
        """Seconds for the answer of a check."""
        usual = self.solution.seconds.get(check, 0) if self.solution else 30
        return (self.cell_seconds + TIMES_OF_THE_SOLUTION * usual) * SLOW


class Outcome:
    """By the id of a check: seconds, probes, and what was called in how many seconds; remarks."""
    def __init__(self):
        self.seconds, self.probes, self.called, self.remarks = {}, {}, {}, []


class Notebook:
    """One notebook that is being graded."""
    def __init__(self, lesson, notebook, plan, slot):
        self.lesson, self.notebook, self.plan, self.slot = lesson, notebook, plan, slot
        self.outcome, self.passed, self.number_of = Outcome(), {}, {}
        self.share = {}  # id of a check: (parts of the answer that are right, all of them)
        self.exercises = {one.check.id: one for one in exercises_of(lesson)}
        self.answer_of = {cell: one for one in self.exercises.values() for cell in one.answers}
        self.so_far = []  # number and source of the cells before
        self.files = {}  # number of a cell: its source, if it writes a header
        self.broken = {}  # id of an answer cell: why it does not compile
        self.missing = {}  # name of a header: what does not compile without it
        self.until = clock.now() + plan.student_seconds * SLOW
        self.is_late = False

    def grade(self):
        self.left, self.compiler = len(self.exercises), Compiler(self.plan, self.slot)
        try:
            for cell in self.notebook.cells:
                if cell.cell_type != "code" or self.left == 0:
                    continue
                if is_check(cell):
                    self.left -= 1
                    self.decide(cell)
                elif is_compiled(cell) and clock.now() < self.until:
                    self.compile(cell)
        finally:
            self.compiler.close()
        self.outcome.remarks += [
            f"The header '{header}' is in no cell, and files beside a notebook are not read: put "
            f"its text into a cell that begins with %%file {header}. Without it, these do not "
            f"compile: {', '.join(cells)}."
            for header, cells in self.missing.items()
        ]

    def compile(self, cell):
        if (is_answer(cell) or OWN in tags(cell)) and (words := screen.refused(cell.source)):
            self.leave_out(cell, words)
            return
        outputs = self.compiler.run(cell.source)
        self.number_of[self.compiler.count] = cell.id
        self.so_far.append((self.compiler.count, cell.source))
        if not (error := first_error(outputs)):
            if cell.source.lstrip().startswith(("%%file", "%%writefile")):
                self.files[self.compiler.count] = [cell.source]
            return
        name = cell.metadata.nbgrader.grade_id if is_answer(cell) else "a cell of your own"
        if missing := MISSING.search(error.evalue):
            self.missing.setdefault(missing[1], {})[name] = True
        if is_answer(cell):
            self.broken[cell.id] = error
            if not missing:
                self.outcome.remarks.append(
                    f"The cell '{name}' does not compile, so it counts as not answered: "
                    f"{error.evalue.split(chr(10))[0]}")
            self.run_instead(cell.id, self.lesson.released)

    def leave_out(self, cell, words):
        """A cell that is refused is neither read nor run."""
        if is_answer(cell):
            self.broken[cell.id] = failure("NotAllowed", words)
            self.run_instead(cell.id, self.lesson.released)
        else:
            self.outcome.remarks.append(f"A cell of your own was left out: {words}")

    def run_instead(self, name, notebook):
        """Later cells find the names that they need."""
        self.compiler.run(next(cell.source for cell in notebook.cells if cell.id == name))
        self.number_of[self.compiler.count] = name

    def decide(self, cell):
        """Fills in the outputs of a check: if there is an error, it has no points, or the share of
        the parts that are right."""
        exercise, start = self.exercises[cell.id], clock.now()
        if start > self.until:
            if not self.is_late:  # the solution takes its time: once is enough
                self.look_at_the_machine(exercise, cell)
                self.is_late = True
            cell.outputs = [
                failure(
                    "NotRun", "the time for this student is used up: "
                    f"{seconds_text(self.plan.student_seconds)}.")
            ]
            return
        problem, made = self.try_answer(exercise, cell)
        self.outcome.seconds[cell.id] = clock.now() - start
        self.passed[exercise.name] = problem is None
        if problem is None:
            cell.outputs = [
                printed(f"{exercise.title()}: passed. "
                        f"(Random arguments, seed {self.plan.seed}.)\n")
            ]
            if not self.replaced(exercise, made):
                self.report(exercise, cell, made)
            return
        if cell.id in self.share:
            cell.metadata.lanes = {"parts": self.share[cell.id]}
        if made and (replaced := self.replaced(exercise, made)):
            cell.outputs = [problem if problem.ename != "Wrong" else failure(
                "Wrong", f"{exercise.title()}: wrong. Your {replaced} has not passed, so this was "
                "tried with the solution of it, and no message is shown. Repair "
                f"{replaced}, then run the check in your notebook.")]
        else:
            filled_in = NOT_FILLED_IN not in problem.evalue
            endless = "TimeLimit: " in problem.evalue  # the check would wait for as long again
            explains = filled_in and not endless
            cell.outputs = (self.explain(cell, made) if explains else []) + [problem]
        for answer in exercise.answers if self.left else ():  # later cells get the solution
            self.run_instead(answer, self.lesson.solution)

    def try_answer(self, exercise, cell):
        """(an error output or None, what the answer is made of)"""
        for answer in exercise.answers:
            if answer in self.broken:
                return self.broken[answer], None
        if words := self.not_filled_in(exercise):
            return failure("NotFilledIn", words), None
        missing = [
            name for name in exercise.needs.answer
            if not exercise.answers and not self.passed.get(name, True)
        ]
        if missing:
            return failure("NotPassed",
                           f"this needs your {missing[0]}, which has not passed."), None
        self.compiler.run(cell.source)  # it may declare what the probe calls
        self.number_of[self.compiler.count] = cell.id
        outputs = self.compiler.run(
            probes.declaration(exercise.name, [source for _, source in self.so_far]))
        if error := first_error(outputs):
            return failure(
                "NotCallable", f"{exercise.title()} cannot be called as the exercise "
                f"says: {error.evalue}"), None
        outputs = self.compiler.run("%references lanes_probe")
        if (error := first_error(outputs)) or not outputs:
            return error or failure("NotRun", "the answer could not be read."), None
        made = Made(json.loads(outputs[0].text))
        made.cells |= self.files
        if against := self.objection(exercise, made):
            return against, made
        probed, verdict = self.probe(exercise, cell, made.sources())
        if verdict.wrong and self.may_need_statements(exercise, made):
            # Perhaps a statement fills a table.
            again, other = self.probe(exercise, cell, self.whole_cells(made), all_must_run=False)
            if other.right > verdict.right:
                probed, verdict = again, other
                if other.right and exercise.needs.forbid:
                    self.outcome.remarks.append(
                        f"{exercise.title()}: the points come from statements outside functions, "
                        "which are read less strictly: have a look at them.")
        self.outcome.probes[cell.id] = probed
        if verdict.wrong is None:
            return None, made
        if verdict.right:
            self.share[cell.id] = (verdict.right, verdict.parts)
        return failure(
            "Wrong",
            f"{exercise.title()}: {verdict.wrong.rstrip('.')}. (Random arguments, seed "
            f"{self.plan.seed}.)"), made

    def not_filled_in(self, exercise):
        """What the stub says, if all answer cells are as they were handed out; else None."""
        def text(notebook, name):
            return next(cell.source.strip() for cell in notebook.cells if cell.id == name)

        stubs = [text(self.lesson.released, name) for name in exercise.answers]
        if stubs != [text(self.notebook, name) for name in exercise.answers]:
            return None
        said = [re.search(r'NotFilledIn\("([^"\\]*)"\)', stub) for stub in stubs]
        return said[0][1] if said and said[0] else None

    def probe(self, exercise, cell, sources, all_must_run=True):
        """(the values of the answer, the Verdict about them)"""
        start = clock.now()
        probed = probes.run(exercise.name, self.plan, self.slot, sources, self.plan.limit(cell.id),
                            all_must_run)
        if self.plan.solution is None:
            self.outcome.called[cell.id] = sources, clock.now() - start
            return probed, probes.Verdict(0 if probed.problem else 1, 1, probed.problem)
        if "TimeLimit: " in (probed.problem or ""):
            self.look_at_the_machine(exercise, cell)
        verdict = probes.verdict(probed, self.plan.solution.probes[cell.id], exercise.name,
                                 self.plan.seed)
        if verdict.right and exercise.needs.forbid:
            if against := self.objection_in_its_room(exercise, sources, all_must_run):
                return probed, probes.Verdict(0, 1, against)
        return probed, verdict

    def look_at_the_machine(self, exercise, cell):
        """An answer had too little time. If the solution, called now, is slow as well, this is the
        machine's doing."""
        if self.plan.solution is None:
            return
        (sources, before), start = self.plan.solution.called[cell.id], clock.now()
        probes.run(exercise.name, self.plan, self.slot, sources, self.plan.limit(cell.id))
        if (seconds := clock.now() - start) > BUSY * before:
            raise Fault(f"the machine is too busy: the solution of {exercise.title()} takes "
                        f"{seconds_text(seconds)} now and took {seconds_text(before)}")

    def objection_in_its_room(self, exercise, sources, all_must_run):
        """What the assignment forbids, read a second time where the answer runs: with less of the
        library, the compiler may choose another overload. Returns a sentence or None."""
        def read(cells):
            problem = probes.run_sources(cells, sources, COMPILE_SECONDS * SLOW, all_must_run)
            if problem:
                return problem
            for source in (probes.declaration(exercise.name, sources), "%references lanes_probe"):
                outputs, _ = cells.run(source, COMPILE_SECONDS * SLOW)
                if error := first_error(outputs):
                    return f"{error.ename}: {error.evalue}"
            if not outputs:
                return "the answer could not be read"
            against = forbidden(exercise, Made(json.loads(outputs[0].text)))
            return against and against.evalue.removeprefix(f"{exercise.title()}: ")

        return in_new_session(rooms.of(exercise.name), self.plan, self.slot, read,
                              compile_only=True)

    def whole_cells(self, made):
        """All cells so far, with their statements; after a given cell that needs more of the
        library, what the answer needs of it."""
        sources, done = [], set()
        for number, source in self.so_far:
            sources.append(source)
            if number in made.cells and number not in done:
                sources.append(IfFailed("\n".join(made.cells[number])))
                done.add(number)
        return sources

    def may_need_statements(self, exercise, made):
        """Whether cells of the student's own, or statements in an answer cell, could matter beyond
        their declarations. If something is forbidden, what is run must be what was read: no #if."""
        own = [cell.source for cell in self.notebook.cells
               if cell.cell_type == "code" and (OWN in tags(cell) or is_answer(cell))]
        decides = any(re.search(r"(?m)^\s*#\s*(?:if|el|ifdef|ifndef)", source) for source in own)
        return ((any(OWN in tags(cell) for cell in self.notebook.cells)
                 or self.has_statements(made)) and not exercise.needs.is_whole_library()
                and not (exercise.needs.forbid and decides))

    def has_statements(self, made):
        """Whether an answer cell that is needed holds more than the declarations in `made`."""
        def code(text):
            return re.sub(r"\s", "", re.sub(r"(?m)^\s*#.*$", "", screen.plain(text)))

        for number, source in self.so_far:
            if number in made.cells and self.number_of.get(number) in self.answer_of:
                left = code(source)
                for text in made.cells[number]:
                    left = left.replace(code(text), "", 1)
                if left.strip(";"):
                    return True
        return False

    def objection(self, exercise, made):
        """The same, and about answers of other exercises."""
        if against := objection_to(exercise, made):
            return against
        for number in made.cells:
            other = self.answer_of.get(self.number_of.get(number))
            if (other and other is not exercise and self.passed.get(other.name) is False
                    and other.name not in needs.builds_on(exercise.name)):
                return failure(
                    "NotAllowed", f"{exercise.title()}: your answer calls that of "
                    f"{other.title()}, which has not passed.")
        return None

    def replaced(self, exercise, made):
        """The name of an earlier exercise whose solution is among the cells that this answer is made
        of, or None. Such a session holds the text of a solution: nothing that the answer says there
        is shown."""
        if not self.plan.hides:
            return None
        others = (self.answer_of.get(self.number_of.get(number)) for number in made.cells)
        return next((one.title() for one in others if one and one is not exercise
                     and self.passed.get(one.name) is False), None)

    def objection_of_the_check(self, cell, made):
        """What the check of the notebook says about an answer, as an error output, or None."""
        limit = min(self.plan.limit(cell.id), 60 * SLOW)

        def check(cells):
            for source in [*made.sources(), cell.source]:
                outputs, _ = cells.run(source, limit)
                if error := first_error(outputs):
                    return error
            return None

        return in_new_session(rooms.course(), self.plan, self.slot, check)

    def explain(self, cell, made):
        """What the student reads above the reason why an answer is wrong."""
        if self.plan.solution is None or not self.plan.explains or made is None:
            return []
        error = self.objection_of_the_check(cell, made)
        if error is None:
            return [
                printed("The check of the notebook passes; with other arguments the answer is "
                        "wrong.\n")
            ]
        return [printed(f"The check says: {error.ename}: {error.evalue}\n")]

    def report(self, exercise, cell, made):
        """Loops may write past the end of an array and still give the right values: this costs no
        points, and the student should know it."""
        if self.plan.solution and self.plan.explains and exercise.needs.forbid:
            if error := self.objection_of_the_check(cell, made):
                self.outcome.remarks.append(
                    f"{exercise.title()}: the values are right, which gives the points, but the "
                    f"check objects: {error.evalue}")


def is_compiled(cell):
    """Given cells, answers, and what the student added or changed."""
    return "play" not in tags(cell) or OWN in tags(cell)


def run(lesson, notebook, plan, slot=0):
    """Fills in the outputs of the checks; returns the Outcome. What fails for another reason than the
    submission is an exception."""
    grading = Notebook(lesson, notebook, plan, slot)
    grading.grade()
    if plan.solution:
        grading.outcome.remarks += screen.advice(lesson.released.cells, [
            cell for cell in notebook.cells
            if cell.cell_type == "code" and (is_answer(cell) or OWN in tags(cell))
        ])
    return grading.outcome
