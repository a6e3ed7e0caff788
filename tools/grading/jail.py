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

import errno
import os
import platform
import pwd
import re
import secrets
import select
import shutil
import signal
import stat
import struct
import subprocess
import threading
import time

SLOW = float(os.environ.get("LANES_SLOW", "1"))
GIB = 1 << 30
TRIALS = 10
PAGE = os.sysconf("SC_PAGE_SIZE")
SYSTEM = ("/usr", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
          "/etc/fonts", "/var/cache/fontconfig")
LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"
         )  # links into /usr since Debian 12, folders on older systems
HOME, PRIVATE = "/student", "/run/lanes"
# Most kernels say which children a thread has (CONFIG_PROC_CHILDREN).
HAS_CHILDREN = os.path.exists(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
# System calls by which memory could be taken that no limit counts: file systems of one's own, and
# shared memory that belongs to no process. By machine: its number in seccomp, then the calls.
ANYWHERE = (428, 429, 430, 447)  # open_tree, move_mount, fsopen, memfd_secret
NO_CALLS = {
    "x86_64": (0xC000003E, (165, 272, 29, *ANYWHERE)),  # mount, unshare, shmget
    "aarch64": (0xC00000B7, (40, 97, 194, *ANYWHERE)),
}


class Fault(Exception):
    """Something failed that is not the doing of the submission: it is graded again later."""


class Refused(Exception):
    """This machine allows no sandbox."""


class Limits:
    """memory: bytes of a process; all together have half as much again. disk: bytes of each file
    system in memory, private: of the one that is shared with the grader."""
    def __init__(self, memory=4 * GIB, processes=200, disk=GIB, output=1_000_000,
                 private=128 << 20):
        self.memory, self.processes, self.disk, self.output = memory, processes, disk, output
        self.private = private


def free_uid(slot):
    """A user id that no account has, one per sandbox that runs at the same time: the limit of
    processes is counted per user."""
    found, uid = -1, 64100
    while found < slot:
        uid += 1
        try:
            pwd.getpwuid(uid)
        except KeyError:
            found += 1
    return uid


def bubblewrap():
    path = shutil.which(os.environ.get("LANES_BWRAP", "bwrap"))
    if path is None:
        raise Refused(
            "bubblewrap is not installed, and students' code is not run without it. As root: "
            "apt-get install bubblewrap")
    return path


def isolation(uid):
    """Arguments for bwrap, and for the command that starts inside. Root creates the namespaces
    itself and drops its rights inside. Any other user needs a user namespace, in which the limit of
    processes counts only processes of the sandbox."""
    arguments = [
        "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
        "--die-with-parent", "--new-session"
    ]
    if os.geteuid() == 0:
        arguments += [
            "--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add",
            "CAP_SETPCAP"
        ]
        inside = [
            "setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--bounding-set=-all",
            "--inh-caps=-all", "--no-new-privs", "--"
        ]
        return arguments, inside
    return arguments + [
        "--unshare-user", "--disable-userns", "--uid",
        str(uid), "--gid",
        str(uid), "--cap-drop", "ALL"
    ], []


def without_calls():
    """A program for seccomp (struct sock_filter) that refuses NO_CALLS with EPERM."""
    machine, calls = NO_CALLS.get(platform.machine(), (None, ()))
    if machine is None:
        return None
    load, equal, above, end = 0x20, 0x15, 0x35, 0x06  # opcodes of BPF: BPF_LD, BPF_JMP, BPF_RET
    refuse = len(calls) + 2
    program = [(load, 0, 0, 4), (equal, 0, refuse + 1, machine), (load, 0, 0, 0),
               (above, refuse - 1, 0, 0x40000000)]  # calls of the ABI x32 have other numbers
    program += [(equal, refuse - 2 - place, 0, call) for place, call in enumerate(calls)]
    program += [(end, 0, 0, 0x7FFF0000), (end, 0, 0, 0x50000 | errno.EPERM)]
    return b"".join(struct.pack("=HBBI", *one) for one in program)


def file_system(limits, room=None, private=None, extra=None):
    """Arguments for bwrap. `room`: what is there of the checkout (rooms.py). `private`: a folder
    of the machine that is PRIVATE inside."""
    files = room.files if room else {}
    arguments = ["--perms", "0755", "--dir", "/etc"]
    for path in SYSTEM:
        arguments += ["--ro-bind-try", path, path]
    for path in LINKS:
        if os.path.islink(path):
            arguments += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            arguments += ["--ro-bind", path, path]
    size = ["--perms", "1777", "--size", str(limits.disk)]
    arguments += [
        "--proc", "/proc", "--dev", "/dev", *size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev",
        *size, "--tmpfs", "/tmp", *size, "--tmpfs", HOME
    ]
    for path in room.hidden if room else ():
        if os.path.isdir(path):
            arguments += ["--perms", "0755", "--tmpfs", path]
    for folder in sorted({folder for inside in files for folder in inside.parents}):
        if str(folder) not in ("/", "/tmp", "/usr") and not str(folder).startswith("/usr/"):
            arguments += ["--perms", "0755", "--dir", str(folder)]
    for inside, outside in sorted(files.items()):  # a folder before what is inside it
        if outside.exists():
            arguments += ["--ro-bind", str(outside), str(inside)]
    for path in room.hidden if room else ():
        if os.path.isdir(path):
            arguments += ["--remount-ro", path]
    arguments += ["--perms", "0755", "--dir", "/run"]
    if private:
        arguments += ["--bind", str(private), PRIVATE]
    else:
        arguments += ["--perms", "1777", "--size", str(limits.private), "--tmpfs", PRIVATE]
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": HOME,
        "TMPDIR": "/tmp",
        "LANG": "C.UTF-8",
        "USER": "student",
        "CI": "1",
        "NBGRADER_EXECUTION": "autograde",
        "XCPP_MEMORY": str(limits.memory),
        "XCPP_OUTPUT_LIMIT": str(limits.output),
        "LANES_DEVICE": "simulator",
        "LANES_CACHE": "/tmp/lanes",
        "LANES_SLOW": str(SLOW),
        "XCPP_SLOW": str(SLOW),
        "SLURM_CPUS_PER_TASK": "2",
        **(extra or {})
    }
    arguments += ["--clearenv"]
    for name, value in environment.items():
        arguments += ["--setenv", name, value]
    return arguments + ["--remount-ro", "/", "--chdir", HOME]


