"""A student without a GPU: CUDA kernels on the simulator, called from cells, with mistakes, crashes and interrupts in between."""

import os
import subprocess
import time

import pytest

from test_program import BUILD, CHECKOUT, generate, write_notebook

KERNEL_OPTIONS = {"env": {"LANES_DEVICE": "simulator"}}

SETUP = """#include "lanes/gpu.hpp"
lanes::Device device = lanes::Device::best();
std::vector<int> values = {0, 1, 2, 3, 4, 5, 6, 7};
lanes::Buffer<int> x(device, values), y(device, values.size());"""

REVERSE = """lanes::Program program(device, R"(
    extern "C" __global__ void reverse(const int* x, int* y) {
        __shared__ int tile[8];
        tile[threadIdx.x] = x[threadIdx.x];
        %s
        y[threadIdx.x] = tile[7 - threadIdx.x];
    })");"""


def test_a_missing_barrier_is_told_with_its_line_and_then_mended(kernel):
    kernel.run(SETUP).ok()
    kernel.run(REVERSE % "").ok()
    result = kernel.run('lanes::launch(program.kernel("reverse"), {1, 8}, x, y);', timeout=60)
    assert result.ename == "lanes::CudaKernelFault"
    assert "race in shared memory on tile[" in result.evalue
    assert "between line 4 and line 6" in result.evalue and "__syncthreads()" in result.evalue
    kernel.run(REVERSE % "__syncthreads();").ok()
    kernel.run('auto report = lanes::launch(program.kernel("reverse"), {1, 8}, x, y);',
               timeout=60).ok()
    assert kernel.value("y.download()") == "{ 7, 6, 5, 4, 3, 2, 1, 0 }"
    assert kernel.value("report.counters.barriers") == "1"


def test_a_launch_that_fails_can_be_corrected_on_the_same_buffers(kernel):
    kernel.run(SETUP).ok()
    kernel.run(
        'lanes::Program more(device, "__global__ void more(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] += 10; }");',
        timeout=60).ok()
    result = kernel.run('lanes::launch(more.kernel("more"), {1, 32}, x, 9);', timeout=60)
    assert result.ename == "lanes::CudaKernelFault" and "out of bounds: x[8]" in result.evalue
    assert kernel.value("x.download()") == "{ 0, 1, 2, 3, 4, 5, 6, 7 }"
    kernel.run('lanes::launch(more.kernel("more"), {1, 32}, x, 8);', timeout=60).ok()
    assert kernel.value("x.download()") == "{ 10, 11, 12, 13, 14, 15, 16, 17 }"


def test_a_launch_that_writes_nothing_says_so(kernel):
    kernel.run(SETUP).ok()
    kernel.run(
        'lanes::Program program(device, "__global__ void copy(const int* x, int* y, int n) { if (threadIdx.x >= n) y[threadIdx.x] = x[threadIdx.x]; }");'
    ).ok()
    result = kernel.run('lanes::launch(program.kernel("copy"), {1, 8}, x, y, 8);', timeout=60)
    assert result.ename == "lanes::CudaKernelFault" and "copy writes nothing: all 8 elements of y are as they were" in result.evalue
    kernel.run(
        'lanes::Program find(device, "__global__ void find(const int* x, int* y, int n) { if (x[threadIdx.x] > n) y[0] = threadIdx.x; }");'
    ).ok()
    result = kernel.run(
        'auto hit = lanes::Buffer<int>::zeros(device, 1);\nlanes::launch(find.kernel("find"), {1, 8}, x, hit, 8);',
        timeout=60).ok()
    assert "launch find <<<1, 8>>>: no thread wrote anything, y is as it was." in result.stderr


def test_a_text_that_does_not_compile_shows_its_own_line(kernel):
    kernel.run(SETUP).ok()
    result = kernel.run(
        'lanes::Program wrong(device, R"(\n__global__ void f(int* y) {\n    y[0] = missing;\n})");',
        timeout=60)
    assert result.ename == "lanes::CudaCompileError"
    assert "program.cu:3: error: use of undeclared identifier 'missing'" in result.evalue


def test_a_text_that_lacks_a_header_is_told_which(kernel):
    kernel.run(SETUP).ok()
    text = 'lanes::Program lowest(device, R"(%s\n__global__ void f(float* y) { y[0] = -INFINITY; })");'
    result = kernel.run(text % "", timeout=60)
    assert result.ename == "lanes::CudaCompileError" and "INFINITY comes with #include <cmath>" in result.evalue
    kernel.run(text % "\n#include <cmath>", timeout=60).ok()


