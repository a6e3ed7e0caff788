"""The command line of a jail (jail.py): what bubblewrap is told about users, files, limits and
system calls; and whether this machine allows any of it."""

import errno
import os
import platform
import pwd
import shutil
import signal
import struct
import subprocess

SLOW = float(os.environ.get("LANES_SLOW", "1"))
GIB = 1 << 30
TRIALS = 10
LEAST_MEMORY = 3 * GIB  # of one job, all its processes together
SYSTEM = ("/usr", "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
          "/etc/fonts", "/var/cache/fontconfig")
LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"
         )  # links into /usr since Debian 12, folders on older systems
HOME, PRIVATE = "/student", "/run/lanes"
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


def machine_memory():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def limits_for(jobs):
    """What one of so many jobs may take: together no more than the machine has, but never less than
    the lessons need."""
    return Limits(memory=int(min(4 * GIB, max(machine_memory() / jobs, LEAST_MEMORY) / 1.5)))


def most_jobs():
    """One per core, if there is memory for each."""
    return max(1, min(len(os.sched_getaffinity(0)), machine_memory() // LEAST_MEMORY))


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
        # Two threads on every machine: OpenBLAS reserves memory for each, and the limits of memory and
        # processes are the same on 64 cores.
        "SLURM_CPUS_PER_TASK": "2",
        "OPENBLAS_NUM_THREADS": "2",
        "OMP_NUM_THREADS": "2",
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
