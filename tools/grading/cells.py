"""Runs cells in a sandbox's Jupyter kernel, with a limit of time, and collects their outputs."""

import queue

import nbformat

from lessons.form import joined

from . import clock
from .bubblewrap import SLOW, Fault
from .jail import RUNNING
from .sandbox import Sandbox

TRIES = 5  # of a session that is killed, and not for a limit


def seconds_text(seconds):
    return f"{seconds:.0f} seconds" if seconds >= 2 else f"{seconds:.1f} seconds"


def failure(ename, evalue):
    return nbformat.v4.new_output("error",
                                  ename=ename,
                                  evalue=evalue,
                                  traceback=[f"{ename}: {evalue}"])


def printed(text):
    return nbformat.v4.new_output("stream", name="stdout", text=text)


class IfFailed(str):
    """The source of a cell that is run only if the one before it has failed."""


class Cells:
    """The cells of one session. A cell that runs out of time is interrupted; the Jupyter kernel
    then continues with the state before it."""
    def __init__(self, sandbox):
        self.sandbox, self.client, self.count = sandbox, sandbox.client, 0
        self.killed = False  # a process was killed, and not for a limit: perhaps from outside

    def run(self, source, limit):
        """(outputs, seconds); with an error output if the cell had to be stopped. self.count is
        then the Jupyter kernel's number of the cell."""
        start, outputs, shown, size, stopped = clock.now(), [], {}, 0, None
        if self.sandbox.ended:
            return [self.gone()], 0
        # Nobody is there to answer a question, or to press the interrupt button a second time.
        request = self.client.execute(source, stop_on_error=False, allow_stdin=False)
        deadline = start + limit
        while True:
            try:
                message = self.client.get_iopub_msg(timeout=0.5)
            except queue.Empty:
                message = None
            now = clock.now()
            if self.sandbox.ended:
                return joined(outputs) + [self.gone()], now - start
            if stopped is None and (now > deadline
                                    or size > 3 * self.sandbox.limits.output):
                late = now > deadline
                stopped = (f"stopped after {seconds_text(limit)}, far more than the solution "
                           "needs: does a loop never end?"
                           if late else "stopped: it shows more than a notebook can hold")
                self.client.control_channel.send(self.client.session.msg("interrupt_request", {}))
                deadline = now + 15 * SLOW
            elif stopped and now > deadline:
                self.sandbox.stop("a cell could not be interrupted")
                continue
            if message is None or message["parent_header"].get("msg_id") != request:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                break
            if kind == "execute_input":
                self.count = content["execution_count"]
                continue
            size += len(str(content))
            if size <= 3 * self.sandbox.limits.output:
                collect(kind, message, outputs, shown)
        outputs = joined(outputs)
        error = first_error(outputs)
        if error and error.ename == "Crash" and "SIGKILL" in error.evalue:
            self.killed = True
        if stopped:
            outputs = [output for output in outputs if output.output_type != "error"
                       ] + [failure("TimeLimit", stopped)]
        return outputs, clock.now() - start

    def gone(self):
        if self.sandbox.fault:
            raise self.sandbox.fault
        self.killed = self.killed or self.sandbox.killed
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


def first_error(outputs):
    return next((output for output in outputs if output.output_type == "error"), None)


def killed_each_time(sandbox, plan):
    """What happens in each of the TRIES is the answer's doing, unless the machine says that it was
    short of memory, or it is the solution's session."""
    if sandbox.memory_ran_out():
        raise Fault("this machine ran out of memory")
    if plan.solution is None:
        raise Fault(f"a process of the sandbox was killed, {TRIES} times")


def in_new_session(room, plan, slot, work, compile_only=False):
    """work(cells) in a new session. A process that is killed, and not for a limit, may have been
    killed from outside: then this is done once more, up to TRIES times."""
    for tried in range(1, TRIES + 1):
        try:
            with Sandbox(room, slot, plan.limits, compile_only) as sandbox:
                cells = Cells(sandbox)
                result = work(cells)
            if not cells.killed:
                return result
            if tried == TRIES:
                killed_each_time(sandbox, plan)
                return result
        except Fault:
            if tried == TRIES or RUNNING.stopped:
                raise