@pytest.mark.parametrize(
    "cell, hint",
    [
        ("__global__ void f(int* x) {\n    x[threadIdx.x] = 1;\n}",
         "%%cuda NAME; lanes::Program program(device, NAME)"),
        ("void f(int*) {}\nint* x = nullptr;\nf<<<1, 32>>>(x);", "lanes::launch(program.kernel"),
        ("float* x = nullptr;\ncudaMalloc(&x, 100);", "lanes::Buffer<float> x(device, values)"),
    ],
)
def test_cuda_in_the_text_of_a_cell_is_told_where_it_belongs(kernel, cell, hint):
    result = kernel.run(cell)
    assert result.ename == "CompileError"
    assert result.traceback.count(hint) == 1, result.traceback


CELL = """%%cuda text
__global__ void reverse(const int* x, int* y) {
    __shared__ int tile[8];
    tile[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = tile[7 - threadIdx.x];
}"""


def test_a_cuda_cell_keeps_its_text_for_a_program(kernel):
    kernel.run(SETUP).ok()
    count = kernel.run(CELL).ok().count
    use = 'lanes::launch(lanes::Program(device, text).kernel("reverse"), {1, 8}, x, y);'
    result = kernel.run(use, timeout=60)
    assert result.ename == "lanes::CudaKernelFault"
    assert result.evalue.startswith(f"In[{count}]:4: race in shared memory on tile[")
    assert "between line 4 and line 5" in result.evalue
    kernel.run(CELL.replace("    y[", "    __syncthreads();\n    y[")).ok()
    kernel.run(use, timeout=60).ok()
    assert kernel.value("y.download()") == "{ 7, 6, 5, 4, 3, 2, 1, 0 }"
    count = kernel.run("// with a mistake\n" + CELL.replace("= x", "= z")).ok().count
    result = kernel.run(use, timeout=60)
    assert result.ename == "lanes::CudaCompileError"
    assert f"In[{count}]:5: error: use of undeclared identifier 'z'" in result.evalue


def test_functions_of_earlier_cells_see_the_new_text_of_a_cuda_cell(kernel):
    kernel.run(SETUP).ok()
    racing, right = CELL, CELL.replace("    y[", "    __syncthreads();\n    y[")
    kernel.run(racing).ok()
    kernel.run('std::vector<int> reversed() {\n    lanes::launch(lanes::Program(device, '
               'text).kernel("reverse"), {1, 8}, x, y);\n    return y.download();\n}').ok()
    assert kernel.run("reversed()", timeout=60).ename == "lanes::CudaKernelFault"
    count = kernel.run(right).ok().count
    assert kernel.value("reversed()", timeout=60) == "{ 7, 6, 5, 4, 3, 2, 1, 0 }"
    kernel.run(racing.replace("7 - ", "8 - ")).ok()
    assert f"In[{count + 2}]:" in kernel.run("reversed()", timeout=60).evalue
    kernel.run(right).ok()
    kernel.run(racing).ok()
    kernel.run("%undo").ok()
    kernel.run("*static_cast<volatile int*>(nullptr) = 1;")
    assert kernel.value("reversed()", timeout=60) == "{ 7, 6, 5, 4, 3, 2, 1, 0 }"


def test_a_cuda_cell_without_a_usable_name(kernel):
    result = kernel.run("%%cuda 2d_kernel\nx")
    assert result.ename == "MagicError"
    assert result.evalue.startswith("%%cuda: '2d_kernel' cannot be the name of a variable")
    assert "%%cuda" in kernel.run("%lsmagic").stdout
    assert "did you mean %%cuda?" in kernel.run("%cuda text").evalue


PROGRAM = """#include <cstdio>
#include <cstdlib>
__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }
int main(int count, char** arguments) {
    int *x, y[4];
    cudaMalloc(&x, sizeof y);
    fill<<<1, 4>>>(x, atoi(arguments[1]));
    cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost);
    printf("%d %d %s\\n", count, y[3], arguments[2]);
    return y[0] % 7;
}"""


def test_a_whole_program_is_run(kernel):
    result = kernel.run('%%cuda -- 700 "two words"\n' + PROGRAM, timeout=120).ok()
    assert result.stdout == "3 700 two words\n"
    result = kernel.run("%%cuda -- 702 x\n" + PROGRAM, timeout=120)
    assert result.ename == "lanes::Error" and "exit status 2" in result.evalue
    assert result.stdout == "3 702 x\n"
    result = kernel.run("%%cuda\n" + PROGRAM.replace("= value", "= valeu"), timeout=120)
    assert result.ename == "lanes::CudaCompileError"
    assert f"In[{result.count}]:4: error: " in result.evalue


