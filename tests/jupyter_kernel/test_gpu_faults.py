"""A fault on a real GPU makes CUDA refuse everything in its process. The session continues in a fork: variables, functions and host arrays are kept, what was on
the GPU says that it was lost, and the next cell uses the GPU. Skipped without a GPU."""

import pytest
from test_kept_process import MISTAKES, make_mistake

SETUP = """#include "lanes/gpu.hpp"
#include "lanes/tensor.hpp"
#include "lanes/nn.hpp"
using namespace lanes;
Device device = Device::gpu();
std::vector<float> host(1000, 3);
int kept = 7;
int twice(int n) { return 2 * n; }
Buffer<float> buffer(device, host);
Buffer<int> numbers(device, std::vector<int>{1, 2, 3, 4});
Program program(device, R"(
__global__ void twice(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
__global__ void outside(int* x) { x[(1LL << 40) + threadIdx.x] = 1; }
__global__ void misaligned(int* x) { *(double*)(x + 1) = 1; }
__global__ void asserts(int* x) { assert(x[0] == 5); }
__global__ void endless(int* x) { while (((volatile int*)x)[0] == 1) {} })");"""

DOUBLES = """Buffer<float> again(device, host);
launch(program.kernel("twice"), {4, 256}, again, 1000);
again.download() == std::vector<float>(1000, 6)"""

FAULTS = {"outside": "illegal memory access", "misaligned": "misaligned address", "asserts": "assert"}


@pytest.fixture(scope="module")
def gpu(shared_kernel):
    kernel = shared_kernel.get()
    kernel.run('#include "lanes/gpu.hpp"', timeout=60).ok()
    if kernel.value("lanes::Device::has_gpu()", timeout=60) == "false":
        pytest.skip(kernel.value("lanes::Device::why_no_gpu()"))
    kernel.run(SETUP, timeout=60).ok()
    return kernel


def fault(kernel, name, before=""):
    return kernel.run(before + f'launch(program.kernel("{name}"), {{1, 1}}, numbers);', timeout=60)


def renew(kernel):
    kernel.run("numbers = Buffer<int>(device, std::vector<int>{1, 2, 3, 4});\nbuffer = Buffer<float>(device, host);",
               timeout=60).ok()


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_costs_only_what_was_on_the_gpu(gpu, name):
    renew(gpu)
    result = fault(gpu, name, "kept = 8;\n")
    assert result.ename == "lanes::Error" and FAULTS[name] in result.evalue, result.evalue
    assert "continues in a new process" in result.evalue and "the next cell can use the GPU" in result.evalue
    assert "line 2" in result.traceback
    assert gpu.value("twice(kept)") == "16"
    lost = gpu.run("buffer.download();", timeout=60)
    assert lost.ename == "lanes::Error" and "were lost with the process that made it" in lost.evalue
    assert gpu.value(DOUBLES, timeout=60) == "true"


def test_the_same_cell_can_not_go_on_with_the_gpu(gpu):
    renew(gpu)
    gpu.run("""std::string second;
try { launch(program.kernel("outside"), {1, 1}, numbers); } catch (const Error&) {}
try { Buffer<float> other(device, host); } catch (const Error& error) { second = error.what(); }""",
                     timeout=60).ok()
    assert "The next cell can use it again." in gpu.value("second")
    assert gpu.value(DOUBLES, timeout=60) == "true"


def test_tensors_say_that_they_were_lost(gpu):
    renew(gpu)
    gpu.run("""Tensor a = Tensor::randn({100, 100}, device), b = matmul(a, a), on_cpu = b.cpu();
float sum_before = sum(on_cpu).item();""", timeout=60).ok()
    fault(gpu, "outside")
    lost = gpu.run("matmul(a, a);", timeout=60)
    assert lost.ename == "lanes::Error" and "lost" in lost.evalue, lost.evalue
    assert gpu.value("sum(on_cpu).item() == sum_before", timeout=60) == "true"
    assert gpu.value("sum(on_cpu.to(device)).item() - sum_before < 1e-2", timeout=60) == "true"


def test_an_endless_cuda_kernel_can_be_interrupted(gpu):
    renew(gpu)
    result = gpu.run('kept = 9;\nlaunch(program.kernel("endless"), {1, 1}, numbers);', timeout=60, interrupt_after=2)
    assert result.ename == "Interrupted" and "launch endless <<<1, 1>>>: interrupted" in result.traceback, result
    assert "continues in a new process" in result.traceback and "started before" not in result.traceback, result
    assert gpu.value("kept") == "9"
    assert gpu.value(DOUBLES, timeout=60) == "true"


def test_a_training_on_the_gpu_can_be_interrupted_and_goes_on(gpu):
    gpu.run("""Tensor x = Tensor::randn({512, 256}, device), w = Tensor::randn({256, 256}, device);
int steps = 0;
void train() { for (;; ++steps) { x = relu(matmul(x, w)) * 0.01f; if (interrupted()) throw Error("interrupted"); } }""",
            timeout=60).ok()
    result = gpu.run("train();", timeout=60, interrupt_after=2)
    assert result.status == "error"
    assert int(gpu.value("steps")) > 100
    assert gpu.value("sum(x).item() >= 0", timeout=60) == "true"  # it is still there


def test_the_memory_of_the_gpu_is_free_again(gpu):
    renew(gpu)
    before = int(gpu.value("device.free_bytes()", timeout=60))
    for _ in range(3):
        gpu.run("Buffer<float> large(device, std::size_t{2} << 30);", timeout=60).ok()
        fault(gpu, "outside")
        renew(gpu)
    after = int(gpu.value("device.free_bytes()", timeout=60))
    assert before - after < 2 << 30, f"{before >> 20} MiB were free, then {after >> 20}"


def test_a_crash_afterwards_goes_back_to_before_its_cell(gpu):
    renew(gpu)
    gpu.run("kept = 10;").ok()
    fault(gpu, "outside")
    assert gpu.run("kept = 11;\nint* volatile nowhere = nullptr; *nowhere = 1;").ename == "Crash"
    assert gpu.value("kept") == "10"
    assert gpu.value(DOUBLES, timeout=60) == "true"


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_cell_that_does_not_compile_keeps_what_is_on_the_gpu(gpu, mistake):
    renew(gpu)
    gpu.run("""Tensor weights = Tensor::randn({64, 64}, device).requires_grad_();
SGD optimizer({weights}, 0.01f);
float step() {
    Tensor loss = sum(weights * weights);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    return loss.item();
}
float loss_before = step();""", timeout=60).ok()
    for _ in range(10):
        make_mistake(gpu, mistake)
    assert gpu.value("step() < loss_before", timeout=60) == "true"
    assert gpu.value("buffer.download() == host", timeout=60) == "true"
    assert gpu.value("twice(kept)") == str(2 * int(gpu.value("kept")))


def test_ten_faults_in_a_row(fresh, gpu):
    fresh.run(SETUP, timeout=60).ok()
    seconds = []
    for count in range(10):
        name = list(FAULTS)[count % len(FAULTS)]
        assert FAULTS[name] in fault(fresh, name, "kept += 1;\n").evalue
        result = fresh.run("numbers = Buffer<int>(device, std::vector<int>{1, 2, 3, 4});\n" + DOUBLES, timeout=60)
        assert result.ok().result == "true"
        seconds.append(result.seconds)
    assert fresh.value("kept") == "17"
    print("first use after a fault:", ", ".join(f"{s:.2f}" for s in seconds), "s")
