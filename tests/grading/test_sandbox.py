"""What a student's cell can and cannot reach while it is graded."""

import os
import random
import signal
import socket
import subprocess
import time

import mock_class
import pytest
from conftest import ROOT
from grading import bubblewrap, processes, rooms
from grading.bubblewrap import SLOW, Limits
from grading.cells import Cells
from grading.jail import Jail
from grading.sandbox import Sandbox

pytestmark = pytest.mark.timeout(1200 * SLOW)
READS = 'std::ifstream("{}").good()'


@pytest.fixture(scope="module")
def cells(needs_sandbox):
    with Sandbox(rooms.course(), limits=Limits(output=20_000)) as sandbox:
        cells = Cells(sandbox)
        cells.run(
            "#include <fstream>\n#include <filesystem>\n#include <unistd.h>\n"
            "#include <sys/socket.h>\n#include <netinet/in.h>\n#include <arpa/inet.h>",
            300 * SLOW)
        yield cells


@pytest.mark.parametrize("memory, jobs, total, most", [(64, 8, 6, 8), (16, 4, 4, 5), (8, 4, 3, 2),
                                                       (2, 1, 3, 1)])
def test_all_jobs_together_take_what_the_machine_has(monkeypatch, memory, jobs, total, most):
    """In GiB; a job gets never less than the lessons need, so there are fewer of them."""
    monkeypatch.setattr(bubblewrap, "machine_memory", lambda: memory * bubblewrap.GIB)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(8))
    assert 1.5 * bubblewrap.limits_for(jobs).memory == pytest.approx(total * bubblewrap.GIB)
    assert bubblewrap.most_jobs() == most


def value(cells, source):
    outputs, _ = cells.run(source, 300 * SLOW)
    return outputs[-1].data["text/plain"] if outputs and "data" in outputs[-1] else outputs


def test_the_course_is_there_and_its_answers_are_not(cells):
    assert value(cells, READS.format(ROOT / "include/lanes/base.hpp")) == "true"
    for hidden in (f"notebooks/solutions/{mock_class.NAME}.ipynb",
                   "exercises/max_plain/answers.txt", ".git/HEAD",
                   "exercises/max_plain/probe.cpp"):
        assert (ROOT / hidden).exists()
        assert value(cells, READS.format(ROOT / hidden)) == "false"


def test_nothing_can_be_written_but_home_and_tmp(cells):
    for place, writable in ((ROOT / "include/x", "false"), ("/usr/x", "false"), ("/x", "false"),
                            ("/dev/x", "false"), ("/tmp/x", "true"), ("/student/x", "true")):
        assert value(cells, f'std::ofstream("{place}").good()') == writable, place


def test_the_user_is_nobody_and_sees_nobody_else(cells):
    assert int(value(cells, "int(getuid())")) > 60000
    counted = ("[] { int n = 0; for (auto& e : std::filesystem::directory_iterator(\"/proc\")) "
               "n += std::isdigit(e.path().filename().string()[0]) != 0; return n; }()")
    assert int(value(cells, counted)) < 15


def test_there_is_no_network(cells):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        connect = f"""int fd = socket(AF_INET, SOCK_STREAM, 0);
sockaddr_in there{{}};
there.sin_family = AF_INET;
there.sin_port = htons({server.getsockname()[1]});
inet_pton(AF_INET, "127.0.0.1", &there.sin_addr);
connect(fd, reinterpret_cast<sockaddr*>(&there), sizeof there)"""
        assert value(cells, connect) == "-1"


FILL = """const std::vector<char> much(1 << 20, 'x');
long written = 0;
for (int i = 0; i < 4000; ++i) {
    @OPEN@
    if (file < 0) break;
    const long done = write(file, much.data(), much.size());
    if (done <= 0) break;
    written += done;
    @CLOSE@
}
written >> 20"""
WAYS = {
    "many files": ('const int file = open(("/run/lanes/" + std::to_string(i)).c_str(), O_CREAT | O_RDWR, 0600);',
                   "close(file);"),
    "deleted files": ('const int file = i == 0 ? open("/run/lanes/x", O_CREAT | O_RDWR, 0600) : fd;',
                      'fd = file; unlink("/run/lanes/x");'),
    "deep folders": ('if (i % 8 == 0) for (int k = 0; k < 200; ++k) mkdir("d", 0700), chdir("d");\n'
                     'const int file = open(("y" + std::to_string(i)).c_str(), O_CREAT | O_RDWR, 0600);',
                     "close(file);"),
}


