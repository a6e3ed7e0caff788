"""%%run COMMAND: a cell and what earlier cells declare as a program that a command starts. Most tests need no MPI: `env SLURM_PROCID=2` starts a program that
takes itself for rank 2."""

import os
import shutil
import signal

import psutil
import pytest
from client import CHECKOUT, comes_true

needs_mpi = pytest.mark.skipif(
    not shutil.which("mpirun") or not (CHECKOUT / "build/lib/liblanes_mpi.so").exists(),
    reason="Open MPI is not installed, or the library was built without it")


def is_program(process):
    try:
        return process.name() == "program"
    except psutil.NoSuchProcess:  # a compiler that has just ended
        return False


def programs(kernel):
    return [process for process in kernel.processes() if is_program(process)]


def test_command_declarations_and_arguments(kernel):
    kernel.run("int tripled(int x) {\n    return 3 * x;\n}\nint never_used = tripled(1);").ok()
    result = kernel.run('%%run env GIVEN=yes -- one "two words"\n#include <cstdio>\n#include <cstdlib>\n'
                        'int main(int count, char** words) {\n'
                        '    std::printf("%s %d %s\\n", std::getenv("GIVEN"), tripled(count), words[2]);\n'
                        '    return never_used;\n}')
    assert (result.ename, result.evalue) == ("ProgramError", "env GIVEN=yes: exit status 3")
    assert result.stdout == "yes 9 two words\n"
    assert kernel.run('%%run\nstd::puts("no command, no main()");').ok().stdout == "no command, no main()\n"


def test_a_type_and_its_functions_that_ran_twice(kernel):
    """In the session the function of the older type is an overload."""
    for _ in range(2):
        kernel.run("struct Point { int x; };").ok()
        kernel.run("int x_of(Point point) { return point.x; }").ok()
    assert kernel.run("%%run\n#include <cstdio>\nstd::printf(\"%d\", x_of(Point{5}));").ok().stdout == "5"


@pytest.mark.parametrize("cell", ["std::vector<int> numbers(3);", "int length(std::string text) { return text.size(); }"])
def test_a_program_needs_the_includes_that_a_session_does_without(fresh, cell):
    fresh.run(cell).ok()
    result = fresh.run("%%run\nint main() {}")
    assert result.ename == "CompileError" and "In[1]:1:" in result.stdout
    assert "hint: a session has the usual headers from the start" in result.traceback


def test_output_comes_while_the_program_runs(kernel):
    """It waits for a file that is written when its first line was seen."""
    go = kernel.work / "go"
    result = kernel.run(
        f'%%run env\n#include <iostream>\n#include <unistd.h>\nstd::cout << "first\\n";\n'
        f'while (access("{go}", F_OK) != 0) usleep(1000);\nstd::cout << "second" << std::endl;',
        on_message=lambda m: m["msg_type"] == "stream" and "first" in m["content"]["text"] and go.
        write_text("")).ok()
    assert result.stdout == "first\nsecond\n"


def test_tags(kernel):
    result = kernel.run('%%run --tag env SLURM_PROCID=2\n#include <cstdio>\nstd::puts("one\\ntwo");\n'
                        'std::fputs("no newline", stderr);\nreturn 3;')
    assert (result.stdout, result.stderr) == ("[2] one\n[2] two\n", "[2] no newline\n")
    assert result.evalue == "env SLURM_PROCID=2: exit status 3"


def test_a_crash_names_rank_signal_and_line(kernel):
    count = kernel.run("int read_at(const int* where) {\n    return *where;\n}").ok().count
    for tag in "", "--tag ":
        result = kernel.run(f"%%run {tag}env SLURM_PROCID=2\nint main(int count, char**) {{\n"
                            "    return read_at(count > 5 ? &count : nullptr);\n}")
        assert result.ename == "Crash"
        assert result.evalue == f"rank 2: segmentation fault (SIGSEGV): a null pointer was used, In[{count}], line 2"
        assert f"In[{count}], line 2:     return *where;" in result.traceback
        assert f"In[{result.count}], line 3:     return read_at(" in result.traceback


def test_an_exception_names_type_words_and_line(kernel):
    result = kernel.run('%%run env\n#include <stdexcept>\n\nthrow std::runtime_error("bad\\nsize");')
    assert result.evalue == f"std::runtime_error: bad size, In[{result.count}], line 4"
    assert result.stderr == "std::runtime_error: bad size\n"


@pytest.mark.parametrize("code, ename, words", [
    ("%%run no_such_command -n 4\nint main() {}", "MagicError", "no command 'no_such_command'"),
    ("%%run -n 4\nint main() {}", "MagicError", "does not know the option -n"),
    ("%%run env\n", "MagicError", "needs a program"),
    ("%%run env\nint main() {\n  return nowhere;\n}", "CompileError", "line 3: use of undeclared identifier 'nowhere'"),
    ("%%run env\nint nowhere();\nint main() { return nowhere(); }", "LinkError", "nowhere()"),
])  # yapf: disable
def test_what_cannot_be_started(kernel, code, ename, words):
    result = kernel.run(code)
    assert result.ename == ename and words in result.evalue, result


def test_a_machine_without_mpi(make_kernel):
    kernel = make_kernel(env={"PATH": "/nowhere"})
    result = kernel.run("%%run mpirun -n 2\nint main() {}")
    assert result.ename == "MagicError" and "install openmpi-bin" in result.evalue


