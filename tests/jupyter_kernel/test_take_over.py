"""What holds across take-overs: crashes in a row and between cells, the lines that are shown, threads, BLAS and files afterwards, children, nothing left behind."""

import re
import time
from pathlib import Path

import psutil
import pytest
from client import SLOW, comes_true
from survival import check_alive, prepare


def test_ten_crashes_are_no_worse_than_one(fresh):
    prepare(fresh)
    cell = "kept = 8;\nint* volatile p = nullptr; *p = 1;"

    def state():
        processes = fresh.processes()
        front = next(p for p in processes if p.pid == fresh.pid)
        return len(processes), front.num_fds(), front.memory_info().rss

    fresh.run(cell)
    check_alive(fresh, ["7"])
    processes, descriptors, memory = state()
    for _ in range(10):
        result = fresh.run(cell)
        assert result.ename == "Crash" and "SIGSEGV" in result.evalue
    check_alive(fresh, ["7"])
    assert comes_true(lambda: state()[0] <= processes), f"{processes} before, now {state()[0]}"
    after = state()
    assert after[
        1] <= descriptors + 2, f"{descriptors} descriptors of the front before, {after[1]} after"
    assert after[2] < memory + (
        16 << 20), f"the front grew from {memory >> 20} MB to {after[2] >> 20} MB"


def test_crash_in_a_function_of_an_earlier_cell_shows_that_cells_line(kernel):
    defined = kernel.run(
        "int harmless = 0;\n\nvoid breaks(int* p) {\n    *p = 5;  // the culprit\n}").ok()
    kernel.run("int between = 1;").ok()
    result = kernel.run("int* volatile nothing = nullptr;\nbreaks(nothing);")
    assert result.ename == "Crash" and "SIGSEGV" in result.evalue
    assert "the culprit" in result.traceback and re.search(r"\b4\b",
                                                           result.traceback), result.traceback
    assert re.search(rf"\[{defined.count}\]|cell {defined.count}\b",
                     result.traceback), result.traceback
    assert "breaks(nothing);" in result.traceback, f"the calling line is not in\n{result.traceback}"


@pytest.mark.parametrize("last", ["breaks(nothing);", "Breaks broken(nothing);"])
def test_crash_in_the_last_call_of_a_cell_shows_the_cells_line(kernel, last):
    """Nothing follows the call: the compiler would replace the caller's frame."""
    kernel.run(
        "void breaks(int* p) { *p = 5; }\nstruct Breaks { Breaks(int* p); int here; };\nBreaks::Breaks(int* p) : here(*p) {}"
    ).ok()
    result = kernel.run("int* volatile nothing = nullptr;\n" + last)
    assert result.ename == "Crash" and last in result.traceback, result.traceback


def test_error_in_a_template_that_an_earlier_cell_used_first_shows_the_present_cell_alone(kernel):
    """Its code lies beside that of the older cell, whose lines have no part in it."""
    (kernel.work / "checks.hpp").write_text("""#pragma once
#include <stdexcept>
template <class T> [[gnu::noinline]] T checked(T value) {
    if (value > 1) throw std::runtime_error("too large");
    return value;
}
template <class T> [[gnu::noinline]] T pointed(T* place) { return *place; }
""")
    older = kernel.run(
        '#include "checks.hpp"\nint fine = 1;\nint first_use = checked(fine) + pointed(&fine);  // no part in it'
    ).ok()
    for code, ename in (("checked(2);", "std::runtime_error"),
                        ("int* volatile nowhere = nullptr;\npointed((int*)nowhere);", "Crash")):
        result = kernel.run(code)
        assert result.ename == ename
        assert code.splitlines()[-1] in result.traceback, result.traceback
        assert "no part in it" not in result.traceback and f"[{older.count}]" not in result.traceback, result.traceback