IN_MEMORY = 'const int file = i % 200 == 0 ? memfd_create("m", 0) : fd;'
EMPTY = 'if (fd >= 0) close(fd);\nfd = -1;\nsystem("rm -rf /run/lanes/[0-9d]*")'
HEADERS = ("#include <fcntl.h>\n#include <sys/mman.h>\n#include <sys/stat.h>\n#include <sched.h>\n"
           "#include <sys/shm.h>\n#include <sys/mount.h>\n#include <unistd.h>\n#include <vector>\n"
           "#include <string>\nint fd = -1;")


def fill(cells, opening, closing):
    """What a cell says that writes all it can, in MiB."""
    return cells.run(FILL.replace("@OPEN@", opening).replace("@CLOSE@", closing), 300 * SLOW)[0]


@pytest.fixture(scope="module")
def filled(needs_sandbox):
    with Sandbox(rooms.course(), limits=Limits(memory=600 << 20)) as sandbox:
        cells = Cells(sandbox)
        cells.run(HEADERS, 300 * SLOW)
        yield cells


@pytest.mark.parametrize("way", WAYS)
def test_the_private_folder_is_small_however_it_is_filled(filled, way):
    value(filled, 'chdir("/run/lanes")')
    before = free_space()
    assert int(fill(filled, *WAYS[way])[-1].data["text/plain"]) <= 128
    assert before - free_space() < 64 << 20, "it was written to a disk of this machine"
    value(filled, EMPTY)


def free_space():
    found = os.statvfs("/tmp")
    return found.f_bavail * found.f_frsize


def test_memory_that_belongs_to_no_process_cannot_be_had(filled):
    """It would be in no count: shared memory of System V, and file systems of one's own."""
    assert value(filled, "shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | 0600)") == "-1"
    assert value(filled, "unshare(CLONE_NEWUSER | CLONE_NEWNS)") == "-1"
    assert value(filled, 'mount("none", "/tmp", "tmpfs", 0, nullptr)') == "-1"


def test_files_in_memory_count_as_memory(filled):
    """Written, not mapped: in no map of a process. The last test of this session."""
    outputs = fill(filled, IN_MEMORY, "fd = file;\n    if (i == 3999) sleep(600);")
    assert outputs[-1].evalue == "this session was ended: more than 1 GiB of memory."


def test_a_neighbour_of_those_who_fill_everything_keeps_his_values(needs_sandbox):
    """In four ways, one after the other; the last one ends the session."""
    limits = Limits(memory=600 << 20)
    with Sandbox(rooms.course(), 0, limits) as greedy, Sandbox(rooms.course(), 1) as neighbour:
        cells, others = Cells(greedy), Cells(neighbour)
        cells.run(HEADERS + 'const int here = chdir("/run/lanes");', 300 * SLOW)
        others.run("#include <fstream>", 300 * SLOW)
        for opening, closing in (*WAYS.values(), (IN_MEMORY, "fd = file;")):
            outputs = fill(cells, opening, closing)
            written = outputs[-1].get("data") or greedy.ended
            assert written == "more than 1 GiB of memory" or int(written["text/plain"]) > 0
            file = neighbour.new_file()
            assert value(others, f'(std::ofstream("/run/lanes/{file}") << "mine").flush().good()'
                         ) == "true"
            with open(neighbour.path(file)) as opened:
                assert opened.read() == "mine"
            value(cells, EMPTY)


def test_output_without_end_is_cut(cells):
    outputs, _ = cells.run("for (;;) std::cout << \"again and again\\n\";", 5 * SLOW)
    assert len(str(outputs)) < 100_000
    assert value(cells, "6 * 7") == "42"


def test_a_session_that_is_killed_says_so(needs_sandbox):
    with Sandbox(rooms.course()) as sandbox:
        outputs, _ = Cells(sandbox).run("#include <signal.h>\nkill(-1, SIGKILL);", 300 * SLOW)
        assert outputs[-1].ename in ("SandboxEnded", "Crash"), outputs
        assert outputs[-1].output_type == "error"


