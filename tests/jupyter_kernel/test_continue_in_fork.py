"""A library that can never work again in its process (CUDA after a fault of a GPU) asks for a new one:
the session continues in a fork, with everything but its threads. Here cells ask in its place; the real
faults are in test_gpu_faults.py."""

import pytest

PREPARE = """#include <unistd.h>
#include <thread>
#include <vector>
#include "xcpp/capi.h"
int kept = 7;
std::vector<double> values(100000, 0.5);
int twice(int n) { return 2 * n; }
int process = getpid();"""


@pytest.fixture
def prepared(fresh):
    fresh.run(PREPARE).ok()
    return fresh


def check_another_process(kernel):
    assert kernel.value("process != getpid()") == "true"
    kernel.run("process = getpid();").ok()


def test_what_the_cell_did_is_kept(prepared):
    result = prepared.run('int answer = xcpp_continue_in_fork();\nkept = 8;\nstd::cout << "before the end";').ok()
    assert result.stdout == "before the end"
    check_another_process(prepared)
    assert prepared.value("answer") == "0"
    assert prepared.value("twice(kept)") == "16"
    assert prepared.value("values[99999] + values.size()") == "100000.5"


def test_an_exception_is_shown_as_ever_and_takes_nothing_back(prepared):
    result = prepared.run('kept = 9;\nxcpp_continue_in_fork();\nthrow std::runtime_error("illegal address");')
    assert result.ename == "std::runtime_error" and result.evalue == "illegal address"
    assert "line 3" in result.traceback
    check_another_process(prepared)
    assert prepared.value("kept") == "9"


def test_a_later_crash_goes_back_to_the_time_before_its_cell(prepared):
    prepared.run("kept = 10;\nxcpp_continue_in_fork();").ok()
    result = prepared.run("kept = 11;\nint* volatile nowhere = nullptr; *nowhere = 1;")
    assert result.ename == "Crash" and "In[3], line 2" in result.traceback
    assert prepared.value("twice(kept)") == "20"


def test_undo_says_that_there_is_nothing_to_undo(prepared):
    prepared.run("kept = 12;\nxcpp_continue_in_fork();").ok()
    assert prepared.run("%undo").ename == "UndoError"
    assert prepared.value("kept") == "12"


def test_many_in_a_row_leave_one_session(prepared):
    processes = None
    for count in range(12):
        prepared.run("kept += 1;\nxcpp_continue_in_fork();").ok()
        check_another_process(prepared)
        if count == 1:
            processes = len(prepared.processes())
    assert prepared.value("kept") == "19"
    assert len(prepared.processes()) <= processes


def test_a_thread_is_lost_and_says_so(prepared):
    prepared.run("std::thread worker([] { for (;;) usleep(1000); });\nxcpp_continue_in_fork();").ok()
    check_another_process(prepared)
    assert "thread" in prepared.run("worker.join();").ok().stderr


def test_only_the_session_can_ask(prepared):
    result = prepared.run("""#include <sys/wait.h>
int status = 0;
if (fork() == 0) _exit(xcpp_continue_in_fork() == -1 ? 3 : 4);
wait(&status);
WEXITSTATUS(status)""")
    assert result.ok().result == "3"
    assert prepared.value("process == getpid()") == "true"
