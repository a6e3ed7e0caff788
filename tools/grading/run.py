"""Runs the cells of a restored notebook in a sandbox, one after the other, each within its time
limit, and keeps their outputs."""

import contextlib
import queue
import time

import nbformat

from lessons.form import joined
from lessons.outputs import errors, tags

from . import probes, screen, verdict
from .restore import OWN, is_answer, is_check
from .sandbox import SLOW, Refused, Sandbox

# After so many cells out of time, or sessions that a cell ended, the rest is not run.
MOST_TIMEOUTS, MOST_ENDS = 8, 2
# The Jupyter kernel's message if it could not restore the state before a cell
# (front/supervisor.cpp).
STARTED_ANEW = "The session was started anew"


def seconds_text(seconds):
    return f"{seconds:.0f} seconds" if seconds >= 2 else f"{seconds:.1f} seconds"


def failure(ename, evalue):
    return nbformat.v4.new_output("error",
                                  ename=ename,
                                  evalue=evalue,
                                  traceback=[f"{ename}: {evalue}"])


class Cells:
    """The cells of one session. A cell that runs out of time is interrupted; the Jupyter kernel
    then continues with the state before it."""
    def __init__(self, sandbox):
        self.sandbox, self.client, self.timeouts = sandbox, sandbox.client, 0

    def run(self, source, limit):
        """(outputs, seconds); with an error output if the cell had to be stopped."""
        start, outputs, shown, size, stopped = time.monotonic(), [], {}, 0, None
        if self.sandbox.ended:
            return [self.gone()], 0
        request = self.client.execute(source, stop_on_error=False)
        deadline = start + limit
        while True:
            try:
                message = self.client.get_iopub_msg(timeout=0.5)
            except queue.Empty:
                message = None
            if self.sandbox.ended:
                return joined(outputs) + [self.gone()], time.monotonic() - start
            if stopped is None and (time.monotonic() > deadline
                                    or size > 3 * self.sandbox.limits.output):
                late = time.monotonic() > deadline
                stopped = (f"stopped after {seconds_text(limit)}: does a loop never end?" if late
                           else "stopped: it shows more than a notebook can hold")
                self.timeouts += late
                self.client.control_channel.send(self.client.session.msg("interrupt_request", {}))
                deadline = time.monotonic() + 15 * SLOW
            elif stopped and time.monotonic() > deadline:
                self.sandbox.stop("a cell could not be interrupted")
                continue
            if message is None or message["parent_header"].get("msg_id") != request:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                break
            size += len(str(content))
            if size <= 3 * self.sandbox.limits.output:
                collect(kind, message, outputs, shown)
        outputs = joined(outputs)
        if any(STARTED_ANEW in str(output) for output in outputs):
            self.sandbox.stop("what earlier cells had made was lost")
        if stopped:
            outputs = [output for output in outputs if output.output_type != "error"
                       ] + [failure("TimeLimit", stopped)]
        return outputs, time.monotonic() - start

    def gone(self):
        return failure("SandboxEnded", f"this session was ended: {self.sandbox.ended}.")


def collect(kind, message, outputs, shown):
    identity = message["content"].get("transient", {}).get("display_id")
    if kind == "clear_output":
        outputs.clear()
    elif kind == "update_display_data" and identity in shown:
        shown[identity].data = nbformat.from_dict(message["content"]["data"])
    elif kind in ("stream", "display_data", "execute_result", "error"):
        outputs.append(nbformat.v4.output_from_msg(message))
        if identity:
            shown[identity] = outputs[-1]


class Session:
    """The session of a notebook. If a cell has ended it, the next cell gets a new one, in which all
    cells but that one have been run."""
    def __init__(self, plan, slot):
        self.plan, self.slot, self.timeouts = plan, slot, 0
        self.done, self.ends = [], []
        self.stack = contextlib.ExitStack()
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stack.close()

    def start(self):
        self.sandbox = self.stack.enter_context(Sandbox(self.slot, self.plan.limits))
        self.cells = Cells(self.sandbox)

    def run(self, source, limit, again=None):
        """(outputs, seconds). `again`: what a later session runs in place of the source."""
        if self.sandbox.ended:
            self.stack.close()
            self.start()
            for earlier, its_limit in self.done:
                self.cells.run(earlier, its_limit)
        outputs, seconds = self.cells.run(source, limit)
        self.timeouts += self.cells.timeouts
        self.cells.timeouts = 0
        if self.sandbox.ended:
            self.ends.append(self.sandbox.ended)
        elif not any(output.output_type == "error" for output in outputs):
            self.done.append((again or source, limit))
        return outputs, seconds

    def exhausted(self):
        """Why the rest is not run, or None."""
        if len(self.ends) > MOST_ENDS:
            return (f"not run: {len(self.ends)} cells before this one ended the session, the last "
                    f"one because of this: {self.ends[-1]}.")
        if self.timeouts >= MOST_TIMEOUTS:
            return f"not run: {self.timeouts} cells before this one ran out of time."
        return None