def test_a_session_has_two_threads_on_every_machine(needs_sandbox):
    with Sandbox(rooms.course()) as sandbox:
        cells = Cells(sandbox)
        cells.run('#include <omp.h>\nextern "C" int openblas_get_num_threads();', 300 * SLOW)
        assert value(cells, "openblas_get_num_threads()") == "2"
        assert value(cells, "omp_get_max_threads()") == "2"


def test_too_many_processes_are_counted(needs_sandbox):
    with Sandbox(rooms.course(), limits=Limits(processes=100)) as sandbox:
        outputs, _ = Cells(sandbox).run(
            "#include <unistd.h>\nfor (int i = 0; i < 130; ++i)\n"
            "    if (fork() == 0) sleep(600), _exit(0);\nsleep(600);",
            300 * SLOW)
        assert sandbox.ended == "more than 100 processes at a time"
        assert (outputs[-1].ename, outputs[-1].evalue) == (
            "SandboxEnded", "this session was ended: more than 100 processes at a time.")


HOGS = {
    "processes":
    "for (int i = 0; i < 8; ++i)\n    if (fork() == 0) {\n        large.assign(200 << 20, 1);\n"
    "        sleep(600);\n    }\nsleep(600);",
    "shared memory":
    "std::memset(mmap(nullptr, 1500u << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, "
    "-1, 0), 1, 1500u << 20);\nsleep(600);",
}


@pytest.mark.parametrize("hog", HOGS)
def test_memory_is_bounded(needs_sandbox, hog):
    """The system limits the memory of one process; the sandbox that of all together, shared memory
    included."""
    with Sandbox(rooms.course(), limits=Limits(memory=600 << 20)) as sandbox:
        cells = Cells(sandbox)
        cells.run(
            "#include <cstring>\n#include <sys/mman.h>\n#include <unistd.h>\n#include <vector>\n"
            "std::vector<char> large;",
            300 * SLOW)
        outputs, _ = cells.run("large.assign(700 << 20, 1);", 300 * SLOW)
        assert outputs[-1].output_type == "error" and sandbox.ended is None, outputs
        outputs, _ = cells.run(HOGS[hog], 300 * SLOW)
        assert outputs[-1].evalue == "this session was ended: more than 1 GiB of memory."


@pytest.mark.parametrize("has_children", [True, False])
def test_all_descendants_are_found(monkeypatch, has_children):
    """With and without the lists of children that most kernels keep."""
    monkeypatch.setattr(processes, "HAS_CHILDREN", has_children)
    first = subprocess.Popen(["sh", "-c", "sleep 600 & sh -c 'sleep 600; true' & wait"])
    until, found = time.monotonic() + 30 * SLOW, []
    while len(found) < 4 and time.monotonic() < until:
        found = processes.family(first.pid)
    for pid in found:
        os.kill(pid, signal.SIGKILL)
    first.wait()
    assert len(found) == 4 and found[0] == first.pid


def processes_with(word):
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                if word.encode() in file.read():
                    found.append(int(entry))
        except OSError:  # it has just ended
            continue
    return found


def test_no_sandbox_outlives_a_grader_that_is_killed_while_it_is_set_up(needs_sandbox):
    """Without a guardian. bubblewrap's processes ask the system to end them with their parent; one
    that asks too late misses it."""
    seconds, tries, moments = f"3000.{random.getrandbits(40)}", 100, random.Random(7)

    def start():
        with Jail(["sleep", seconds]):
            time.sleep(3000)

    start_of_all = time.monotonic()
    with Jail(["sleep", "0"]) as jail:
        jail.wait(60 * SLOW)
    usual = time.monotonic() - start_of_all
    for _ in range(tries):
        grader = os.fork()
        if grader == 0:
            try:
                start()
            finally:
                os._exit(1)
        time.sleep(moments.uniform(0, usual))
        os.kill(grader, signal.SIGKILL)
        os.waitpid(grader, 0)
    until = time.monotonic() + 30 * SLOW  # what was killed needs a moment to be gone
    while (left := processes_with(seconds)) and time.monotonic() < until:
        time.sleep(0.1)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left
