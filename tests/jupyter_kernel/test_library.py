"""What the standard library, OpenMP, BLAS and xtensor do in cells, before and after a take-over: the stories of stories/library."""

import os
from pathlib import Path

import pytest
from story import play, read_stories

STORIES = read_stories("library")

PREPARE = """
#include <xtensor/xarray.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#include <xtensor-blas/xlinalg.hpp>
std::string caught_text;
struct OwnError : std::runtime_error { using std::runtime_error::runtime_error; };
void thrower(int n) { throw OwnError("own " + std::to_string(n)); }
"""


@pytest.mark.parametrize("name", STORIES)
def test_works_also_after_a_take_over(kernel, name):
    kernel.run(PREPARE).ok()
    play(kernel, STORIES[name])
    assert kernel.run("#include <cstdlib>\nabort();").ename == "Crash"
    play(kernel, STORIES[name])


def test_openmp_uses_several_threads_after_a_take_over(kernel):
    code = "#include <omp.h>\n#include <set>\n#include <thread>\nstd::set<std::thread::id> ids;\n#pragma omp parallel num_threads(3)\n{\n#pragma omp critical\n    ids.insert(std::this_thread::get_id());\n}\nids.size()"
    assert kernel.value(code) == "3"
    kernel.run("abort();")
    assert kernel.value(code) == "3"


def test_openmp_sums_are_right_after_cells_that_run_once(fresh):
    """Cells that run once are compiled without optimising; the next one is optimised again, and
    LLVM's atomic operations need both done consistently."""
    fresh.run("int runs_once = 1;").ok()
    fresh.run("""#include <omp.h>
#include <vector>
double omp_sum(const std::vector<double>& v) {
    double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(4)
    for (size_t i = 0; i < v.size(); ++i) s += v[i];
    return s;
}
int wrong = 0;
std::vector<double> twos(1000, 2.0);
for (int i = 0; i < 3000; ++i) wrong += omp_sum(twos) != 2000;""").ok()
    assert fresh.value("wrong") == "0"


def test_openmp_leaves_no_shared_memory(fresh):
    """Its runtime removes its file at the end of main, where a session that crashed never comes."""
    fresh.run("#include <omp.h>\n#include <unistd.h>\n#include <sys/wait.h>").ok()
    team = "int team = 0;\n#pragma omp parallel reduction(+ : team)\nteam += 1;\n"
    files = []
    for _ in range(2):
        files.append(
            Path(f"/dev/shm/__KMP_REGISTERED_LIB_{fresh.value(team + 'getpid()')}_{os.getuid()}"))
        fresh.run("abort();")
    child = fresh.value("pid_t forked = fork();\nif (forked == 0) {\n" + team +
                        "_exit(team > 0 ? 0 : 1);\n}\nwaitpid(forked, nullptr, 0);\nforked")
    files.append(Path(f"/dev/shm/__KMP_REGISTERED_LIB_{child}_{os.getuid()}"))
    assert any(
        file.exists()
        for file in files), "the runtime has another way now, and this test is without a meaning"
    assert fresh.stop() is None
    assert [str(file) for file in files if file.exists()] == []


def test_blas_uses_its_threads_after_a_take_over(kernel):
    """OpenBLAS runs on one thread after a fork until it is told again."""
    code = 'extern "C" int openblas_get_num_threads();\n#include <xtensor-blas/xlinalg.hpp>\n#include <filesystem>\nxt::xarray<double> wide = xt::ones<double>({600, 600}); double corner = xt::linalg::dot(wide, wide)(0, 0);\n'
    count = 'int tasks_now = 0; for (auto& t : std::filesystem::directory_iterator("/proc/self/task")) { (void)t; ++tasks_now; }\ntasks_now >= openblas_get_num_threads()'
    assert kernel.value(code + count) == "true"
    kernel.run("abort();")
    assert kernel.value(code + count) == "true"


def test_session_threads_survive_their_cell(kernel):
    """A thread of an earlier cell goes on in later cells."""
    kernel.run(
        "#include <atomic>\n#include <thread>\n#include <unistd.h>\nstd::atomic<bool> stop_it{false}; std::atomic<long> beats{0};\nstd::thread heart([] { while (!stop_it) { ++beats; usleep(1000); } });"
    ).ok()
    assert kernel.value(
        "long before_beats = beats; usleep(100000);\nbeats > before_beats") == "true"
    kernel.run("stop_it = true; heart.join();").ok()


def test_a_cell_may_lie_far_from_the_earlier_ones(fresh):
    """64 GB of addresses in between, as the simulator reserves them: the destructor's handle is further away than an instruction reaches."""
    fresh.run(
        "#include <cstdio>\n#include <sys/mman.h>\nvoid* wall = mmap(nullptr, 64L << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);"
    ).ok()
    assert fresh.value("wall != MAP_FAILED") == "true"
    # too large for the gaps on this side of the wall
    big = "struct Big { char bytes[256 << 20]; ~Big() { if (bytes[0]) puts(bytes); } };\nBig big;\n"
    assert fresh.value(
        big +
        "char* end_of_wall = static_cast<char*>(wall) + (64L << 30);\n(char*)&big < wall || (char*)&big > end_of_wall"
    ) == "true"


def test_xtensor_tables(kernel):
    kernel.run(PREPARE).ok()
    for _ in range(2):
        result = kernel.run("xt::xarray<double> shown{{1., 2.5}, {3., 4.}};\nshown").ok()
        assert "<table" in result.data["text/html"] and "2.5" in result.data["text/html"]
        assert kernel.run("abort();").ename == "Crash"


def test_print_of_xtensor(kernel):
    result = kernel.run(
        "#include <xtensor/xarray.hpp>\n#include <xtensor/xio.hpp>\nxt::xarray<double> printed{{1., 2.}, {3., 4.}};\nstd::cout << printed << std::endl;"
    ).ok()
    assert result.stdout.replace(" ", "") == "{{1.,2.},\n{3.,4.}}\n"
