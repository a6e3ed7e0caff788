"""The interrupt button, restart and shutdown while a cell runs. Rows as in test_survival.py: back within two seconds. A cell that prints, sleeps or waits stops
there and keeps what it did (STOPPED); for any other everything is as before the cell (TABLE), at once if a program runs the notebook (the rows), at the
second press if a person does."""

import time

import pytest
from client import SLOW, comes_true
from survival import EITHER, check_alive, interrupted, prepare, survive

TABLE = [
    interrupted("endless loop", "for (;;) ;"),
    interrupted("tight loop with a counter", "volatile unsigned long n = 0; while (true) ++n;"),
    interrupted("endless loop in a function",
                "void spin_forever() { volatile int x = 0; while (true) ++x; }\nspin_forever();"),
    interrupted("endless loop that changes nothing",
                "unsigned down = 3; while (down >= 0) --down;"),
    interrupted("endless loop that changes nothing in a function",
                "void go_down() { unsigned k = 3; while (k >= 0) --k; }\ngo_down();"),
    interrupted("flag that nobody sets", "bool is_ready = false; while (!is_ready) { }"),
    interrupted("blocking read",
                "int ends[2]; pipe(ends);\nchar c; read(ends[0], &c, 1);",
                after=EITHER),
    interrupted("SIGINT ignored", "signal(SIGINT, SIG_IGN); for (;;) ;"),
    interrupted(
        "SIGINT blocked",
        "sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, nullptr); for (;;) ;"),
    interrupted(
        "with children running",
        "for (int i = 0; i < 3; ++i) if (fork() == 0) for (;;) usleep(1000);\nwhile (wait(nullptr) > 0) ;",
        after=EITHER),
    interrupted(
        "children that ignore SIGINT",
        "if (fork() == 0) { signal(SIGINT, SIG_IGN); for (;;) usleep(1000); }\nwhile (wait(nullptr) > 0) ;",
        after=EITHER),
    interrupted("system()", 'system("sleep 100");', after=EITHER),
    interrupted("shell", "!sleep 100", after=EITHER),
    interrupted("deadlock with itself", "std::mutex m; m.lock();\nm.lock();"),
    interrupted(
        "deadlock of two threads",
        "std::mutex a, b;\nauto both = [](std::mutex& x, std::mutex& y) { x.lock(); usleep(50000); y.lock(); };\n"
        "std::thread t(both, std::ref(a), std::ref(b)); both(b, a); t.join();",
    ),
    interrupted("future of a thread that never ends, whose destructor waits, too",
                "std::async(std::launch::async, [] { for (;;) usleep(1000); return 1; }).get();"),
    interrupted("catch (...) around everything",
                "for (;;) { try { for (;;) usleep(100); } catch (...) {} }"),
    interrupted(
        "endless compilation",
        "template <int A, int B> struct F { static constexpr int v = F<A - 1, B * 2>::v + F<A - 1, B * 2 + 1>::v; };\n"
        "template <int B> struct F<0, B> { static constexpr int v = 1; };\nint f = F<20, 0>::v;",
    ),
    interrupted("template recursion with ever larger types",
                "template <class T> auto nest(T) { return nest(std::vector<T>{}); }\nnest(1);"),
    interrupted(
        "endless preprocessing",
        "\n".join(["#define X0 1 +"] +
                  [f"#define X{i} X{i - 1} X{i - 1} X{i - 1} X{i - 1}" for i in range(1, 16)] +
                  ["int x = X15 1;"]),
    ),
]
# Interrupted once they run, they stop where they print, sleep or wait, and keep what they did.
STOPPED = {
    "endless printing":
    "for (;;) std::cout << \"line\" << std::endl;",
    "endless printing to std::cerr":
    "for (;;) std::cerr << 1;",
    "endless printf":
    "for (;;) printf(\"%s\", \"many bytes, no newline \");",
    "endless puts":
    "for (;;) printf(\"line\\n\");",
    "endless fprintf to stderr":
    "for (;;) fprintf(stderr, \"%d\", 1);",
    "endless vprintf":
    "#include <cstdarg>\nvoid print_all(const char* format, ...) { va_list list; va_start(list, format); for (;;) vprintf(format, list); }\nprint_all(\"1\");",
    "endless fputs":
    "char text[] = {char('0' + kept), 0}; for (;;) fputs(text, stdout);",
    "endless fwrite":
    "for (;;) fwrite(&kept, 1, 1, stdout);",
    "endless putc":
    "for (;;) putc('1', stdout);",
    "endless fputc":
    "for (;;) fputc('1', stderr);",
    "sleep":
    "std::this_thread::sleep_for(std::chrono::seconds(100));",
    "sleep in a function that catches standard exceptions":
    "void naps() { try { for (;;) sleep(100); } catch (const std::logic_error&) {} }\nnaps();",
    "usleep in a loop":
    "for (;;) usleep(1000);",
    "SIGINT caught":
    "signal(SIGINT, [](int) {}); for (;;) pause();",
    "with threads running":
    "for (int i = 0; i < 4; ++i) std::thread([] { for (;;) usleep(100); }).detach();\nfor (;;) usleep(100);",
    "join of a thread that never ends":
    "auto* endless = new std::thread([] { for (;;) usleep(1000); });\nendless->join();",
    "condition that never comes":
    "std::mutex m; std::condition_variable cv;\n{ std::unique_lock<std::mutex> lock(m);\ncv.wait(lock); }",
    "condition with a limit that is far away":
    "std::mutex m; std::condition_variable cv;\n{ std::unique_lock<std::mutex> lock(m);\ncv.wait_for(lock, std::chrono::hours(1)); }",
    "future that never comes":
    "std::promise<int> p; p.get_future().get();",
    "future with a limit that is far away":
    "std::promise<int> p; p.get_future().wait_for(std::chrono::hours(1));",
    "future with a time of the clock that is far away":
    "std::promise<int> p; p.get_future().wait_until(std::chrono::system_clock::now() + std::chrono::hours(1));",
    "read of an empty pipe":
    "int ends[2]; pipe(ends);\nchar c; for (;;) read(ends[0], &c, 1);",
    "poll of an empty pipe":
    "#include <poll.h>\nint ends[2]; pipe(ends);\npollfd waiting{ends[0], POLLIN, 0}; for (;;) poll(&waiting, 1, -1);",
    "select without files":
    "#include <sys/select.h>\nfor (;;) select(0, nullptr, nullptr, nullptr, nullptr);",
    "stopped by itself":
    "raise(SIGSTOP); for (;;) usleep(100);",
}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_session_goes_on(kernel, row):
    survive(kernel, row)


