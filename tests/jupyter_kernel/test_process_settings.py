"""What a cell sets for the whole process: limits, signals, timers, traps, the environment. One row each, as in test_survival.py; then a cell that crashes and one that
is interrupted, which need what was spoiled most: a copy, memory, descriptors, time. A hard limit can be put back by the superuser alone; for others the cell is an
error and is taken back."""

import pytest
from survival import EITHER, Row, check_alive, fine, survive

KERNEL_OPTIONS = {"env": {"XCPP_MEMORY": "3G"}}


def hard(name, number=0):
    return Row(f"{name} for good",
               f"rlimit low{{{number}, {number}}}; setrlimit(RLIMIT_{name}, &low);",
               "*",
               after=EITHER)


def soft(name, number=0):
    return fine(
        f"{name}",
        f"rlimit low; getrlimit(RLIMIT_{name}, &low); low.rlim_cur = {number}; setrlimit(RLIMIT_{name}, &low);"
    )


TABLE = [
    hard("AS"),
    soft("AS", "100 << 20"),
    hard("DATA", "1 << 20"),
    soft("DATA"),
    hard("NOFILE", 20),
    soft("NOFILE"),
    hard("NPROC"),
    soft("NPROC"),
    hard("FSIZE"),
    soft("FSIZE"),
    hard("STACK"),
    soft("STACK", "1 << 20"),
    Row("CPU for good", "rlimit low{0, 0}; setrlimit(RLIMIT_CPU, &low);", "*", after=EITHER),
    Row("CPU",
        "rlimit low; getrlimit(RLIMIT_CPU, &low); low.rlim_cur = 0; setrlimit(RLIMIT_CPU, &low);",
        "*",
        after=EITHER),  # the clock may strike at once
    fine("traps of floating-point numbers", "feenableexcept(FE_ALL_EXCEPT);"),
    fine("rounding", "fesetround(FE_UPWARD);"),
    fine("all signals blocked",
         "sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, nullptr);"),
    fine("no stack for handlers",
         "stack_t none{}; none.ss_flags = SS_DISABLE; sigaltstack(&none, nullptr);"),
    fine("stopped", "raise(SIGSTOP);"),
    fine("no death signal", "prctl(PR_SET_PDEATHSIG, 0); prctl(PR_SET_DUMPABLE, 0);"),
    fine("no environment", "clearenv();"),
    fine("a working directory that is gone",
         'mkdir("gone", 0777); chdir("gone"); rmdir("../gone"); chdir("/");'),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_session_goes_on(kernel, row):
    survive(kernel, row)
    crash = kernel.run("volatile int* nowhere = nullptr;\n*nowhere = 1;")
    assert crash.ename == "Crash" and "SIGSEGV" in crash.evalue, crash
    assert kernel.run("for (;;) ;", interrupt_after=0.3).ename == "Interrupted"
    check_alive(kernel, ["7", "8"])
    kernel.run("fesetenv(FE_DFL_ENV);").ok()
    summed = "int tens = 0;\n#pragma omp parallel for reduction(+ : tens)\nfor (int i = 0; i < 10; ++i) tens += i;\ntens"
    assert kernel.value(summed) == "45"


def test_an_alarm_that_nobody_handles(kernel):
    """It goes off in whichever cell runs then, which is taken back; those before it are not."""
    kernel.run("#include <unistd.h>\nint counted = 41;").ok()
    kernel.run("counted = 42; ualarm(1000, 0);").ok()
    late = kernel.run("usleep(300000);")
    assert late.ename == "Crash" and "SIGALRM" in late.evalue and "a timer ran out" in late.evalue, late
    assert kernel.value("counted") == "42"


def test_a_handler_waits_for_a_cell(kernel):
    """It is called in cells alone: while the session compiles, it would find the allocator in the middle of something. What came meanwhile is one signal."""
    kernel.run(
        "#include <csignal>\n#include <unistd.h>\nvolatile int running = 0, inside = 0, outside = 0;"
    ).ok()
    kernel.run(
        "signal(SIGALRM, [](int) { (running ? inside : outside) = (running ? inside : outside) + 1; }); ualarm(1000, 1000);"
    ).ok()
    for _ in range(3):
        kernel.run("running = 1; usleep(5000); usleep(5000); running = 0;").ok()
    counts = kernel.run("ualarm(0, 0); std::cout << inside << ' ' << outside;").ok().stdout.split()
    assert int(counts[0]) > 0 and int(counts[1]) <= 5, counts


def test_rounding_lasts(kernel):
    kernel.run("#include <cfenv>\nfesetround(FE_UPWARD);").ok()
    assert kernel.value("fegetround() == FE_UPWARD") == "true"
    kernel.run("fesetround(FE_TONEAREST);").ok()


def test_traps_last(kernel):
    if kernel.value("#include <cfenv>\nfeenableexcept(FE_DIVBYZERO) == -1") == "true":
        pytest.skip("this processor cannot trap floating-point exceptions (most of aarch64)")
    result = kernel.run("volatile double none = 0;\n1 / none")
    assert result.ename == "Crash" and "floating-point exception (SIGFPE): division by zero" in result.evalue and "line 2" in result.evalue, result