def test_undo_takes_a_cuda_cell_back(kernel):
    kernel.run(SETUP).ok()
    kernel.run(CELL.replace("    y[", "    __syncthreads();\n    y[")).ok()
    use = 'lanes::launch(lanes::Program(device, text).kernel("reverse"), {1, 8}, x, y);'
    kernel.run(use, timeout=60).ok()
    kernel.run("%%cuda text\n__global__ void other(int* x) {}").ok()
    assert kernel.run(use, timeout=60).ename == "lanes::Error"  # no CUDA kernel of this name
    kernel.run("%%cuda text\n__global__ void other(int* x) {}").ok()
    kernel.run("%undo").ok()
    kernel.run("%%cuda text\n__global__ void third(int* x) {}").ok()
    kernel.run("%undo").ok()
    assert kernel.value('text.find("other") != std::string::npos') == "true"
    kernel.run("%%cuda of_one_cell\n__global__ void more(int* x) {}").ok()
    kernel.run("%undo").ok()
    assert kernel.run("of_one_cell").ename == "CompileError"


def test_a_notebook_with_cuda_cells_becomes_a_program(tmp_path):
    notebook = write_notebook(
        tmp_path, '#include "lanes/gpu.hpp"\n#include <iostream>\n#include <vector>\n' + SETUP,
        CELL.replace("    y[", "    __syncthreads();\n    y["),
        'lanes::launch(lanes::Program(device, text).kernel("reverse"), {1, 8}, x, y);\n'
        "for (int value : y.download()) std::cout << value;\nstd::cout << std::endl;",
        "%%cuda -- 700 end\n" + PROGRAM,
        CELL.replace("text", "racing"),
        'lanes::launch(lanes::Program(device, racing).kernel("reverse"), {1, 8}, x, y);')
    made = generate(notebook)
    assert made.returncode == 0, made.stderr
    subprocess.run([
        "clang++-19", "-std=c++17", f"-I{CHECKOUT / 'include'}",
        f"-I{CHECKOUT / 'jupyter_kernel/include'}",
        notebook.with_suffix(".cpp"), BUILD / "lib/libxcpp_program.a", f"-L{BUILD / 'lib'}",
        "-llanes", f"-Wl,-rpath,{BUILD / 'lib'}", "-pthread", "-ldl", "-o",
        notebook.with_suffix("")
    ],
                   check=True)
    ran = subprocess.run([notebook.with_suffix("")],
                         capture_output=True,
                         text=True,
                         check=False,
                         env={
                             **os.environ, "LANES_DEVICE": "simulator"
                         })
    assert ran.stdout == "76543210\n3 700 end\n", ran.stderr
    assert ran.returncode != 0
    assert "lesson.ipynb, code cell 5:4: race in shared memory on tile[" in ran.stderr


def test_a_whole_program_is_interrupted(kernel):
    result = kernel.run('%%cuda\n#include <cstdio>\nint main() { printf("began\\n"); fflush(stdout); for (;;); }',
                        timeout=120,
                        interrupt_after=8)
    assert result.ename == "Interrupted" and result.stdout == "began\n"
    assert kernel.value("1 + 1") == "2"


def test_tab_and_shift_tab_in_a_cuda_cell(kernel):
    start = "%%cuda text\n__global__ void count(const float* numbers, int* sum) {\n    "
    for typed, name in (("thr", "threadIdx"), ("threadIdx.", "x"), ("num", "numbers"),
                        ("atomicA", "atomicAdd"), ("__sync", "__syncthreads"), ("__sha", "__shared__"),
                        ("int index = 3;\n    in", "index"), ("cou", "count"), ("rsq", "rsqrtf")):
        code = start + typed
        reply = kernel.request("complete_request", {"code": code, "cursor_pos": len(code)})
        assert reply["matches"][0] == name, (typed, reply["matches"][:5])
    code = start + "atomicAdd(sum, 1);\n}"
    reply = kernel.request("inspect_request", {
        "code": code,
        "cursor_pos": code.index("Add"),
        "detail_level": 0
    })
    assert "Adds value to *address in one step" in reply["data"]["text/plain"]


def test_a_vector_must_be_copied_into_a_buffer_first(kernel):
    kernel.run(SETUP).ok()
    kernel.run(REVERSE % "__syncthreads();").ok()
    result = kernel.run('lanes::launch(program.kernel("reverse"), {1, 8}, values, y);', timeout=60)
    assert result.ename == "lanes::Error"
    assert "const int* x, was given an array in the host's memory" in result.evalue
    assert "Copy it into a buffer first, Buffer<int> name(device, values)" in result.evalue
    result = kernel.run(
        'std::map<int, int> pairs;\nlanes::launch(program.kernel("reverse"), {1, 8}, pairs, y);',
        timeout=60)
    assert result.ename == "CompileError" and "Copy the values into a lanes::Buffer first" in result.evalue
    assert "pairs, y);" in result.traceback, result.traceback


