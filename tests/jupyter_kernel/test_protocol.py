"""The Jupyter protocol: the suite that jupyter_kernel_test runs against any Jupyter kernel, and what it leaves out: the control channel, comms."""

import time

import jupyter_kernel_test
import pytest
from client import PATIENCE, comes_true
from lifetime import start, stop_and_look


class XcppTests(jupyter_kernel_test.KernelTests):
    kernel_name = "xcpp17"
    language_name = "c++"
    file_extension = ".cpp"

    code_hello_world = '#include <iostream>\nstd::cout << "hello, world" << std::endl;'
    code_stderr = '#include <iostream>\nstd::cerr << "oops" << std::endl;'
    completion_samples = [
        {
            "text": "std::vector<int> v; v.push_b",
            "matches": {"push_back"}
        },
        {
            "text": "std::unordered_multim",
            "matches": {"unordered_multimap"}
        },
        {
            "text": "struct Sample { int only_member; } sample; sample.only_m",
            "matches": {"only_member"}
        },
        {
            "text": "%time",
            "matches": {"%timeit"}
        },
    ]
    complete_code_samples = [
        "1", "int j=5", "int f() { return 1; }", "for (int i = 0; i < 3; ++i) { }", "// a comment",
        "#include <vector>", "%timeit 1 + 1"
    ]
    incomplete_code_samples = [
        "double sqr(double a",
        "int f() {",
        "std::vector<int> v{1, 2,",
        "struct S {\n    int x;",
        "for (int i = 0; i < 3; ++i) {",
        "#if 1",
        "/* open",
        'auto s = R"(open',
        "int x = 1 +\\",
    ]
    invalid_code_samples = ["int f() { return 1; }}", "int a[3)", "#endif"]
    code_page_something = "?std::vector"
    code_generate_error = 'throw std::runtime_error("unknown error");'
    code_execute_result = [
        {
            "code": "6 * 7",
            "result": "42"
        },
        {
            "code": "int j = 5;j",
            "result": "5"
        },
        {
            "code": 'std::string("text")',
            "result": '"text"'
        },
        {
            "code": "std::vector<int>{1, 2, 3}",
            "result": "{ 1, 2, 3 }"
        },
        {
            "code": "#include <xtensor/xarray.hpp>\nxt::xarray<double>{{1., 2.}, {3., 4.}}",
            "mime": "text/html"
        },
    ]
    code_display_data = [
        {
            "code": '#include "xcpp/xdisplay.hpp"\nxcpp::display(std::string("shown"));',
            "mime": "text/plain"
        },
        {
            "code":
            '#include <string>\n#include "xcpp/xdisplay.hpp"\n#include <xtensor/xarray.hpp>\nxcpp::display(xt::xarray<int>{1, 2});',
            "mime": "text/html"
        },
        {
            "code":
            'xcpp_publish("display_data", R"({"data": {"image/svg+xml": "<svg></svg>"}})", "");',
            "mime": "image/svg+xml"
        },
    ]
    code_history_pattern = "6 ? 7"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "std::vector"
    code_clear_output = '#include "xcpp/xdisplay.hpp"\nxcpp::clear_output();'

    @classmethod
    def setUpClass(cls):
        cls.kernel = start()
        cls.km, cls.kc = cls.kernel.manager, cls.kernel.client

    @classmethod
    def tearDownClass(cls):
        stop_and_look(cls.kernel)


# kernel_info and counts


def test_kernel_info(kernel):
    for channel in ("shell", "control"):
        info = kernel.request("kernel_info_request", channel=channel)
        assert info["status"] == "ok" and info["protocol_version"].startswith("5.")
        language = info["language_info"]
        assert language["name"] == "c++" and language["version"].startswith("17")
        assert language["mimetype"] == "text/x-c++src" and language["file_extension"] == ".cpp"
        mode = language["codemirror_mode"]
        assert mode == "text/x-c++src" or mode["name"] == "text/x-c++src"
        assert info["implementation"] and info["implementation_version"] and info["banner"]


def test_execution_count(kernel):
    first = kernel.run("1").count
    assert kernel.run("2;").count == first + 1
    assert kernel.run("broken(").count == first + 2
    assert kernel.run("abort();").count == first + 3
    quiet = kernel.run("3", store_history=False)
    assert quiet.ok(
    ).result == "3" and quiet.count == first + 3, "the reply tells the last number that is in the history"
    assert kernel.run("4").count == first + 4


