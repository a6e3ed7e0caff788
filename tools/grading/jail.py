"""A command that can do no harm, whatever it runs. It runs inside bubblewrap, from where
notebooks, gradebook, hidden tests and other submissions cannot be reached.

Inside are the files that a room names (rooms.py, read-only), an empty home and /tmp in memory,
and a separate PID namespace. There is no network, not even loopback, and the user is
unprivileged. PRIVATE is a small file system in memory, through which grader and command exchange
files: no file of the machine can be written. The system limits processes and the size of files.
The memory of all processes together is checked four times per second. The caller limits the
time.

Whatever ends a jail is either the doing of what runs inside (a limit) or a Fault of this
machine."""

import os
import re
import secrets
import select
import signal
import subprocess
import threading
import time

from . import clock
from .bubblewrap import GIB, PRIVATE, SLOW, Fault, Limits, Refused, command, free_uid, without_calls
from .processes import family, is_alive, oom_kills, takes_more_than


# Nothing runs before the grader says so: it does when bubblewrap can no longer miss the end of the
# grader (--die-with-parent). If that comes before, the end of its pipe ends the sandbox.
GATE = ["sh", "-c", 'read -r _ && exec "$@" < /dev/null', "gate"]


def memory_file(data):
    """A file in memory, to be read by a child."""
    file = os.memfd_create("lanes-grading")
    with os.fdopen(os.dup(file), "wb") as opened:
        opened.write(data)
    os.lseek(file, 0, os.SEEK_SET)
    return file


class Running:
    """All jails of this process, so that they can be stopped."""
    def __init__(self):
        self.lock, self.jails, self.stopped = threading.Lock(), set(), None

    def add(self, jail):
        with self.lock:
            self.jails.add(jail)
        if self.stopped:
            jail.abort(self.stopped)

    def remove(self, jail):
        with self.lock:
            self.jails.discard(jail)

    def stop(self, why):
        """Ends all of them, and those that are started later."""
        self.stopped = why
        with self.lock:
            jails = list(self.jails)
        for jail in jails:
            jail.abort(why)


RUNNING = Running()