class Plan:
    """What is the same for a whole `make grade`: the secret numbers, and the results and times of
    the teacher's own solution (None while that is run)."""
    def __init__(self, seed, limits, cell_seconds, solution=None):
        self.seed, self.limits = seed, limits
        self.cell_seconds, self.solution = cell_seconds, solution

    def limit(self, cell, after_a_timeout=False):
        """Seconds. Once a cell ran out of time, given cells get less, so that each call of the same
        endless loop does not cost a whole time limit."""
        usual = self.solution.seconds.get(cell.id, 0) if self.solution else 30
        return (self.cell_seconds +
                10 * usual) * SLOW * (0.5 if after_a_timeout and not is_check(cell) else 1)


class Outcome:
    def __init__(self):
        self.seconds, self.probes, self.remarks = {}, {}, []


def is_run(cell, behind_the_checks):
    if cell.cell_type != "code" or "play" in tags(cell):
        return False
    return not behind_the_checks or (not cell.outputs and OWN not in tags(cell))


def run(lesson, notebook, plan, slot=0):
    """Fills in the outputs; returns the Outcome."""
    outcome, checks = Outcome(), [cell.id for cell in notebook.cells if is_check(cell)]
    try:
        with Session(plan, slot) as session:
            run_in(session, lesson, notebook, plan, outcome, checks[-1] if checks else None)
            outcome.remarks += [f"A cell ended the session: {why}." for why in session.ends]
    except Refused as reason:
        outcome.remarks.append(str(reason))
        for cell in notebook.cells:
            if is_check(cell) and cell.id not in outcome.seconds:
                cell.outputs = [failure("NotRun", str(reason))]
    return outcome


def run_in(session, lesson, notebook, plan, outcome, last):
    given = [
        cell for cell in lesson.graded.cells
        if cell.metadata.get("nbgrader", {}).get("locked") and cell.cell_type == "code"
    ]
    taken, needed = screen.words_of(given), screen.words_of(cell for cell in lesson.solution.cells
                                                            if cell.cell_type == "code")
    refused, behind = [], last is None
    for cell in notebook.cells:
        if not is_run(cell, behind):
            continue
        behind = behind or cell.id == last
        own, handed_in, left = not cell.metadata.get(
            "nbgrader", {}).get("locked"), cell.outputs, session.exhausted()
        against = screen.objection(cell.source, taken, needed) if own else None
        if left:
            cell.outputs = [failure("NotRun", left)]
        elif against:
            refused.append(
                f"The cell {cell.metadata.get('nbgrader', {}).get('grade_id', 'of your own')} was "
                f"not run: {against}"
            )
            cell.outputs = [failure("NotAllowed", refused[-1])]
            run_stub(session, lesson, cell, plan)
        elif is_check(cell):
            decide(session, lesson, cell, plan, outcome, refused)
            refused = []
        else:
            cell.outputs, outcome.seconds[cell.id] = session.run(
                cell.source, plan.limit(cell, session.timeouts > 0))
            # The report is about the student's own tables and plots.
            if handed_in and not own and not any(output.output_type == "error"
                                                 for output in handed_in):
                cell.outputs = handed_in
            if is_answer(cell) and errors(cell):
                outcome.remarks.append(
                    f"The cell '{cell.metadata.nbgrader.grade_id}' failed, so it counts as not "
                    f"answered: {errors(cell)[0].evalue.split(chr(10))[0]}"
                )
                run_stub(session, lesson, cell, plan)


def run_stub(session, lesson, cell, plan):
    """Runs the stub that was handed out in place of an answer that cannot be used: later cells find
    the names that they need, and only its own check fails."""
    if is_answer(cell):
        stub = next(other.source for other in lesson.released.cells if other.id == cell.id)
        session.run(stub, plan.limit(cell, session.timeouts > 0))


def decide(session, lesson, cell, plan, outcome, refused):
    """Runs a check. nbgrader counts its outputs: an error is added if the check ended without one
    but must not count as passed."""
    if refused:
        cell.outputs = [failure("NotAllowed", text) for text in refused]
        return
    nonce = verdict.new_nonce()
    outputs, outcome.seconds[cell.id] = session.run(verdict.with_nonce(cell.source, nonce),
                                                    plan.limit(cell), cell.source)
    confirmed, cell.outputs = verdict.take_nonce(outputs, nonce)
    if not errors(cell) and not confirmed:
        cell.outputs.append(
            failure("NotConfirmed", "the check did not run to its end, whatever it seemed to say."))
    for output in cell.outputs:  # to nbgrader any text on stderr means 0 points
        if output.output_type == "stream":
            output.name = "stdout"
    name = probes.name_of(lesson, cell)
    if errors(cell) or not probes.exists(name):
        return
    outcome.probes[cell.id] = probes.run(name, plan.seed, session, plan.limit(cell))
    if plan.solution:
        difference = probes.difference(outcome.probes[cell.id], plan.solution.probes[cell.id],
                                       name, plan.seed)
        if difference:
            cell.outputs.append(
                failure(
                    "NotConfirmed",
                    f"the check passed, but with other numbers the answer is wrong: {difference}"))
