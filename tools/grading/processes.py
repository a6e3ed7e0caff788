"""What the system says about processes: which descend from one, and how much memory they take."""

import os
import stat

PAGE = os.sysconf("SC_PAGE_SIZE")
# Most kernels say which children a thread has (CONFIG_PROC_CHILDREN).
HAS_CHILDREN = os.path.exists(f"/proc/{os.getpid()}/task/{os.getpid()}/children")


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
