"""The checks around every cell must be able to fail: each of these conversations breaks one promise of the protocol."""

import copy
import os
import subprocess
import sys
import tempfile

import psutil
import pytest
from client import MARK, Kernel, ProtocolError, Result, check_protocol


def message(kind, **content):
    return {"msg_type": kind, "content": content, "parent_header": {}}


def conversation():
    """A cell `1` that ends well."""
    result = Result("1")
    result.messages = [
        message("status", execution_state="busy"),
        message("execute_input", code="1", execution_count=1),
        message("execute_result", data={"text/plain": "1"}, execution_count=1),
        message("status", execution_state="idle"),
    ]
    result.reply = message("execute_reply",
                           status="ok",
                           execution_count=1,
                           payload=[],
                           user_expressions={})
    return result


def failed_conversation():
    result = conversation()
    error = {"ename": "Crash", "evalue": "segmentation fault (SIGSEGV)", "traceback": ["Crash"]}
    result.messages[2] = message("error", **error)
    result.reply = message("execute_reply", status="error", execution_count=1, **error)
    return result


def test_conversations_that_are_right():
    check_protocol(conversation())
    check_protocol(failed_conversation())


def two_idles(r):
    r.messages.append(r.messages[-1])


def no_busy(r):
    r.messages.pop(0)


def text_after_idle(r):
    r.messages.append(message("stream", name="stdout", text="late"))


def no_input(r):
    r.messages.pop(1)


def input_is_late(r):
    r.messages[1], r.messages[2] = r.messages[2], r.messages[1]


def other_code(r):
    r.messages[1]["content"]["code"] = "2"


def other_count(r):
    r.messages[1]["content"]["execution_count"] = 7


def two_results(r):
    r.messages.insert(2, copy.deepcopy(r.messages[2]))


def error_without_reply(r):
    r.messages[2] = message("error", ename="E", evalue="", traceback=[])


def reply_without_error(r):
    r.reply["content"].update(status="error", ename="E", evalue="", traceback=[])


@pytest.mark.parametrize("fault", [
    two_idles, no_busy, text_after_idle, no_input, input_is_late, other_code, other_count,
    two_results, error_without_reply, reply_without_error
])
def test_broken_conversation(fault):
    result = conversation()
    fault(result)
    with pytest.raises(ProtocolError):
        check_protocol(result)


def two_errors(r):
    r.messages.insert(2, copy.deepcopy(r.messages[2]))


def address_in_evalue(r):
    r.messages[2]["content"]["evalue"] = r.reply["content"]["evalue"] = "at 0x7f00deadbeef"


def error_and_reply_differ(r):
    r.messages[2]["content"]["ename"] = "Exit"


def no_traceback(r):
    r.reply["content"]["traceback"] = None


@pytest.mark.parametrize("fault",
                         [two_errors, address_in_evalue, error_and_reply_differ, no_traceback])
def test_broken_error(fault):
    result = failed_conversation()
    fault(result)
    with pytest.raises(ProtocolError):
        check_protocol(result)


def test_processes_are_found_by_their_mark(tmp_path):
    """Also those that left their parent and their session."""
    kernel = Kernel.__new__(Kernel)  # no Jupyter kernel is needed to look for processes
    kernel.mark = f"test-{os.getpid()}"
    daemon = "import os, sys, time\nif os.fork(): sys.exit()\nos.setsid()\ntime.sleep(60)"
    subprocess.run([sys.executable, "-c", daemon],
                   env=dict(os.environ, **{MARK: kernel.mark}),
                   check=True)
    found = kernel.processes()
    assert len(found) == 1 and found[0].ppid() != os.getpid()
    found[0].kill()
    psutil.wait_procs(found, timeout=5)


def test_files_of_another_jupyter_kernel_are_not_left_behind_by_this_one(tmp_path):
    kernel = Kernel.__new__(Kernel)
    kernel.mark, kernel.temporary, kernel.first_pid = "nobody", tmp_path, os.getpid()
    kernel.shared_memory_before, kernel.tmp_before = set(os.listdir("/dev/shm")), set(
        os.listdir("/tmp"))
    with tempfile.TemporaryDirectory(prefix="xcpp17-temporary-", dir="/tmp"):
        assert kernel.left_behind(wait=0) == []
    with tempfile.TemporaryDirectory(prefix="xcpp-page-", dir="/tmp") as folder:
        assert kernel.left_behind(wait=0) == [f"file {folder}"]
