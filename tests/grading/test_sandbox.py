"""What a student's cell can and cannot reach while it is graded; and that a passed check alone does
not give points."""

import copy
import socket

import mock_class
import pytest
from conftest import ROOT
from grading import run
from grading.restore import Lesson
from grading.sandbox import SLOW, Limits, Sandbox

pytestmark = pytest.mark.timeout(150 * SLOW)
READS = 'std::ifstream("{}").good()'


@pytest.fixture(scope="module")
def cells(needs_sandbox):
    with Sandbox(limits=Limits(output=20_000)) as sandbox:
        cells = run.Cells(sandbox)
        cells.run(
            "#include <fstream>\n#include <filesystem>\n#include <unistd.h>\n"
            "#include <sys/socket.h>\n#include <netinet/in.h>\n#include <arpa/inet.h>",
            60 * SLOW)
        yield cells


def value(cells, source):
    outputs, _ = cells.run(source, 30 * SLOW)
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


def test_output_without_end_is_cut(cells):
    outputs, _ = cells.run("for (;;) std::cout << \"again and again\\n\";", 5 * SLOW)
    assert len(str(outputs)) < 100_000
    assert value(cells, "6 * 7") == "42"


def test_a_session_that_is_killed_says_so(needs_sandbox):
    with Sandbox() as sandbox:
        outputs, _ = run.Cells(sandbox).run("#include <signal.h>\nkill(-1, SIGKILL);", 30 * SLOW)
        assert outputs[-1].ename in ("SandboxEnded", "Crash"), outputs
        assert outputs[-1].output_type == "error"


def test_too_many_processes_are_counted(needs_sandbox):
    with Sandbox(limits=Limits(processes=100)) as sandbox:
        outputs, _ = run.Cells(sandbox).run(
            "#include <unistd.h>\nfor (int i = 0; i < 130; ++i)\n"
            "    if (fork() == 0) sleep(600), _exit(0);\nsleep(600);",
            30 * SLOW)
        assert sandbox.ended == "more than 100 processes at a time"
        assert (outputs[-1].ename, outputs[-1].evalue) == (
            "SandboxEnded", "this session was ended: more than 100 processes at a time.")


WITHOUT_A_TRACE = """#include <filesystem>
#include <fstream>
#include <signal.h>
for (const char* mine : {"no", "yes"})  // the frozen copy first
    for (auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::string name;
        std::getline(std::ifstream(entry.path() / "comm"), name);
        const int pid = std::atoi(entry.path().filename().c_str());
        if (pid > 0 && name == "xcpp17-session" && (pid == getpid()) == (mine[0] == 'y'))
            kill(pid, SIGKILL);
    }"""


def test_a_session_that_lost_everything_is_followed_by_one_that_did_not(needs_sandbox):
    with run.Session(run.Plan(7, Limits(), 30), 0) as session:
        session.run("int kept = 7;", 30 * SLOW)
        outputs, _ = session.run(WITHOUT_A_TRACE, 30 * SLOW)
        assert outputs[-1].ename == "Crash" and session.ends == [
            "what earlier cells had made was lost"
        ], outputs
        outputs, _ = session.run("kept", 30 * SLOW)
        assert outputs[-1].data["text/plain"] == "7", outputs


def short_lesson():
    """max_plain alone, with its check."""
    lesson = Lesson(ROOT / f"notebooks/solutions/{mock_class.NAME}.ipynb")
    for book in (lesson.solution, lesson.released, lesson.graded):
        book.cells = [
            cell for cell in book.cells if cell.id in ("max-setup", "max-plain", "max-plain-check")
        ]
    return lesson


def test_an_answer_that_knows_the_check_by_heart_is_found_out(needs_sandbox):
    lesson = short_lesson()
    plan = run.Plan(7, Limits(), 20)
    solved = copy.deepcopy(lesson.solution)
    plan = run.Plan(7, Limits(), 20, run.run(lesson, solved, plan))
    learned = copy.deepcopy(lesson.solution)
    answer = mock_class.by_id(learned)["max-plain"]
    answer.source = answer.source.replace(
        "return c;", "if (a.shape(0) == 13 && a.shape(1) == 29) c(5, 5) += 1;\n    return c;")
    run.run(lesson, learned, plan)
    outputs = mock_class.by_id(learned)["max-plain-check"].outputs
    assert "passed" in outputs[0].text
    assert (outputs[-1].ename, outputs[-1].evalue) == (
        "NotConfirmed",
        "the check passed, but with other numbers the answer is wrong: 1 of 377 numbers differ")
    assert not any(output.output_type == "error"
                   for output in mock_class.by_id(solved)["max-plain-check"].outputs)