def test_history_over_restarts(fresh):
    def history(**content):
        return fresh.request("history_request", {"output": False, "raw": True, **content})["history"]

    fresh.run("int before_restart = 1;").ok()
    fresh.run("before_restart + 1", store_history=False).ok()
    fresh.restart()
    fresh.run("int after_restart = 2;").ok()
    assert history(hist_access_type="tail", n=9) == [[1, 1, "int before_restart = 1;"], [0, 1, "int after_restart = 2;"]]
    assert history(hist_access_type="range", session=-1, start=1, stop=5) == [[1, 1, "int before_restart = 1;"]]
    assert history(hist_access_type="range", session=0, start=1, stop=5) == [[0, 1, "int after_restart = 2;"]]
    assert history(hist_access_type="search", pattern="*before*", n=9) == [[1, 1, "int before_restart = 1;"]]


def test_no_history_of_graded_cells(make_kernel):
    kernel = make_kernel(env={"NBGRADER_EXECUTION": "autograde"})
    kernel.run("int graded = 1;").ok()
    assert not list(kernel.state.rglob("*")), "the cells of students are not the grader's history"


def test_cells_without_history_leave_the_text_of_stored_ones(kernel):
    """A front end's own questions must not become the source of a cell that was run."""
    cell = kernel.run('extern "C" const char* xcpp_cell_source(int cell);  // kept').ok().count
    for quiet in ({"store_history": False}, {"silent": True}):
        assert kernel.run("6 * 7;", **quiet).status == "ok"
        assert "// kept" in kernel.value(f"std::string(xcpp_cell_source({cell}))")


def test_execute_result_has_the_count_of_its_input(kernel):
    result = kernel.run("6 * 7").ok()
    assert result.of("execute_result")[0]["content"]["execution_count"] == result.count


def test_silent(kernel):
    kernel.run("int loud = 1;").ok()
    before = kernel.run("0").count
    result = kernel.run("loud = 2; loud", silent=True)
    assert result.status == "ok" and result.result is None
    again = kernel.run("loud").ok()
    assert again.result == "2" and again.count == before + 1, "a silent cell is not counted"


def test_stop_on_error_aborts_what_is_queued(kernel):
    """A person who runs all cells does not get a page of follow-up errors."""
    first = kernel.client.execute(
        '#include <unistd.h>\nusleep(300000); throw std::runtime_error("stop here");',
        stop_on_error=True)
    second = kernel.client.execute("int should_not_run = 1;", stop_on_error=True)
    assert kernel.wait(first).ename == "std::runtime_error"
    replies = [
        m for m in kernel.strays
        if m["parent_header"].get("msg_id") == second and m["msg_type"] == "execute_reply"
    ]
    reply = replies[0] if replies else kernel.client.get_shell_msg(timeout=5 * PATIENCE)
    assert reply["parent_header"]["msg_id"] == second and reply["content"]["status"] == "aborted"
    kernel.drain(0.2)
    assert kernel.value("40 + 2") == "42"


def run_with_expressions(kernel, code, expressions):
    reply = kernel.request(
        "execute_request", {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": expressions,
            "allow_stdin": False
        })
    kernel.drain(0.2)
    return reply


def test_user_expressions(kernel):
    reply = run_with_expressions(kernel, "int expressed = 2;", {})
    assert reply["status"] == "ok" and reply["user_expressions"] == {}
    reply = run_with_expressions(kernel, "expressed = 3;", {
        "value": "expressed + 1",
        "wrong": "no_such_name"
    })
    values = reply["user_expressions"]
    assert reply["status"] == "ok" and values["value"]["data"]["text/plain"] == "4"
    assert values["wrong"]["status"] == "error" and values["wrong"]["ename"] == "CompileError"


def test_user_expressions_do_not_take_the_place_of_their_cell(kernel):
    """They have its number: its text stays what others read, and %undo does not mean them."""
    kernel.run('#include "xcpp/capi.h"').ok()
    reply = run_with_expressions(kernel, "int asked = 3;", {"value": "asked + 1"})
    count = reply["execution_count"]
    assert kernel.value(f"std::string(xcpp_cell_source({count}))") == '"int asked = 3;"'
    run_with_expressions(kernel, "asked = 5;", {"value": "asked"})
    assert kernel.run("%undo").ename == "UndoError"
    assert kernel.value("asked") == "5"