def test_code_that_was_inlined_into_an_older_cell_is_not_blamed_for_a_template_beside_it(kernel):
    """In the older cell's object both begin at 0, one with lines of a header that were inlined there."""
    work = " ".join(f"sum = sum * {i + 3} + x % {i + 2};" for i in range(60))
    half = " ".join(f"sum = sum * {i + 3} + x % {i + 2};" for i in range(30))
    (kernel.work / "beside_inlined.hpp").write_text(f"""#pragma once
#include <stdexcept>
[[gnu::always_inline]] inline unsigned mixed(volatile unsigned& x) {{ unsigned sum = x; {work} return sum; }}
template <class T> [[gnu::noinline]] void thrower(T value) {{
    volatile unsigned kept = value; unsigned sum = 0, x = kept; {half} kept = sum;
    if (value > 1) throw std::runtime_error("too large");
}}
""")
    older = kernel.run(
        '#include "beside_inlined.hpp"\nvolatile unsigned seed = 1;\nseed = mixed(seed);  // no part in it\nthrower(1u);'
    ).ok()
    result = kernel.run("thrower(2u);")
    assert result.ename == "std::runtime_error" and "thrower(2u)" in result.traceback
    assert "no part in it" not in result.traceback and f"[{older.count}]" not in result.traceback, result.traceback


def test_crash_in_the_library_shows_the_line_that_called_it(kernel):
    result = kernel.run(
        '#include <cstring>\nchar* volatile nowhere = nullptr;\n\nstrcpy(nowhere, "text");')
    assert result.ename == "Crash" and "strcpy(nowhere" in result.traceback, result.traceback


def test_crash_between_two_cells(kernel):
    """The next cell says so and runs."""
    prepare(kernel)
    kernel.run("kept = 9;").ok()
    session = int(kernel.value("getpid()"))
    kernel.run(
        "std::thread([] { usleep(300000); int* volatile p = nullptr; *p = 1; }).detach();").ok()
    assert comes_true(lambda: not psutil.pid_exists(session))  # the front has read how it ended
    result = kernel.run("kept + 1").ok()
    assert result.result == "10"
    told = result.shown + result.stderr + result.stdout
    assert "SIGSEGV" in told, f"nothing says that the session crashed between the cells\n{result}"
    assert "SIGSEGV" not in str(kernel.run("kept").messages), "it is said once"


def test_a_thread_that_prints_after_its_cell(kernel):
    prepare(kernel)
    cell = kernel.run(
        'std::thread([] { usleep(300000); std::cout << "late" << std::endl; }).detach();').ok()
    # the word and the end of its line are two writes, and may come in two messages
    late = kernel.drain(
        3, until=lambda m: m["msg_type"] == "stream" and m["content"]["text"].endswith("\n"))
    told = [m for m in late if m["msg_type"] == "stream"]
    assert {m["content"]["name"]
            for m in told} == {"stdout"} and "".join(m["content"]["text"] for m in told) == "late\n"
    assert {m["parent_header"]["msg_id"]
            for m in told} == {cell.reply["parent_header"]["msg_id"]
                               }, "it belongs to the cell that started it"
    check_alive(kernel, ["7"])


def test_threads_that_a_take_over_has_lost(kernel):
    """They are not in the copy: join() and detach() do not wait and do not crash, a value that cannot come is told in words."""
    kernel.run(
        "#include <atomic>\n#include <future>\n#include <thread>\n#include <unistd.h>\n"
        "std::atomic<bool> stop{false};\nauto work = [] { while (!stop) usleep(1000); return 1; };\n"
        "std::thread worker(work), other(work), ended([] {});\n"
        "auto answer = std::async(std::launch::async, work), again = std::async(std::launch::async, work);\nusleep(100000);"
    ).ok()
    assert kernel.run("abort();").ename == "Crash"
    # new threads get the ids of lost ones
    kernel.run("std::vector<std::thread> crew;\nfor (int i = 0; i < 16; ++i) crew.emplace_back([] { usleep(10000); });\n"
               "for (auto& one : crew) one.join();").ok()
    joined = kernel.run("stop = true; worker.join(); ended.join();\nworker.joinable()").ok()
    assert joined.result == "false" and joined.stderr.count(
        "join: the thread was lost") == 1, joined
    assert "detach: the thread was lost" in kernel.run("other.detach();").ok().stderr
    result = kernel.run("answer.get()")
    assert (result.status, result.ename) == (
        "error", "std::runtime_error") and "the value will never come" in result.evalue, result
    assert kernel.run(
        "again = std::async(std::launch::async, work);\nagain.get()").ok().result == "1"
    four = kernel.run(
        "std::thread team[4]; for (auto& t : team) t = std::thread(work);\nfor (auto& t : team) t.join();\nworker = std::thread(work); worker.join();"
    )
    assert four.ok().stderr == ""