@needs_mpi
def test_ranks(kernel):
    """More of them than this machine has cores, as root in a container; the library comes with its header."""
    ranks = os.cpu_count() + 1
    kernel.run("int half(int x) { return x / 2; }").ok()
    result = kernel.run(
        f"%%run --tag mpirun -n {ranks}\n#include <lanes/distributed.hpp>\n#include <iostream>\n"
        "const auto comm = lanes::Communicator::world();\n"
        'std::cout << half(2 * comm.all_reduce(comm.rank() + 1)) << "\\n";', timeout=60).ok()
    total = ranks * (ranks + 1) // 2
    assert sorted(result.stdout.splitlines()) == sorted(f"[{rank}] {total}" for rank in range(ranks))
    assert not programs(kernel)


@needs_mpi
def test_a_rank_that_crashes(kernel):
    result = kernel.run("%%run mpirun -n 2\n#include <lanes/distributed.hpp>\nint* nothing = nullptr;\n"
                        "const auto comm = lanes::Communicator::world();\n"
                        "if (comm.rank() == 1) *nothing = 1;\ncomm.barrier();", timeout=60)
    assert result.ename == "Crash"
    assert result.evalue == f"rank 1: segmentation fault (SIGSEGV): a null pointer was used, In[{result.count}], line 5"
    assert not programs(kernel)


@needs_mpi
def test_a_rank_that_is_killed(kernel):
    """It cannot say anything itself: mpirun does."""
    result = kernel.run("%%run mpirun -n 2\n#include <lanes/distributed.hpp>\n#include <csignal>\n"
                        "const auto comm = lanes::Communicator::world();\n"
                        "if (comm.rank() == 1) std::raise(SIGKILL);\ncomm.barrier();", timeout=60)
    assert (result.ename, result.evalue) == ("Crash", "rank 1: killed (SIGKILL)")
    assert "process rank 1" in result.stderr and "exited on signal 9" in result.stderr
    assert not programs(kernel)


@pytest.mark.parametrize("words, evalue", [
    ("srun: error: node7: task 3: Killed", "rank 3: killed (SIGKILL)"),
    ("srun: error: node7: tasks 0-2: Terminated\\nsrun: error: node8: task 3: Killed", "ranks 0-2: Terminated (SIGTERM)"),
    ("prterun noticed that process rank 12 with PID 7 on node a.b exited on\\nsignal 11", "rank 12: segmentation fault (SIGSEGV)"),
    ("srun: error: node7: task 1: Exited with exit code 2", "env: exit status 137"),
    ("There are not enough slots available in the system to satisfy the 4\\nslots that were requested by the application:",
     "Open MPI was asked for 4 ranks, more than this job has. Submit the job with --ntasks=4, or start fewer ranks."),
])  # yapf: disable
def test_words_of_a_launcher(kernel, words, evalue):
    result = kernel.run(f'%%run env\n#include <cstdio>\nstd::fputs("{words}\\n", stderr);\nreturn 137;')
    assert result.evalue.startswith(evalue) and result.stderr.count("\n") == words.count("\\n") + 1


@pytest.mark.parametrize("command, ours", [("mpirun -n 2", True), ("timeout 60 mpirun", True), ("srun -n 2", False),
                                           ("salloc mpirun", False), ("timeout 60 sbatch", False), ("env", False)])
def test_only_mpirun_on_this_machine_keeps_its_files_in_our_folder(make_kernel, tmp_path, command, ours):
    """SLURM takes these variables to other machines, which do not have the folder. These launchers start the last word."""
    for name in "mpirun", "srun", "salloc", "sbatch":
        (tmp_path / name).write_text('#!/bin/sh\nfor last; do :; done\nexec "$last"\n')
        (tmp_path / name).chmod(0o755)
    kernel = make_kernel(env={"PATH": f"{tmp_path}:{os.environ['PATH']}"})
    result = kernel.run(f'%%run {command}\n#include <cstdio>\n#include <cstdlib>\n'
                        'for (const char* name : {"OMPI_MCA_orte_tmpdir_base", "PRTE_MCA_prte_tmpdir_base",\n'
                        '                         "OMPI_MCA_btl_vader_backing_directory", "OMPI_MCA_btl_sm_backing_directory"})\n'
                        '    std::puts(std::getenv(name) ? "ours" : "none");').ok()
    assert result.stdout.split() == ["ours" if ours else "none"] * 4


WAITS = """%%run {}
#include <csignal>
#include <cstdio>
#include <unistd.h>
std::signal(SIGTERM, SIG_IGN);
std::signal(SIGINT, SIG_IGN);
std::puts("waits");
for (;;) sleep(1);"""


@needs_mpi
@pytest.mark.parametrize("command", ["mpirun -n 2", "--tag mpirun -n 2", "setsid -w env"])
def test_interrupt_ends_all_ranks(kernel, command):
    result = kernel.run(WAITS.format(command), timeout=60, interrupt_when="waits", stdin=[])
    assert (result.ename, result.evalue) == ("Interrupted", "the program was interrupted")
    assert not programs(kernel)
    assert kernel.value("40 + 2") == "42"


@needs_mpi
def test_nothing_is_left_if_the_jupyter_kernel_is_killed(fresh):
    fresh.submit(WAITS.format("mpirun -n 2"))
    assert comes_true(lambda: len(programs(fresh)) == 2)
    os.kill(fresh.pid, signal.SIGKILL)
    assert fresh.left_behind() == []