def test_unknown_request_does_no_harm(kernel):
    message = kernel.client.session.msg("no_such_request", {})
    kernel.client.shell_channel.send(message)
    kernel.drain(0.2)
    assert kernel.value("40 + 2") == "42"


def test_message_with_a_wrong_signature_is_not_run(kernel):
    kernel.run("int guarded = 1;").ok()
    session = kernel.client.session
    message = session.msg(
        "execute_request", {
            "code": "guarded = 2;",
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False
        })
    frames = session.serialize(message)
    frames[1] = b"0" * len(frames[1])
    kernel.client.shell_channel.socket.send_multipart(frames)
    kernel.drain(0.3)
    assert kernel.value("guarded") == "1"


# The control channel while a cell runs

BUSY = '#include <unistd.h>\nstd::cout << "running" << std::endl;\nfor (;;) usleep(1000);'


def start_busy(kernel):
    message = kernel.submit(BUSY)
    kernel.drain(5, until=lambda m: m["msg_type"] == "stream")
    return message


def finish(kernel, message):
    result = kernel.wait(message)
    assert result.ename == "Interrupted"
    return result


def test_kernel_info_on_control_while_a_cell_runs(kernel):
    message = start_busy(kernel)
    assert kernel.request("kernel_info_request", channel="control")["status"] == "ok"
    kernel.interrupt()
    finish(kernel, message)


def test_interrupt_request_while_a_cell_runs(kernel):
    message = start_busy(kernel)
    reply = kernel.request("interrupt_request", channel="control")
    assert reply.get("status", "ok") == "ok"
    finish(kernel, message)
    assert kernel.value("40 + 2") == "42"


def test_interrupt_request_when_idle(kernel):
    kernel.request("interrupt_request", channel="control")
    assert kernel.value("40 + 2") == "42"


def test_shutdown_request_while_a_cell_runs(make_kernel):
    kernel = make_kernel()
    start_busy(kernel)
    reply = kernel.request("shutdown_request", {"restart": False}, channel="control")
    assert reply["restart"] is False
    assert comes_true(lambda: not kernel.alive())


def test_shutdown_request_on_shell(make_kernel):
    """Old clients send it there."""
    kernel = make_kernel()
    assert kernel.request("shutdown_request", {"restart": False})["restart"] is False
    assert comes_true(lambda: not kernel.alive())


def test_shell_requests_wait_for_the_cell(kernel):
    """Completion while a cell runs is answered, at the latest when the cell is done."""
    message = kernel.submit("#include <unistd.h>\nusleep(500000);")
    reply = kernel.request("complete_request", {"code": "std::unordered_multim", "cursor_pos": 21})
    assert "unordered_multimap" in reply["matches"]
    assert kernel.wait(message).status == "ok"
    kernel.drain(0.2)


# Comms


def test_comm_info(kernel):
    assert kernel.request("comm_info_request", {})["comms"] == {}


def send_comm(kernel, kind, content, buffers=()):
    message = kernel.client.session.msg(kind, content)
    kernel.client.session.send(kernel.client.shell_channel.socket, message, buffers=list(buffers))
    return message["header"]["msg_id"]


def answers_to(kernel, message_id, seconds=5):
    def ours(m):
        return m["parent_header"].get("msg_id") == message_id

    got = kernel.drain(seconds,
                       until=lambda m: ours(m) and m["content"].get("execution_state") == "idle")
    return [m for m in got if ours(m)]


def test_comm_with_an_unknown_target_is_closed(kernel):
    sent = send_comm(kernel, "comm_open", {
        "comm_id": "unknown-1",
        "target_name": "nobody.knows.this",
        "data": {}
    })
    closed = [m for m in answers_to(kernel, sent) if m["msg_type"] == "comm_close"]
    assert [m["content"]["comm_id"] for m in closed] == ["unknown-1"]
    assert kernel.request("comm_info_request", {})["comms"] == {}
    sent = send_comm(kernel, "comm_msg", {"comm_id": "unknown-1", "data": {"x": 1}})
    answers_to(kernel, sent)
    assert kernel.value("40 + 2") == "42"