HARMLESS = {
    "prints to std::cout": 'std::cout << "debug: " << a.size() << " elements\\n";',
    "sets flags of std::cout": "std::cout << std::hex << std::fixed << std::setprecision(2);",
    "writes to std::cerr": 'std::cerr << "a warning\\n";',
}


@pytest.mark.parametrize("habit", HARMLESS)
def test_a_right_answer_gets_its_points_whatever_it_prints(needs_sandbox, habit):
    lesson = short_lesson()
    for book in (lesson.solution, lesson.released, lesson.graded):
        mock_class.by_id(book)["max-setup"].source += "\n#include <iomanip>"
    plan = run.Plan(7, Limits(), 20, run.run(lesson, copy.deepcopy(lesson.solution),
                                             run.Plan(7, Limits(), 20)))
    handed_in = copy.deepcopy(lesson.solution)
    answer = mock_class.by_id(handed_in)["max-plain"]
    assert answer.source.count("{\n") >= 1
    answer.source = answer.source.replace("{\n", "{\n    " + HARMLESS[habit] + "\n", 1)
    run.run(lesson, handed_in, plan)
    outputs = mock_class.by_id(handed_in)["max-plain-check"].outputs
    assert any("passed" in output.get("text", "") for output in outputs), outputs
    assert all(output.output_type == "stream" and output.name == "stdout"
               for output in outputs), outputs


@pytest.mark.parametrize(
    "broken, words",
    [("Ints max_plain(const Ints& a, const Ints& b) { return a + ; }", "expected expression"),
     ("Ints max_plain(const Ints& a, const Ints& b) { return a; }\nkill(getpid(), SIGKILL);",
      "SIGKILL"), ("#define check(x) name()", "redefines 'check'")],
    ids=["no C++", "a crash", "a cheat"])
def test_an_answer_that_cannot_be_used_costs_its_own_check_alone(needs_sandbox, broken, words):
    """What was handed out stands in for it, so that given cells which need its name are not hit."""
    lesson = short_lesson()
    given = copy.deepcopy(mock_class.by_id(lesson.solution)["max-plain-check"])
    given.id, given.outputs = "given", []
    given.source = ("Ints (*needed)(const Ints&, const Ints&) = max_plain;\n"
                    "std::cout << \"there\";")
    given.metadata.nbgrader.update(grade_id="given", grade=False)
    for book in (lesson.solution, lesson.released, lesson.graded):
        mock_class.by_id(book)["max-setup"].source += "\n#include <signal.h>\n#include <unistd.h>"
        book.cells.insert(2, copy.deepcopy(given))
    handed_in = copy.deepcopy(lesson.graded)
    answer = mock_class.by_id(handed_in)["max-plain"]
    answer.source, answer.outputs = broken, []
    outcome = run.run(lesson, handed_in, run.Plan(7, Limits(), 20))
    outputs = {cell.id: cell.get("outputs") for cell in handed_in.cells}
    assert outputs["given"][0].text == "there"
    assert outputs["max-plain"][-1].output_type == "error" and outputs["max-plain-check"][
        -1].output_type == "error"
    assert words in str(outputs["max-plain"][-1].evalue) + str(outcome.remarks), (
        outputs["max-plain"], outcome.remarks)


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
    with Sandbox(limits=Limits(memory=600 << 20)) as sandbox:
        cells = run.Cells(sandbox)
        cells.run(
            "#include <cstring>\n#include <sys/mman.h>\n#include <unistd.h>\n#include <vector>\n"
            "std::vector<char> large;",
            60 * SLOW)
        outputs, _ = cells.run("large.assign(700 << 20, 1);", 60 * SLOW)
        assert outputs[-1].output_type == "error" and sandbox.ended is None, outputs
        outputs, _ = cells.run(HOGS[hog], 30 * SLOW)
        assert outputs[-1].evalue == "this session was ended: more than 1 GiB of memory."