class Jail:
    """with Jail(command, room) as jail: it runs. jail.private is an open folder, PRIVATE inside.
    jail.ended says why it has ended, or is None. `files`: {name in PRIVATE: bytes}. `folder`: a
    folder of the machine that is to be PRIVATE."""
    def __init__(self, inner, room=None, slot=0, limits=None, extra=None, files=None, folder=None):
        self.inner, self.room, self.extra, self.folder = inner, room, extra, folder
        self.limits, self.uid = limits or Limits(), free_uid(slot)
        self.files = {f"m{secrets.token_hex(8)}": b"", **(files or {})}
        self.ended, self.fault, self.killed, self.first, self.tail = None, None, False, [], b""
        self.private = self.process = None

    def __enter__(self):
        if RUNNING.stopped:
            raise Fault(RUNNING.stopped)
        self.oom_kills, opened, more = oom_kills(), [], []
        try:
            if self.folder is None:
                for name, data in self.files.items():
                    opened.append(memory_file(data))
                    more += ["--perms", "0444", "--file", str(opened[-1]), f"{PRIVATE}/{name}"]
            if program := without_calls():
                opened.append(memory_file(program))
                more += ["--seccomp", str(opened[-1])]
            # No pipe: if nobody reads it any more, bwrap would leave a process that waits for ever.
            self.info = memory_file(b"")
            more += ["--info-fd", str(self.info)]
            self.process = subprocess.Popen(command([*GATE, *self.inner], self.uid, self.limits,
                                                    self.room, self.folder, self.extra, more),
                                            stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE,
                                            stderr=subprocess.STDOUT,
                                            pass_fds=[*opened, self.info])
        finally:
            for file in opened:
                os.close(file)
        RUNNING.add(self)
        for work in (self.watch, self.weigh):
            threading.Thread(target=work, daemon=True).start()
        try:
            self.wait_for_the_gate()
            self.process.stdin.write(b"\n")
            self.process.stdin.close()
        except BrokenPipeError:
            self.__exit__()
            raise self.fault or Fault(f"the sandbox did not start: {self.said()}") from None
        except BaseException:
            self.__exit__()
            raise
        finally:
            os.close(self.info)
        return self

    def wait_for_the_gate(self):
        """Until the first process inside, which ends all others, has started the gate. Through it,
        PRIVATE is opened: this lasts as long as it is open here, and needs no removal, however the
        grader ends."""
        until = time.monotonic() + 60 * SLOW
        while True:
            if self.ended is not None:
                raise self.fault or Fault(f"the sandbox did not start: {self.said()}")
            if time.monotonic() > until:
                raise Fault(f"the sandbox did not start in {60 * SLOW:.0f} seconds: {self.said()}")
            if pid := re.search(rb'"child-pid": (\d+)[\s,}]', os.pread(self.info, 1000, 0)):
                if self.folder is None and self.private is None:
                    self.open_private(int(pid[1]))
                elif len(family(int(pid[1]))) > 1:
                    return
            time.sleep(0.005)

    def open_private(self, pid):
        """Once it is there with all files."""
        try:
            folder = os.open(f"/proc/{pid}/root{PRIVATE}",
                             os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:  # it is being set up
            return
        if all(name in os.listdir(folder) for name in self.files):
            self.private = folder
        else:
            os.close(folder)

    def path(self, name):
        """Of a file in PRIVATE, as the grader opens it."""
        return f"/proc/self/fd/{self.private}/{name}"

    def new_file(self):
        """The name of an empty file in PRIVATE that the command may write to."""
        name = "v" + secrets.token_hex(8)
        file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600,
                       dir_fd=self.private)
        if os.geteuid() == 0:
            os.fchown(file, self.uid, self.uid)
        os.close(file)
        return name

    def said(self):
        return self.tail[-500:].decode("utf-8", "replace").strip()

    def stop(self, why):
        """Ends it for something that the command did."""
        if self.ended is None:
            self.ended = why
        self.kill()

    def abort(self, why):
        """Ends it for a reason of the grader's."""
        if self.ended is None:
            self.ended, self.fault = why, Fault(why)
        self.kill()

    def kill(self):
        """PID 1 inside is killed first: all others inside die with it, however quickly they
        fork."""
        members = family(self.process.pid)
        self.first = self.first or members[1:2]
        for pid in members[1:] + members[:1]:
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass

    def watch(self):
        with self.process.stdout as output:
            while self.process.poll() is None:
                self.drain(output.fileno(), 0.25)
                clock.now()  # time passes while a jail runs
                if len(family(self.process.pid)) > self.limits.processes:
                    self.stop(f"more than {self.limits.processes} processes at a time")
            self.drain(output.fileno(), 0)
        if self.ended is None:
            self.note_the_end(self.process.returncode)

    def drain(self, output, seconds):
        """Keeps the end of what the command prints."""
        if select.select([output], [], [], seconds)[0]:
            self.tail = (self.tail + os.read(output, 1 << 16))[-4000:]
            if seconds:
                time.sleep(0.05)

    def note_the_end(self, status):
        """It has ended by itself. Nothing inside can reach the process that `status` is of: if a
        signal killed it, this came from outside."""
        self.killed = status != 0
        if status < 0:
            self.fault = Fault(f"the sandbox was killed from outside (signal {-status})")
        elif self.killed and self.memory_ran_out():
            self.fault = Fault("this machine ran out of memory")
        self.ended = "a process of the sandbox was killed" if self.killed else "done"

    def memory_ran_out(self):
        """Whether the system has killed a process since the jail was started."""
        return oom_kills() != self.oom_kills

    def weigh(self):
        """Runs apart from counting processes: the memory of a process that forks is visible only
        after the fork, and with hundreds of processes a sum takes many seconds."""
        while self.process.poll() is None:
            if takes_more_than(1.5 * self.limits.memory, family(self.process.pid)):
                self.stop(f"more than {1.5 * self.limits.memory / GIB:.0f} GiB of memory")
            time.sleep(0.25)

    def wait(self, seconds):
        """Until the command has ended by itself; returns whether its status was 0."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.stop(f"it took more than {seconds:.0f} seconds")
            return False
        if self.ended is None:
            self.note_the_end(status)
        return status == 0 and self.ended == "done"

    def __exit__(self, *_):
        if self.ended is None:
            self.ended = "done"
        self.kill()
        try:
            self.process.wait(30 * SLOW)
            self.wait_for_all()
        finally:
            RUNNING.remove(self)
            if self.private is not None:
                os.close(self.private)
                self.private = None

    def wait_for_all(self):
        """PID 1 inside ends last. The next sandbox has the same user id: processes that are still
        dying would count as its own."""
        until = time.monotonic() + 30 * SLOW
        while any(is_alive(pid) for pid in self.first) and time.monotonic() < until:
            time.sleep(0.02)


def run_inside(inner, room, folder):
    """Runs a command of the teacher's in a jail; what it writes to PRIVATE is in `folder`."""
    uid = free_uid(0)
    if os.geteuid() == 0:
        os.chown(folder, uid, uid)
    with Jail(inner, room, folder=folder) as jail:
        done = jail.wait(600 * SLOW)
        said = jail.said()
    if os.geteuid() == 0:
        os.chown(folder, 0, 0)
    if not done:
        raise jail.fault or Refused(f"{inner[0]} failed in the sandbox: {said}")
