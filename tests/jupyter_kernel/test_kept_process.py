"""A cell that does not compile costs nothing: if the process holds what a fork cannot copy (threads, worker processes, memory of a GPU), or if
there is no frozen copy, the process continues."""

import pytest
from client import CHECKOUT, comes_true

MISTAKES = {
    "misspelt name": ("kpet + 1", "CompileError"),
    "missing semicolon": ("int half = 1\nint other = 2;", "CompileError"),
    "template": ("std::vector<int> wrong = std::map<int, int>();\nstd::sort(kept, kept);", "CompileError"),
    "bracket": ("if (kept) {", "CompileError"),
    "link": ("extern int nowhere_defined;\nnowhere_defined + 1", "LinkError"),
    "call of a function without a body": ("int not_there();\nnot_there();", "LinkError"),
    "library": ('#pragma cling load("no_such_library")', "CompileError"),
    "unknown magic": ("%no_such_magic", "UnknownMagic"),
}
PREPARE = """#include <algorithm>
#include <atomic>
#include <map>
#include <thread>
#include <vector>
#include <unistd.h>
int kept = 7;
int twice(int x) { return 2 * x; }
int process = getpid();"""
THREAD = """std::atomic<long> ticks{0};
std::atomic<bool> stop{false};
std::thread ticker([] { while (!stop) { ++ticks; usleep(1000); } });"""


def make_mistake(kernel, name):
    cell, ename = MISTAKES[name]
    result = kernel.run(cell)
    assert result.ename == ename, result
    return result


def check_same_process(kernel):
    assert kernel.value("process == getpid()") == "true"
    assert kernel.value("twice(kept)") == "14"


@pytest.fixture(scope="module")
def ticking(shared_kernel):
    kernel = shared_kernel.get()
    kernel.run(PREPARE).ok()
    kernel.run(THREAD).ok()
    return kernel


@pytest.mark.parametrize("name", MISTAKES)
def test_threads_go_on(ticking, name):
    for _ in range(10):
        make_mistake(ticking, name)
    check_same_process(ticking)
    before = int(ticking.value("ticks.load()"))
    assert comes_true(lambda: int(ticking.value("ticks.load()")) > before)


def test_the_mistakes_leave_nothing(ticking):
    make_mistake(ticking, "missing semicolon")
    assert ticking.run("half").ename == "CompileError"
    ticking.run("int half = 3; struct Half { int value; };").ok()
    assert ticking.run("struct Half { int value; double other; };\nHalf h{1, 2.0, 3};").ename == "CompileError"
    assert ticking.value("sizeof(Half) == sizeof(int)") == "true"
    assert ticking.value("half") == "3"


def test_an_error_is_shown_as_ever(ticking):
    result = ticking.run("int fine = 1;\nfine + kpet")
    assert "line 2" in result.traceback or "In[" in result.traceback
    assert "kpet" in result.evalue and "kept" in result.traceback, result
    assert result.shown == "" and result.stderr == "", result


def test_a_compiler_that_is_interrupted_costs_nothing(ticking):
    result = ticking.run(ENDLESS_TEMPLATE, interrupt_after=1)
    assert result.ename == "Interrupted", result
    check_same_process(ticking)


# Many instantiations, minutes of them
ENDLESS_TEMPLATE = """template <int N, int M> struct Slow { static constexpr int value = Slow<N - 1, M>::value + Slow<N - 1, M + (1 << (N % 20))>::value; };
template <int M> struct Slow<0, M> { static constexpr int value = 1; };
Slow<24, 0>::value"""


def test_a_crash_says_what_it_costs(make_kernel):
    kernel = make_kernel()
    kernel.run(PREPARE + '\n#include "xcpp/capi.h"\nint held = xcpp_keep_process("a connection");').ok()
    make_mistake(kernel, "misspelt name")
    check_same_process(kernel)
    crashed = kernel.run("abort();")
    assert "Lost with the process: a connection." in crashed.traceback, crashed
    assert kernel.value("process == getpid()") == "false"
    assert kernel.value("xcpp_release_process(held)") == "-1", "the new process holds nothing"


def test_a_process_that_is_released_is_replaced_again(make_kernel):
    kernel = make_kernel()
    kernel.run(PREPARE + '\n#include "xcpp/capi.h"\nint held = xcpp_keep_process("a connection");').ok()
    assert kernel.value("xcpp_release_process(held)") == "0"
    make_mistake(kernel, "misspelt name")
    assert kernel.value("process == getpid()") == "false"
    assert kernel.value("twice(kept)") == "14"