def test_several_crashes_between_cells(kernel):
    prepare(kernel)
    for _ in range(3):
        session = int(kernel.value("getpid()"))
        kernel.run("std::thread([] { usleep(100000); abort(); }).detach();").ok()
        assert comes_true(lambda: not psutil.pid_exists(session))
        assert kernel.value("twice(kept)") == "14"


TAKE_OVERS = [
    "int* volatile p = nullptr; *p = 1;", "std::vector<int> v; v.foo();", "exit(1);",
    "int not_there(); not_there();"
]


@pytest.mark.parametrize("code", TAKE_OVERS)
def test_everything_works_after_a_take_over(kernel, code, tmp_path):
    """OpenMP, BLAS, threads, futures and open files, used before and after."""
    prepare(kernel)
    kernel.run(
        "#include <omp.h>\n#include <fstream>\n#include <xtensor/xarray.hpp>\n#include <xtensor-blas/xlinalg.hpp>"
    ).ok()
    use = [
        (
            "int threads_seen = 0;\n#pragma omp parallel for reduction(+ : threads_seen)\nfor (int i = 0; i < 1000; ++i) threads_seen += 1;\nthreads_seen",
            "1000",
        ),
        ("xt::xarray<double> square_matrix{{1., 2.}, {3., 4.}};\nint(xt::linalg::dot(square_matrix, square_matrix)(1, 1))",
         "22"),
        ("int in_thread = 0; std::thread t([&] { in_thread = 5; }); t.join();\nin_thread", "5"),
        ("std::async(std::launch::async, [] { return 6; }).get()", "6"),
    ]
    kernel.run(
        f'std::ofstream held_open("{tmp_path}/held.txt"); held_open << "before\\n" << std::flush;'
    ).ok()
    for cell, value in use:
        assert kernel.value(cell) == value
    for _ in range(2):
        assert kernel.run(code).status == "error"
        for cell, value in use:
            assert kernel.value(cell) == value
    kernel.run('held_open << "after\\n" << std::flush;').ok()
    assert (tmp_path / "held.txt").read_text() == "before\nafter\n"


def test_large_matrix_product_after_a_take_over(kernel):
    """BLAS starts threads for this one; they are not in the copy that took over."""
    kernel.run(
        "#include <xtensor/xarray.hpp>\n#include <xtensor-blas/xlinalg.hpp>\nxt::xarray<double> big = xt::ones<double>({400, 400});"
    ).ok()
    assert kernel.value("int(xt::linalg::dot(big, big)(7, 7))") == "400"
    assert kernel.run("abort();").ename == "Crash"
    assert kernel.value("int(xt::linalg::dot(big, big)(7, 7))") == "400"


def test_children_of_a_crashed_cell_are_cleared_away(kernel):
    prepare(kernel)
    before = len(kernel.processes())
    result = kernel.run(
        "for (int i = 0; i < 3; ++i) if (fork() == 0) for (;;) pause();\nusleep(100000); abort();")
    assert result.ename == "Crash"
    assert comes_true(lambda: len(kernel.processes()) <= before), kernel.processes()


def test_crash_in_the_first_cell(fresh):
    assert fresh.run("int* volatile p = nullptr; *p = 1;").ename == "Crash"
    assert fresh.value("40 + 2") == "42"


def test_cells_queued_behind_a_crash_still_run(kernel):
    """The front end sends them without stop_on_error when a person runs single cells one after the other."""
    prepare(kernel)
    first = kernel.client.execute("int* volatile p = nullptr; *p = 1;", stop_on_error=False)
    second = kernel.client.execute("40 + 2", stop_on_error=False)
    assert kernel.wait(first).ename == "Crash"
    assert kernel.wait(second).status == "ok"