HANDLER = r"""
#include <cstdio>
#include <string>
#include "xcpp/capi.h"
std::string comm_log;
void on_comm(const char* event, const char* comm_id, const char* data, const char* metadata, const xcpp_buffer* buffers, size_t count, void* user) {
    comm_log += std::string(event) + ":" + data + ";";
    std::string answer = std::string("{\"heard\": \"") + event + "\", \"buffers\": " + std::to_string(count) + "}";
    if (std::string(event) != "close") xcpp_comm_send(comm_id, answer.c_str(), "", buffers, count);
    std::printf("comm %s\n", event);
}
xcpp_comm_on_target("test.target", on_comm, nullptr)
"""


def test_comm_with_a_known_target(kernel):
    assert kernel.value(HANDLER) == "0"
    sent = send_comm(kernel, "comm_open", {
        "comm_id": "known-1",
        "target_name": "test.target",
        "data": {
            "hello": 1
        }
    })
    got = answers_to(kernel, sent)
    assert [m["content"]["data"] for m in got if m["msg_type"] == "comm_msg"] == [{
        "heard": "open",
        "buffers": 0
    }]
    assert "".join(m["content"]["text"] for m in got if m["msg_type"] == "stream") == "comm open\n"
    assert kernel.request("comm_info_request", {"target_name": "test.target"})["comms"] == {
        "known-1": {
            "target_name": "test.target"
        }
    }

    sent = send_comm(kernel,
                     "comm_msg", {
                         "comm_id": "known-1",
                         "data": {
                             "value": 2
                         }
                     },
                     buffers=[b"\x00\x01\xff", b"second"])
    reply = [m for m in answers_to(kernel, sent) if m["msg_type"] == "comm_msg"]
    assert reply[0]["content"]["data"] == {"heard": "msg", "buffers": 2}
    assert [bytes(b) for b in reply[0]["buffers"]] == [b"\x00\x01\xff", b"second"]

    answers_to(kernel, send_comm(kernel, "comm_close", {"comm_id": "known-1", "data": {}}))
    assert kernel.request("comm_info_request", {})["comms"] == {}
    log = kernel.value("comm_log")
    assert '"hello"' in log.replace("\\", "") and "msg:" in log and "close:" in log


def test_comm_opened_by_a_cell(kernel):
    result = kernel.run(
        '#include "xcpp/capi.h"\nxcpp_comm_open("from-cell", "jupyter.widget", R"({"state": {}})", R"({"version": "2.1.0"})", nullptr, 0);\n'
        'xcpp_comm_send("from-cell", R"({"method": "update"})", "", nullptr, 0);').ok()
    opened = result.of("comm_open")[0]
    assert opened["content"] == {
        "comm_id": "from-cell",
        "target_name": "jupyter.widget",
        "data": {
            "state": {}
        }
    } or opened["content"]["data"] == {
        "state": {}
    }
    assert opened["metadata"].get("version") == "2.1.0"
    assert result.of("comm_msg")[0]["content"]["data"] == {"method": "update"}
    assert "from-cell" in kernel.request("comm_info_request", {})["comms"]
    assert kernel.run('xcpp_comm_close("from-cell", "", "");').ok().of("comm_close")
    assert kernel.request("comm_info_request", {})["comms"] == {}


def test_comms_that_a_crashed_cell_opened_are_closed(kernel):
    result = kernel.run(
        '#include "xcpp/capi.h"\nxcpp_comm_open("doomed", "jupyter.widget", "", "", nullptr, 0);\nabort();'
    )
    assert result.ename == "Crash"
    assert [m["content"]["comm_id"] for m in result.of("comm_close")] == ["doomed"]
    assert kernel.request("comm_info_request", {})["comms"] == {}


def test_crash_in_a_comm_handler(kernel):
    """The callback runs with a frozen copy behind it, as a cell does."""
    kernel.run(
        '#include "xcpp/capi.h"\nint calm = 1;\nxcpp_comm_on_target("crash.target", [](const char*, const char*, const char*, const char*, const xcpp_buffer*, size_t, void*) '
        "{ calm = 2; int* volatile p = nullptr; *p = 1; }, nullptr);").ok()
    sent = send_comm(kernel, "comm_open", {
        "comm_id": "crash-1",
        "target_name": "crash.target",
        "data": {}
    })
    got = answers_to(kernel, sent)
    told = " ".join(
        str(m["content"]) for m in got if m["msg_type"] in ("error", "stream", "display_data"))
    assert "SIGSEGV" in told, got
    assert kernel.value("calm") == "1"