@pytest.mark.parametrize("cell", STOPPED.values(), ids=STOPPED)
def test_a_cell_that_stops_keeps_what_it_did(kernel, cell):
    prepare(kernel)
    result = kernel.run(f'kept = 8; std::cout << "running" << std::endl;\n{cell}', interrupt_when="running")
    assert result.ename == "Interrupted", result
    check_alive(kernel, ["8"])


# Functions that may not throw: an exception within them would end the process. The cell stops after them.
NO_THROW = {
    "a region of OpenMP":
    "void work(int i) { usleep(100000); printf(\"turn %d\\n\", i); }\n"
    "#pragma omp parallel for num_threads(2)\nfor (int i = 0; i < 8; ++i) work(i);",
    "a critical section of OpenMP":
    "for (int i = 0; i < 4; ++i) {\n    #pragma omp critical\n    { printf(\"turn %d\\n\", i); usleep(100000); }\n    ++kept;\n}",
    "a function that is noexcept":
    "void work() noexcept { for (int i = 0; i < 4; ++i) { printf(\"turn %d\\n\", i); usleep(100000); } }\nwork();",
    "a function that is noexcept, with a destructor and a handler":
    "void work() noexcept {\n    std::string name = \"turn of a very long name\";\n"
    "    try { for (int i = 0; i < 4; ++i) { std::cout << name << i << std::endl; usleep(100000); } } catch (int) { kept = 0; }\n}\nwork();",
    "a destructor":
    "struct Guard { ~Guard() { for (int i = 0; i < 4; ++i) { std::cout << \"turn \" << i << std::endl; usleep(100000); } } };\n{ Guard guard; }",
}


@pytest.mark.parametrize("cell", NO_THROW.values(), ids=NO_THROW)
def test_a_function_that_may_not_throw_ends_before_the_cell_stops(kernel, cell):
    """Not allow_stdin: the Jupyter kernel would take the cell back after a second."""
    prepare(kernel)
    message = kernel.submit(f"kept = 8;\n{cell}\nkept = 9;\nfor (;;) usleep(1000);", allow_stdin=True)
    result = kernel.wait(message, interrupt_when="turn")
    assert result.ename == "Interrupted", result
    check_alive(kernel, ["9"])


def test_destructors_run_when_a_cell_stops_while_it_prints(kernel):
    prepare(kernel)
    result = kernel.run('struct Guard { ~Guard() { kept = 8; } };\n{ Guard guard; for (;;) printf("%d\\n", kept); }', interrupt_when="7")
    assert result.ename == "Interrupted", result
    check_alive(kernel, ["8"])


def test_a_handler_of_the_users_own_is_no_reason_not_to_stop(kernel):
    prepare(kernel)
    result = kernel.run('try { for (;;) { std::cout << "on" << std::endl; usleep(1000); } } catch (...) { kept = 8; throw; }',
                        interrupt_when="on")
    assert result.ename == "Interrupted", result
    check_alive(kernel, ["8"])


def test_interrupt_when_idle_does_nothing(kernel):
    prepare(kernel)
    for _ in range(3):
        kernel.interrupt()
        time.sleep(0.1)
    check_alive(kernel, ["7"])