def test_pools_of_openmp_blas_and_the_library_do_not_count(make_kernel):
    """They are started again in a fork, so that cells after them are as fast as before."""
    kernel = make_kernel()
    kernel.run(PREPARE).ok()
    kernel.run("""#include "lanes/array.hpp"
#include "lanes/gpu.hpp"
int sum = 0;
#pragma omp parallel for reduction(+ : sum)
for (int i = 0; i < 1000; ++i) sum += i;
lanes::Matrix a = xt::ones<float>({300, 300});
a = lanes::matmul(a, a);
lanes::Device device = lanes::Device::simulator();
lanes::Program program(device, "__global__ void one(int* x) { *x = 1; }");
lanes::Buffer<int> one(device, std::vector<int>{0});
lanes::launch(program.kernel("one"), {1, 1}, one);""", timeout=60).ok()
    make_mistake(kernel, "misspelt name")
    assert kernel.value("process == getpid()") == "false"
    assert kernel.value("one.download()") == "{ 1 }", "memory of the simulator is memory of the process"


def test_workers_and_loaders_go_on(make_kernel):
    kernel = make_kernel()
    kernel.run(PREPARE).ok()
    kernel.run("""#include "lanes/parallel.hpp"
#include "lanes/data.hpp"
lanes::WorkerPool<int, int> pool([](int x) { return x * x; }, 2);
xt::xtensor<float, 2> inputs = xt::ones<float>({64, 4});
xt::xtensor<int, 1> labels = xt::zeros<int>({64});
lanes::TensorDataset examples(lanes::Tensor::from(inputs), lanes::Tensor::from(labels));
lanes::DataLoader loader(examples, lanes::DataLoaderOptions().batch_size(8).num_workers(2));
auto batch = loader.begin();""", timeout=60).ok()
    for name in MISTAKES:
        for _ in range(10):
            make_mistake(kernel, name)
        assert kernel.value("pool.map({1, 2, 3})", timeout=60) == "{ 1, 4, 9 }"
    kernel.run("int batches = 0;\nfor (; batch != loader.end(); ++batch) ++batches;", timeout=60).ok()
    assert kernel.value("batches") == "8"
    check_same_process(kernel)


@pytest.mark.skipif(not (CHECKOUT / "build/lib/liblanes_mpi.so").exists(), reason="the library was built without MPI")
def test_mpi_goes_on(make_kernel, tmp_path):
    """Without mpirun, the session is the only rank. MPI leaves its files if the process crashes."""
    folder = {name: str(tmp_path) for name in ("OMPI_MCA_orte_tmpdir_base", "PRTE_MCA_prte_tmpdir_base")}
    kernel = make_kernel(env={"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **folder})
    kernel.run(PREPARE).ok()
    kernel.run("#include <lanes/distributed.hpp>\nconst auto world = lanes::Communicator::world();", timeout=60).ok()
    for name in MISTAKES:
        make_mistake(kernel, name)
    check_same_process(kernel)
    assert kernel.value("world.all_reduce(world.size())") == "1"
    crashed = kernel.run("abort();")
    assert "Lost with the process: MPI." in crashed.traceback, crashed


@pytest.fixture(scope="module")
def without_copy(request):
    from lifetime import start, stop_and_look
    kernel = start(env={"XCPP_COPY_LIMIT": "1M"})
    kernel.run(PREPARE).ok()
    yield kernel
    stop_and_look(kernel)


@pytest.mark.parametrize("name", MISTAKES)
def test_nothing_is_lost_without_a_frozen_copy(without_copy, name):
    for _ in range(10):
        result = make_mistake(without_copy, name)
        assert "gone" not in result.shown
    check_same_process(without_copy)


def test_an_older_copy_is_not_used_silently(make_kernel):
    """Memory above the limit, below it, above it: the copy of an earlier cell must not take over."""
    kernel = make_kernel(env={"XCPP_COPY_LIMIT": "500M"})
    kernel.run("#include <vector>\n#include <malloc.h>\nstd::vector<char> large(600'000'000, 1);\nint n = 1;").ok()
    first = kernel.run("large = std::vector<char>(); n = 2;").ok()
    assert "XCPP_COPY_LIMIT" in first.shown
    kernel.run("large.resize(600'000'000, 1); n = 3;").ok()
    again = kernel.run("n = 4;").ok()
    assert "XCPP_COPY_LIMIT" in again.shown, "said again: a copy was possible in between"
    assert kernel.run("kpet").ename == "CompileError"
    assert kernel.value("n") == "4"
    crashed = kernel.run("abort();")
    assert "gone" in crashed.traceback, crashed