def run_as_notebook(kernel, code, cell_id):
    """As JupyterLab sends a cell: with its name in the metadata."""
    content = {
        "code": code,
        "silent": False,
        "store_history": True,
        "user_expressions": {},
        "allow_stdin": False,
        "stop_on_error": True
    }
    message = kernel.client.session.msg("execute_request", content, metadata={"cellId": cell_id})
    kernel.client.session.send(kernel.client.shell_channel.socket, message)
    return kernel.wait(message["header"]["msg_id"], code).ok()


def test_a_function_that_is_corrected_in_its_cell_is_no_overload(kernel):
    run_as_notebook(kernel, "double halved(int n) { return n / 2; }", "halved")
    run_as_notebook(kernel, "double halved(double n) { return n / 2; }", "halved")
    assert kernel.value("halved(3)") == "1.5"
    run_as_notebook(kernel, "void doubled(std::vector<double> v) { for (auto& x : v) x *= 2; }",
                    "doubled")
    run_as_notebook(kernel, "void doubled(std::vector<double>& v) { for (auto& x : v) x *= 2; }",
                    "doubled")
    assert kernel.value(
        "std::vector<double> to_double{4}; doubled(to_double); to_double[0]") == "8.0"


def test_overloads_of_a_cell_and_of_other_cells_stay(kernel):
    both = "int chosen(int) { return 1; }\nint chosen(double) { return 2; }"
    for _ in range(2):
        run_as_notebook(kernel, both, "both")
        assert kernel.value("chosen(1) * 10 + chosen(1.0)") == "12"
    run_as_notebook(kernel, "int chosen(const char*) { return 3; }", "third")
    run_as_notebook(kernel, both, "both")
    assert kernel.value('chosen(1) * 100 + chosen(1.0) * 10 + chosen("")') == "123"
    run_as_notebook(kernel, "template <class T> int chosen(T*, T*) { return 4; }", "third")
    assert kernel.value(
        "chosen(1) * 100 + chosen(1.0) * 10 + chosen(&std::cout, &std::cout)") == "124"
    assert kernel.run('chosen("")').ename == "CompileError"


def test_a_cell_that_is_run_again_is_known(kernel):
    first = run_as_notebook(kernel, "int here = xcpp_cell_number();", "one").count
    assert kernel.value("here") == str(first)
    other = run_as_notebook(kernel, "int there = 1;", "other").count
    assert kernel.value(f"xcpp_cell_newest({first})") == str(first)
    second = run_as_notebook(kernel, "int here = xcpp_cell_number();  // edited", "one").count
    assert kernel.value(f"xcpp_cell_newest({first})") == str(second) == kernel.value("here")
    assert kernel.value(f"xcpp_cell_newest({second})") == str(second)
    assert kernel.value(f"xcpp_cell_newest({other})") == str(other)
    # a run that crashed has not been
    message = kernel.client.session.msg("execute_request", {
        "code": "abort();",
        "silent": False
    },
                                        metadata={"cellId": "one"})
    kernel.client.session.send(kernel.client.shell_channel.socket, message)
    assert kernel.wait(message["header"]["msg_id"], "abort();").ename == "Crash"
    assert kernel.value(f"xcpp_cell_newest({first})") == str(second)


def test_cells_without_a_name_are_known_by_their_text(kernel):
    first = kernel.run("int unnamed = 4;").ok().count
    assert kernel.value(f"xcpp_cell_newest({first})") == str(first)
    second = kernel.run("int unnamed = 4;").ok().count
    assert kernel.value(f"xcpp_cell_newest({first})") == str(second)


@pytest.mark.parametrize("code, pos, expected",
                         [("std::vector<int> vv; vv.push_b", None, "push_back"),
                          ("std::ve", None, "vector"), ("int ab = std::ve + 1", 15, "vector")])
def test_complete_reply(kernel, code, pos, expected):
    pos = len(code) if pos is None else pos
    reply = kernel.request("complete_request", {"code": code, "cursor_pos": pos})
    assert reply["status"] == "ok" and expected in reply["matches"]
    assert expected.startswith(code[reply["cursor_start"]:pos]) and reply["cursor_end"] == pos


def test_cursor_positions_are_characters_not_bytes(kernel):
    code = 'std::string s = "größe 😀"; s.push_b'
    reply = kernel.request("complete_request", {"code": code, "cursor_pos": len(code)})
    assert reply["matches"] == ["push_back"
                                ] and code[reply["cursor_start"]:reply["cursor_end"]] == "push_b"