def test_interrupt_pressed_five_times(kernel):
    prepare(kernel)
    message = kernel.submit("kept = 8; for (;;) usleep(100);")
    for _ in range(5):
        time.sleep(0.2 * SLOW)
        kernel.interrupt()
    assert kernel.wait(message).ename == "Interrupted"
    check_alive(kernel, ["8"])


def test_a_training_loop_that_prints_keeps_its_epochs(kernel):
    prepare(kernel)
    result = kernel.run(
        'int epoch = 0;\nfor (;;) {\n    std::cout << "epoch " << ++epoch << std::endl;\n    usleep(10000);\n}',
        interrupt_when="epoch 3")
    assert result.ename == "Interrupted" and "line" in result.traceback, result
    assert int(kernel.value("epoch")) >= 3


def press(kernel, message, times):
    """Presses once the cell has printed, and again after the message about the first press."""
    kernel.drain(20, until=lambda m: m["msg_type"] == "stream")
    for count in range(times):
        kernel.interrupt()
        if count + 1 < times:
            kernel.drain(20, until=lambda m: m["msg_type"] == "display_data")
    return kernel.wait(message)


def test_a_person_presses_twice_to_take_a_cell_back(kernel):
    prepare(kernel)
    message = kernel.submit('kept = 8; std::cout << "on" << std::endl; for (volatile int i = 0;; i = 1) ;',
                            allow_stdin=True)
    result = press(kernel, message, 2)
    assert result.ename == "Interrupted" and "as it was before the cell" in result.traceback, result
    check_alive(kernel, ["7"])


def test_one_press_waits_for_a_person(kernel):
    """The loop ends by itself after the message: nothing is taken back."""
    prepare(kernel)
    message = kernel.submit('kept = 8; std::cout << "on" << std::endl;\n'
                            "const time_t begin = time(nullptr); while (time(nullptr) < begin + 4) ;\nkept = 9;",
                            allow_stdin=True)
    kernel.drain(20, until=lambda m: m["msg_type"] == "stream")
    kernel.interrupt()
    told = kernel.drain(20, until=lambda m: m["msg_type"] == "display_data")
    assert "Interrupt again" in str(told[-1]["content"]), told
    assert kernel.wait(message).ename == "Interrupted"
    check_alive(kernel, ["9"])


def test_an_interrupt_ends_with_its_cell(kernel):
    """A thread of an older cell that asks later must not see it."""
    prepare(kernel)
    kernel.run('#include <atomic>\n#include "xcpp/capi.h"\nstd::atomic<int> seen{0};\n'
               "std::thread([] { for (;;) { usleep(1000); if (xcpp_cell_number() == 0 && xcpp_interrupted()) ++seen; } }).detach();").ok()
    assert kernel.run("for (;;) usleep(100);", interrupt_after=0.3).ename == "Interrupted"
    kernel.drain(1)
    assert int(kernel.value("seen.load()")) < 100, "it has been looked at about a thousand times"


def test_interrupt_that_the_cell_answers_keeps_what_was_done(kernel):
    """Code that looks at xcpp_interrupted() ends with everything in order, by an exception."""
    prepare(kernel)
    result = kernel.run(
        '#include "xcpp/capi.h"\nkept = 8;\nstd::cout << "running" << std::endl;\n'
        'while (!xcpp_interrupted()) usleep(1000);\nthrow std::runtime_error("stopped in good order");',
        interrupt_when="running",
    )
    assert result.status == "error" and result.ename in ("Interrupted", "std::runtime_error")
    check_alive(kernel, ["8"])


BOMB = """#include <time.h>
#include <unistd.h>
const time_t started = time(nullptr);
while (time(nullptr) < started + 20) fork();
_exit(0);"""


def test_processes_that_fork_without_end(fresh):
    """They are quicker than one who kills them one by one. (These end after twenty seconds, so that a test that fails harms nobody.)"""
    prepare(fresh)
    message = fresh.submit(BOMB)
    time.sleep(1)
    fresh.interrupt()
    result = fresh.wait(message, timeout=15)
    assert result.ename == "Interrupted", result
    assert "Everything is as it was before the cell." in str(result.traceback)
    check_alive(fresh, ["7"])
    fresh.stop()
    assert fresh.left_behind() == []


def test_restart_while_a_cell_runs(fresh):
    prepare(fresh)
    fresh.submit("for (;;) ;")
    time.sleep(0.5 * SLOW)
    fresh.restart()
    assert fresh.value("40 + 2") == "42"
    assert fresh.run("kept").ename == "CompileError"


def test_shutdown_while_a_cell_runs(fresh):
    fresh.run("#include <unistd.h>").ok()
    fresh.submit("if (fork() == 0) for (;;) ;\nfor (;;) ;")
    time.sleep(0.5 * SLOW)
    assert fresh.request("shutdown_request", {"restart": False},
                         channel="control")["status"] == "ok"
    assert comes_true(lambda: not fresh.alive()), "it still runs long after shutdown_request"
    assert fresh.left_behind() == []