def command(inner, uid, limits, room=None, private=None, extra=None, more=()):
    """`more`: further arguments for bwrap."""
    namespaces, drop = isolation(uid)
    bounds = [
        "prlimit", f"--nproc={2 * limits.processes}", f"--fsize={limits.disk}", "--core=0",
        "--nofile=1024", "--", "nice", "-n", "5"
    ]  # nice: the thread that observes the sandbox has priority
    return [
        bubblewrap(), *namespaces, *file_system(limits, room, private, extra), *more, "--", *drop,
        *bounds, *inner
    ]


def refusal():
    """Why no sandbox can be made here, or None. A trial that is killed says nothing about it."""
    try:
        trial = command([
            "/bin/sh", "-c",
            "test $(id -u) -ne 0 && test $(tail -n +3 /proc/net/dev | grep -vc lo:) -eq 0 "
            "&& echo inside"
        ], free_uid(0), Limits())
    except Refused as reason:
        return str(reason)
    try:
        for _ in range(TRIALS):
            done = subprocess.run(trial, capture_output=True, text=True, timeout=60 * SLOW)
            if done.returncode not in (137, -signal.SIGKILL):
                break
        else:
            raise Fault(f"the sandbox was killed {TRIALS} times while it was tried")
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not run: {error}"
    if done.stdout.strip() == "inside":
        return None
    said = (done.stderr or done.stdout).strip().split("\n")[-1]
    return (
        f"bubblewrap cannot make a sandbox here ({said or f'status {done.returncode}'}). Students' "
        "code is not run without one. Usually user namespaces are forbidden: allow them "
        "(sysctl kernel.unprivileged_userns_clone=1), or grade as root; in a container, start it "
        "with the right to make namespaces.")