DAEMONS = "!setsid sleep 300 & env -i sleep 300 &"
ENDLESS = "for (volatile int i = 0;; i = 1) ;"
# cells that were run before, and the one that runs when the front is killed
KILLED = {
    "idle": ([DAEMONS], None),
    "in an endless cell": ([DAEMONS], ENDLESS),
    "after a take-over": ([DAEMONS, "abort();"], ENDLESS),
    "with children": ([
        "#include <unistd.h>\nfor (int i = 0; i < 3; ++i) if (fork() == 0) { setsid(); for (;;) pause(); }"
    ], ENDLESS),
    "with files": ([
        '#include <filesystem>\nstd::filesystem::create_directories(std::getenv("XCPP_TEMPORARY") + std::string("/a/b"));'
    ], None),
}


def kill_front(kernel):
    kernel.manager.provisioner.process.kill()  # the front alone, not its group


@pytest.mark.parametrize("before, running", KILLED.values(), ids=KILLED)
def test_nothing_is_left_when_the_front_is_killed(make_kernel, before, running):
    """A notebook server that is in a hurry does it the hard way."""
    kernel = make_kernel()
    for cell in before:
        kernel.run(cell)
    if running:
        kernel.submit(running)
        time.sleep(0.5 * SLOW)
    kill_front(kernel)
    assert kernel.left_behind() == []


def test_daemons_of_a_cell_do_not_outlive_the_session(make_kernel):
    kernel = make_kernel()
    kernel.run(
        "#include <unistd.h>\nif (fork() == 0) { setsid(); if (fork() == 0) for (;;) pause(); _exit(0); }"
    ).ok()
    kernel.run("!setsid sleep 300 &").ok()
    kernel.stop()
    assert kernel.left_behind() == []


@pytest.mark.parametrize("end", [lambda kernel: kernel.stop(), kill_front], ids=["stop", "kill"])
def test_nothing_is_left_of_a_compiler_that_is_killed(make_kernel, end):
    kernel = make_kernel()
    kernel.submit(
        '%%executable long_one\n#include <regex>\n#include <iostream>\nstd::cout << std::regex_replace(std::string("a"), std::regex("a"), "b");'
    )
    assert comes_true(lambda: list(kernel.temporary.rglob("*.cpp")))
    end(kernel)
    assert kernel.left_behind() == []


def test_session_that_cannot_start_says_so(make_kernel):
    """The front answers, names what is wrong and says restart."""
    kernel = make_kernel(extra_arguments=["--session", "/bin/false"])
    for _ in range(2):
        result = kernel.run("40 + 2")
        assert result.status == "error" and "estart" in result.evalue + result.traceback


def test_front_without_memory_says_so(fresh):
    """A fault of the front's own: the cell that met it says restart. It is not over, if memory comes back."""
    prepare(fresh)
    front = psutil.Process(fresh.pid)
    data = next(
        int(line.split()[1]) << 10
        for line in Path(f"/proc/{front.pid}/status").read_text().splitlines()
        if line.startswith("VmData"))
    front.rlimit(psutil.RLIMIT_DATA, (data + (2 << 20), psutil.RLIM_INFINITY))
    result = fresh.run("std::cout << std::string(9'000'000, 'x');")
    assert result.status == "error" and "internal error" in result.evalue and "Restart" in result.traceback, result
    front.rlimit(psutil.RLIMIT_DATA, (psutil.RLIM_INFINITY, psutil.RLIM_INFINITY))
    check_alive(fresh, ["7"])


def test_front_without_descriptors_goes_on(fresh):
    """It cannot take in newer copies of the session: a crash takes back more, and says how much."""
    prepare(fresh)
    before = fresh.run("kept = 8;").ok().count
    psutil.Process(fresh.pid).rlimit(psutil.RLIMIT_NOFILE, (8, 4096))
    fresh.run("kept = 9;").ok()
    result = fresh.run("int* volatile p = nullptr; *p = 1;")
    assert result.ename == "Crash" and f"as it was before In[{before}]" in result.traceback, result
    check_alive(fresh, ["7"])


