"""A Jupyter kernel that can do no harm. It runs inside bubblewrap, from where notebooks, gradebook,
hidden tests and other submissions cannot be reached.

Inside are the part of the library that a room allows (rooms.py, read-only), data, an empty home and
/tmp in memory, and a separate PID namespace. There is no network, not even loopback (the five
sockets are files in a private folder), and the user is unprivileged. The system limits processes
and the size of files. The memory of all processes together, and the private folder, are checked
four times per second. The caller limits the time."""

import json
import os
import pathlib
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from jupyter_client import BlockingKernelClient

from lessons.form import ROOT

SLOW = float(os.environ.get("LANES_SLOW", "1"))
GIB = 1 << 30
SYSTEM = ("/usr", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
          "/etc/fonts", "/var/cache/fontconfig")
LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"
         )  # links into /usr since Debian 12, folders on older systems
HOME, PRIVATE = "/student", "/run/lanes"
MOST_PRIVATE = 128 << 20  # bytes


class Refused(Exception):
    """This machine allows no sandbox."""


class Limits:
    def __init__(self, memory=4 * GIB, processes=200, disk=GIB, output=1_000_000):
        self.memory, self.processes, self.disk, self.output = memory, processes, disk, output


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


def file_system(limits, room=None, private=None, extra=None):
    """Arguments for bwrap. `room`: what is there of the checkout (rooms.py)."""
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
    if private:
        arguments += ["--perms", "0755", "--dir", "/run", "--bind", str(private), PRIVATE]
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


def command(inner, uid, limits, room=None, private=None, extra=None):
    namespaces, drop = isolation(uid)
    bounds = [
        "prlimit", f"--nproc={2 * limits.processes}", f"--fsize={limits.disk}", "--core=0",
        "--nofile=1024", "--", "nice", "-n", "5"
    ]  # nice: the thread that observes the sandbox has priority
    return [
        bubblewrap(), *namespaces, *file_system(limits, room, private, extra), "--", *drop, *bounds,
        *inner
    ]


def run_inside(inner, room, private):
    """Runs a command of the teacher's in a sandbox; what it writes to PRIVATE is in `private`."""
    uid = free_uid(0)
    if os.geteuid() == 0:
        os.chown(private, uid, uid)
    done = subprocess.run(command(inner, uid, Limits(), room, private),
                          capture_output=True,
                          text=True)
    if os.geteuid() == 0:
        os.chown(private, 0, 0)
    if done.returncode != 0:
        raise Refused(f"{inner[0]} failed in the sandbox: {done.stderr.strip()[-1000:]}")


def refusal():
    """Why no sandbox can be made here, or None."""
    try:
        trial = command([
            "/bin/sh", "-c",
            "test $(id -u) -ne 0 && test $(tail -n +3 /proc/net/dev | grep -vc lo:) -eq 0 "
            "&& echo inside"
        ], free_uid(0), Limits())
    except Refused as reason:
        return str(reason)
    done = subprocess.run(trial, capture_output=True, text=True, timeout=60 * SLOW)
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
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as file:
                    children.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]),
                                        []).append(int(entry))
            except (OSError, IndexError, ValueError):  # it has just ended
                continue
    found, todo = [], [pid]
    while todo:
        found.append(todo.pop())
        todo += children.get(found[-1], [])
    return found


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False


