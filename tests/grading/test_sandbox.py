"""What a student's cell can and cannot reach while it is graded."""

import socket

import mock_class
import pytest
from conftest import ROOT
from grading import rooms, run
from grading.sandbox import SLOW, Limits, Sandbox

pytestmark = pytest.mark.timeout(1200 * SLOW)
READS = 'std::ifstream("{}").good()'


@pytest.fixture(scope="module")
def cells(needs_sandbox):
    with Sandbox(rooms.course(), limits=Limits(output=20_000)) as sandbox:
        cells = run.Cells(sandbox)
        cells.run(
            "#include <fstream>\n#include <filesystem>\n#include <unistd.h>\n"
            "#include <sys/socket.h>\n#include <netinet/in.h>\n#include <arpa/inet.h>",
            300 * SLOW)
        yield cells


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


def test_the_private_folder_cannot_fill_the_disk(needs_sandbox):
    with Sandbox(rooms.course()) as sandbox:
        cells = run.Cells(sandbox)
        outputs, _ = cells.run(
            "#include <fstream>\nstd::vector<char> much(1 << 24, 'x');\n"
            "for (int i = 0; i < 2000; ++i) {\n"
            "    std::ofstream file(\"/run/lanes/\" + std::to_string(i));\n"
            "    file.write(much.data(), much.size());\n}\nsleep(600);", 300 * SLOW)
        assert outputs[-1].output_type == "error"
        assert "of files in /run/lanes" in sandbox.ended, sandbox.ended
        assert sum(path.stat().st_size for path in sandbox.folder.iterdir()) < 4e9


def test_output_without_end_is_cut(cells):
    outputs, _ = cells.run("for (;;) std::cout << \"again and again\\n\";", 5 * SLOW)
    assert len(str(outputs)) < 100_000
    assert value(cells, "6 * 7") == "42"


def test_a_session_that_is_killed_says_so(needs_sandbox):
    with Sandbox(rooms.course()) as sandbox:
        outputs, _ = run.Cells(sandbox).run("#include <signal.h>\nkill(-1, SIGKILL);", 300 * SLOW)
        assert outputs[-1].ename in ("SandboxEnded", "Crash"), outputs
        assert outputs[-1].output_type == "error"


def test_too_many_processes_are_counted(needs_sandbox):
    with Sandbox(rooms.course(), limits=Limits(processes=100)) as sandbox:
        outputs, _ = run.Cells(sandbox).run(
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
        cells = run.Cells(sandbox)
        cells.run(
            "#include <cstring>\n#include <sys/mman.h>\n#include <unistd.h>\n#include <vector>\n"
            "std::vector<char> large;",
            300 * SLOW)
        outputs, _ = cells.run("large.assign(700 << 20, 1);", 300 * SLOW)
        assert outputs[-1].output_type == "error" and sandbox.ended is None, outputs
        outputs, _ = cells.run(HOGS[hog], 300 * SLOW)
        assert outputs[-1].evalue == "this session was ended: more than 1 GiB of memory."