def test_memory_limit(make_kernel):
    code = "#include <sys/resource.h>\nrlimit limit_of_data; getrlimit(RLIMIT_DATA, &limit_of_data);\nlimit_of_data.rlim_cur >> 20"
    groups = []  # of version 2, and of version 1 with a controller of its own: a container or a job may have less than the machine
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(",") or not controllers:
            top = Path("/sys/fs/cgroup") / controllers
            group = top / path.lstrip("/")
            groups += [folder for folder in (group, *group.parents) if folder.is_relative_to(top)]
    files = [group / name for group in groups for name in ("memory.max", "memory.high", "memory.limit_in_bytes")]
    limits = [int(file.read_text()) for file in files if file.exists() and file.read_text().strip() not in ("max", "0")]
    half = min([psutil.virtual_memory().total, *limits]) / 2 / (1 << 20)
    assert abs(int(make_kernel().value(code)) - half) < 0.05 * half
    assert make_kernel(env={"XCPP_MEMORY": "2G"}).value(code) == "2048"


def test_the_channel_is_out_of_the_way_after_a_take_over(fresh):
    fresh.run("#include <unistd.h>\n#include <fcntl.h>").ok()
    assert fresh.run("abort();").ename == "Crash"
    fresh.run('int process = getpid();\nfor (int fd = 3; fd < 12; ++fd) dup2(open("/dev/null", O_RDONLY), fd);').ok()
    assert fresh.value("process == getpid()") == "true"


def test_a_program_in_the_background_survives_the_next_cell(fresh):
    """Both cells are queued: the second one fails within the same clock tick."""
    for _ in range(4):
        started = fresh.client.execute("!sleep 300 & echo $!", stop_on_error=False)
        failed = fresh.client.execute("kpet", stop_on_error=False)
        pid = int(fresh.wait(started).stdout)
        assert fresh.wait(failed).ename == "CompileError"
        assert psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def frozen_copy_of(kernel):
    """The system ends it first if memory is short."""
    return next(p for p in kernel.processes()
                if "session" in " ".join(p.cmdline()) and Path(f"/proc/{p.pid}/oom_score_adj").read_text().strip() == "800")


def test_a_lost_copy_is_said(fresh):
    prepare(fresh)
    message = fresh.submit('std::cout << "runs" << std::endl;\nsleep(2);\nkept = 8;')
    fresh.drain(20, until=lambda m: m["msg_type"] == "stream")
    frozen_copy_of(fresh).kill()
    told = fresh.drain(20, until=lambda m: m["msg_type"] == "display_data")
    assert "frozen copy" in str(told[-1]["content"]) and "SIGKILL" in str(told[-1]["content"]), told
    assert fresh.wait(message).status == "ok"
    check_alive(fresh, ["8"])


def test_a_typing_error_without_the_lost_copy_costs_nothing(fresh):
    """The second part of a cell with a magic in it does not compile, after the copy of the cell was ended."""
    prepare(fresh)
    session = fresh.value("getpid()")
    message = fresh.submit('std::cout << "runs" << std::endl;\nsleep(2);\nkept = 8;\n%pwd\nkpet')
    fresh.drain(20, until=lambda m: m["msg_type"] == "stream")
    frozen_copy_of(fresh).kill()
    assert fresh.wait(message).ename == "CompileError"
    assert fresh.value("getpid()") == session
    check_alive(fresh, ["8"])


def test_without_a_frozen_copy(make_kernel):
    """Above a limit that can be set a cell runs without the copy and says so; a crash then costs the variables, not the session."""
    kernel = make_kernel(env={"XCPP_COPY_LIMIT": "1M"})
    result = kernel.run("int lost = 1;\n6 * 7").ok()
    assert result.result == "42" and "copy" in (result.shown + result.stdout).lower(), result
    crashed = kernel.run("int* volatile p = nullptr; *p = 1;")
    assert crashed.ename == "Crash" and "gone" in crashed.evalue + crashed.traceback, crashed
    assert kernel.value("40 + 2") == "42"