def memory_of(pid):
    """Bytes. Memory that processes share, also explicitly shared memory, counts once in total."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return sum(
                int(line.split()[1]) * 1024 for line in file
                if line.startswith(("Pss_Anon:", "Pss_Shmem:")))
    except OSError:
        return 0


class Sandbox:
    """with Sandbox(room, slot=0) as sandbox: sandbox.client is connected to a Jupyter kernel
    inside. sandbox.ended says why it had to be stopped, or is None."""
    def __init__(self, room, slot=0, limits=None, compile_only=False):
        self.room, self.compile_only = room, compile_only
        self.limits, self.uid, self.ended, self.first = limits or Limits(), free_uid(slot), None, []

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(
            prefix="lanes-"))  # short: the name of a socket has 107 characters at most
        connection = {
            "transport": "ipc",
            "ip": f"{PRIVATE}/s",
            "key": secrets.token_hex(32),
            "signature_scheme": "hmac-sha256",
            "kernel_name": "xcpp17",
            **{
                f"{name}_port": number
                for number, name in enumerate(("shell", "iopub", "stdin", "control", "hb"), 1)
            }
        }
        (self.folder / "c.json").write_text(json.dumps(connection))
        os.chmod(self.folder, 0o700)
        if os.geteuid() == 0:
            for path in (self.folder, self.folder / "c.json"):
                os.chown(path, self.uid, self.uid)
        kernel = [
            str(ROOT / "build/bin/xcpp17"), "-f", f"{PRIVATE}/c.json", "--config",
            str(self.room.config), "-std=c++17"
        ]
        self.log = open(self.folder.with_suffix(".log"), "w+")
        extra = {"XCPP_COMPILE_ONLY": "1"} if self.compile_only else {}
        self.process = subprocess.Popen(command(kernel, self.uid, self.limits, self.room,
                                                self.folder, extra),
                                        stdin=subprocess.DEVNULL,
                                        stdout=self.log,
                                        stderr=self.log)
        self.client = BlockingKernelClient()
        self.client.load_connection_info({**connection, "ip": str(self.folder / "s")})
        self.client.start_channels()
        threading.Thread(target=self.watch, daemon=True).start()
        try:
            self.client.wait_for_ready(timeout=90 * SLOW)
        except RuntimeError as error:
            said = self.said()
            self.__exit__()
            raise Refused(
                f"the Jupyter kernel did not start inside the sandbox: {said or error}") from None
        return self

    def new_file(self):
        """An empty file in PRIVATE that the session may write to, as a path outside."""
        path = self.folder / ("v" + secrets.token_hex(8))
        path.touch(mode=0o600)
        if os.geteuid() == 0:
            os.chown(path, self.uid, self.uid)
        return path

    def said(self):
        self.log.seek(0)
        return self.log.read()[-500:].strip()

    def stop(self, why):
        if self.ended is None:
            self.ended = why
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
        threading.Thread(target=self.weigh, daemon=True).start()
        while self.process.poll() is None:
            if self.private_bytes() > MOST_PRIVATE:
                self.stop(f"more than {MOST_PRIVATE >> 20} MiB of files in {PRIVATE}")
            if len(family(self.process.pid)) > self.limits.processes:
                self.stop(f"more than {self.limits.processes} processes at a time")
            time.sleep(0.25)
        if self.ended is None:
            self.ended = "the Jupyter kernel was killed from inside"

    def private_bytes(self):
        """Of all files in PRIVATE, which is a folder of the machine. The session needs it for
        sockets and for the values of a probe."""
        total = 0
        for folder, _, files in os.walk(self.folder):
            total += 4096
            for name in files:
                try:
                    total += os.lstat(os.path.join(folder, name)).st_blocks * 512 + 4096
                except OSError:  # it has just gone
                    continue
            if total > MOST_PRIVATE:
                break
        return total

    def weigh(self):
        """Runs apart from counting processes: the memory of a process that forks is visible only
        after the fork, and with hundreds of processes a sum takes many seconds."""
        while self.process.poll() is None:
            if sum(memory_of(pid) for pid in family(self.process.pid)) > 1.5 * self.limits.memory:
                self.stop(f"more than {1.5 * self.limits.memory / GIB:.0f} GiB of memory")
            time.sleep(0.25)

    def __exit__(self, *_):
        self.client.stop_channels()
        if self.ended is None:
            self.ended = "done"
        self.kill()
        self.process.wait(30)
        self.wait_for_all()
        self.log.close()
        self.folder.with_suffix(".log").unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def wait_for_all(self):
        """PID 1 inside ends last. The next sandbox has the same user id: processes that are still
        dying would count as its own."""
        until = time.monotonic() + 30 * SLOW
        while any(is_alive(pid) for pid in self.first) and time.monotonic() < until:
            time.sleep(0.02)
