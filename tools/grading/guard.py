"""No process outlives the grader, however it ends.

Two processes: the grader, and its guardian, which is the one that was started. If the grader
ends, even by SIGKILL, the guardian ends all that it has left. If the guardian is killed, the
system tells the grader, which then stops as after Ctrl-C. bubblewrap's own --die-with-parent is
not enough: a sandbox that is being set up misses the death of its parent.

The grader has a session of its own: Ctrl-C in a terminal reaches the guardian alone, which
passes it on, and no sandbox."""

import ctypes
import os
import signal
import sys
import time

from .processes import family

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def prctl(option, value):
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def is_ignored_by_nohup(number):
    """`nohup make grade ... &` goes on when its terminal is closed."""
    return number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN


def stop(*_):
    """The first one stops; the others wait until what is finished is written."""
    for number in STOPS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def end_all():
    """Kills the descendants of this process; those whose parents died are its children by now."""
    while True:
        for pid in family(os.getpid())[1:]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return
        time.sleep(0.01)


def guarded(work):
    """Ends this process with the status of work(), which is run in a child."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    guardian, waiting = os.getpid(), []
    stops = [number for number in STOPS if not is_ignored_by_nohup(number)]
    for number in stops:  # until the child can take it
        signal.signal(number, lambda number, _: waiting.append(number))
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        for number in stops:
            signal.signal(number, stop)
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        status = 1
        try:
            if waiting or os.getppid() != guardian:
                raise KeyboardInterrupt
            status = work()
        except KeyboardInterrupt:
            status = 130
        except SystemExit as end:
            if isinstance(end.code, str):
                print(end.code, file=sys.stderr)
            status = end.code if isinstance(end.code, int) else 1 if end.code else 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    for number in stops:
        signal.signal(number, lambda number, _: os.kill(child, number))
    for number in waiting:
        os.kill(child, number)
    pid = None
    while pid != child:  # others are what sandboxes left, whose parents have ended
        pid, ended = os.waitpid(-1, 0)
    for number in STOPS:
        signal.signal(number, signal.SIG_IGN)
    end_all()
    status = os.waitstatus_to_exitcode(ended)
    if status < 0:
        print(f"The grader was killed (signal {-status}). What was finished is kept: run the same "
              "command again.", file=sys.stderr)
        status = 128 - status
    sys.exit(status)