def test_a_report_ends_its_line(kernel):
    kernel.run(SETUP).ok()
    kernel.run(REVERSE % "__syncthreads();").ok()
    result = kernel.run(
        'std::cout << lanes::launch(program.kernel("reverse"), {1, 8}, x, y) << "next";',
        timeout=60).ok()
    assert result.stdout.startswith("reverse <<<1, 8>>> on") and result.stdout.endswith(
        "\nnext"), result.stdout


def test_after_a_crash_buffers_and_programs_are_there(kernel):
    kernel.run(SETUP).ok()
    kernel.run(REVERSE % "__syncthreads();").ok()
    kernel.run('lanes::launch(program.kernel("reverse"), {1, 8}, x, y);', timeout=60).ok()
    assert kernel.run("y.upload(values); int* volatile p = nullptr; *p = 1;").ename == "Crash"
    assert kernel.value("y.download()") == "{ 7, 6, 5, 4, 3, 2, 1, 0 }"
    kernel.run('lanes::launch(program.kernel("reverse"), {1, 8}, y, x);', timeout=60).ok()
    assert kernel.value("x.download()") == "{ 0, 1, 2, 3, 4, 5, 6, 7 }"


@pytest.mark.parametrize("mode", ["device", "device.fast()"])
def test_an_endless_cuda_kernel_is_interrupted(kernel, mode):
    kernel.run(SETUP).ok()
    kernel.run(
        'lanes::Program endless(%s, "__global__ void f(int* y) { for (;;) atomicAdd(y, 1); }");' %
        mode,
        timeout=60).ok()
    result = kernel.run('lanes::launch(endless.kernel("f"), {1, 2}, x);',
                        timeout=60,
                        interrupt_after=1)
    assert result.ename == "Interrupted"
    assert (kernel.value("x.download()[0]") == "0") == (
        mode == "device")  # with checks the buffers are as they were


def test_an_endless_cuda_kernel_is_stopped_by_itself(kernel):
    kernel.run(SETUP).ok()
    kernel.run(
        'lanes::Checks checks; checks.stop_after_seconds = 0.5;\nlanes::Program endless(device.with(checks), "__global__ void f(int* y) { while (y[0] == 0) ; }");',
        timeout=60).ok()
    kernel.run("x.upload(values);").ok()
    result = kernel.run('lanes::launch(endless.kernel("f"), {1, 2}, x);', timeout=60)
    assert result.ename == "lanes::CudaKernelFault"
    assert "no progress" in result.evalue


def test_nothing_is_left_of_a_session_that_is_killed_while_it_compiles(make_kernel):
    kernel = make_kernel(**KERNEL_OPTIONS)
    kernel.run(SETUP + "\n#include <csignal>\n#include <filesystem>\n#include <thread>").ok()
    killer = """std::thread([] {
    const auto made = [] {
        for (const auto& entry : std::filesystem::directory_iterator(std::getenv("XCPP_TEMPORARY")))
            if (entry.path().filename().string().rfind("lanes-simulator-", 0) == 0) return true;
        return false;
    };
    while (!made()) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    raise(SIGKILL);
}).detach();
"""
    text = f'lanes::Program fresh(device, "__global__ void f(long* y) {{ *y = {time.time_ns()}; }}");'  # no cache has it
    assert kernel.run(killer + text, timeout=60).ename == "Crash"
    assert list(
        kernel.temporary.rglob("lanes-simulator-*"))  # its folder: nobody was there to remove it
    kernel.run(text, timeout=60).ok()
    assert not list(kernel.temporary.rglob("lanes-simulator-*"))  # the next one did
    kernel.run(killer + text.replace("f(", "g("), timeout=60)
    kernel.stop()
    assert kernel.left_behind() == []


def test_a_launch_that_failed_is_shown_as_a_picture(kernel):
    """Text, HTML with a button for each thread, and SVG for pages without them."""
    kernel.run(SETUP).ok()
    kernel.run(REVERSE % "").ok()
    kernel.run('lanes::launch(program.kernel("reverse"), {1, 8}, x, y);', timeout=60)
    shown = kernel.run('#include "lanes/notebook.hpp"\nlanes::show_accesses(lanes::last_report());',
                       timeout=60).ok().of("display_data")[0]["content"]["data"]
    assert set(shown) == {"text/plain", "text/html", "image/svg+xml"}
    assert "  thread 7 reads x[7], tile[0], writes tile[7], y[7]\n" in shown["text/plain"]
    assert "\nrace: tile[" in shown["text/plain"]
    assert 'type="radio"' in shown["text/html"] and "<script" not in shown["text/html"]
    assert "<title>thread 7 writes y[7], line 6</title>" in shown["image/svg+xml"]
    counters = kernel.run('lanes::last_report().show("A100");',
                          timeout=60).ok().of("display_data")[0]["content"]["data"]
    assert "warps on one multiprocessor of an A100" in counters["image/svg+xml"]
    assert "global load requests" in counters["text/html"]