def family(pid):
    """The process and all its descendants."""
    found, todo = [], [pid]
    known = None if HAS_CHILDREN else all_children()
    while todo:
        found.append(todo.pop())
        todo += children_of(found[-1]) if known is None else known.get(found[-1], [])
    return found


def children_of(pid):
    """Of all its threads."""
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    except OSError:  # it has just ended
        pass
    return found


def all_children():
    """{parent: its children}, from a list of all processes of the machine."""
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as file:
                    children.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]),
                                        []).append(int(entry))
            except (OSError, IndexError, ValueError):  # it has just ended
                continue
    return children


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False


def memory_of(pid):
    """(bytes that only processes hold, bytes of shared memory). What processes share counts once in
    total."""
    found = {"Pss_Anon:": 0, "Pss_Shmem:": 0}
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            for line in file:
                words = line.split()
                if words[0] in found:
                    found[words[0]] = int(words[1]) * 1024
    except OSError:  # it has just ended
        pass
    return tuple(found.values())


def resident(pid):
    """Bytes: never less than memory_of, which takes twenty times as long."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * PAGE
    except (OSError, IndexError):  # it has just ended
        return 0


def unlinked_files(pid, sizes):
    """Adds the bytes of open files without a name, by what identifies a file: memory that a process
    has, and need not have mapped."""
    try:
        for entry in os.scandir(f"/proc/{pid}/fd"):
            found = os.stat(entry.path)
            if stat.S_ISREG(found.st_mode) and found.st_nlink == 0:
                sizes[found.st_dev, found.st_ino] = found.st_blocks * 512
    except OSError:  # it has just ended
        pass


def takes_more_than(limit, pids):
    """Whether the processes take more memory than so many bytes. A file in memory that is mapped, too,
    counts once."""
    files = {}
    for pid in pids:
        unlinked_files(pid, files)
    in_files = sum(files.values())
    if sum(map(resident, pids)) + in_files <= limit:
        return False
    anonymous, shared = map(sum, zip(*map(memory_of, pids)))
    return anonymous + max(shared, in_files) > limit


def oom_kills():
    """How often the system has killed a process because memory ran out; None if it does not say."""
    try:
        with open("/proc/vmstat") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("oom_kill ")),
                        None)
    except OSError:
        return None


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
        self.private = self.process = self.info = None

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
            if self.folder is None:  # through its first process, PRIVATE is found
                self.info, told = os.pipe()
                opened.append(told)
                more += ["--info-fd", str(told)]
            self.process = subprocess.Popen(command(self.inner, self.uid, self.limits, self.room,
                                                    self.folder, self.extra, more),
                                            stdin=subprocess.DEVNULL,
                                            stdout=subprocess.PIPE,
                                            stderr=subprocess.STDOUT,
                                            pass_fds=opened)
        finally:
            for file in opened:
                os.close(file)
        RUNNING.add(self)
        for work in (self.watch, self.weigh):
            threading.Thread(target=work, daemon=True).start()
        try:
            if self.folder is None:
                self.open_private()
        except BaseException:
            self.__exit__()
            raise
        finally:
            if self.info is not None:
                os.close(self.info)
        return self

    def open_private(self):
        """PRIVATE is reached through the first process inside. It lasts as long as it is open here,
        and needs no removal, however the grader ends."""
        until, told = time.monotonic() + 60 * SLOW, b""
        while self.private is None:
            if self.ended is not None:
                raise self.fault or Fault(f"the sandbox did not start: {self.said()}")
            if time.monotonic() > until:
                raise Fault(f"the sandbox did not start in {60 * SLOW:.0f} seconds: {self.said()}")
            if not (pid := re.search(rb'"child-pid": (\d+)[\s,}]', told)):
                if select.select([self.info], [], [], 0.1)[0]:
                    told += os.read(self.info, 1000)
                continue
            try:
                folder = os.open(f"/proc/{int(pid[1])}/root{PRIVATE}",
                                 os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            except OSError:  # it is being set up
                time.sleep(0.005)
                continue
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
        elif self.killed and oom_kills() != self.oom_kills:
            self.fault = Fault("this machine ran out of memory")
        self.ended = "a process of the sandbox was killed" if self.killed else "done"

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
