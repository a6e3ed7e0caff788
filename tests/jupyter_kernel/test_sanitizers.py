"""%%tsan and %%asan: a cell and what earlier cells declare as a program under a sanitizer of clang."""

RACE = """#include <cstdio>
#include <thread>
void count_up(int& n) {
    for (int i = 0; i < 1000; ++i) ++n;
}"""


def test_a_data_race_in_a_function_of_another_cell(kernel):
    count = kernel.run(RACE).ok().count
    result = kernel.run("%%tsan\nint shared = 0;\nstd::thread one(count_up, std::ref(shared)), two(count_up, std::ref(shared));\n"
                        'one.join();\ntwo.join();\nstd::puts("ended");', timeout=60)
    assert (result.ename, result.evalue) == ("ThreadSanitizer", f"data race, In[{count}], line 4")
    assert result.stdout == "ended\n"
    assert "Previous write" in result.traceback and f"In[{count}], line 4: count_up(int&)" in result.traceback
    assert "0x" not in result.traceback and "libstdc++" not in result.traceback
    result = kernel.run("%%tsan\nint alone = 0;\nstd::thread only(count_up, std::ref(alone));\nonly.join();", timeout=60).ok()
    assert result.stdout == "The thread sanitizer found nothing in this run.\n"


def test_openmp(kernel):
    """Its library is not instrumented: without help, the sanitizer takes each loop's end for nothing."""
    kernel.run("#include <cstdio>\n#include <vector>").ok()
    right = kernel.run("%%tsan\nstd::vector<double> numbers(1000);\ndouble total = 0;\nint teams = 0;\n"
                       "for (int round = 0; round < 10; ++round) {\n#pragma omp parallel for num_threads(4)\n"
                       "    for (int i = 0; i < 1000; ++i) numbers[i] = i + round;\n"
                       "    total = 0;\n#pragma omp parallel for num_threads(4) reduction(+ : total)\n"
                       "    for (int i = 0; i < 1000; ++i) total += numbers[999 - i];\n"
                       "#pragma omp parallel num_threads(4)\n    {\n#pragma omp critical\n        ++teams;\n"
                       "#pragma omp barrier\n#pragma omp single\n        ++teams;\n    }\n}\n"
                       'std::printf("%g %d\\n", total, teams);', timeout=60).ok()
    assert right.stdout == "508500 50\nThe thread sanitizer found nothing in this run.\n"
    wrong = kernel.run("%%tsan\nint counted = 0;\n#pragma omp parallel for num_threads(4)\n"
                       "for (int i = 0; i < 1000; ++i) counted += i;", timeout=60)
    assert wrong.ename == "ThreadSanitizer" and wrong.evalue.startswith(f"data race, In[{wrong.count}], line 4"), wrong


def test_an_index_out_of_bounds(kernel):
    result = kernel.run("%%asan -- one\n#include <vector>\nint main(int count, char**) {\n    std::vector<int> v(2);\n"
                        "    return v.data()[count];\n}", timeout=60)
    assert (result.ename, result.evalue) == ("AddressSanitizer", f"heap-buffer-overflow, In[{result.count}], line 5")
    unused = kernel.run("%%asan\nint main() {\n    int* x = new int[3];\n    x[3] = 1;\n    delete[] x;\n}", timeout=60)
    assert unused.evalue == f"heap-buffer-overflow, In[{unused.count}], line 4"
    assert kernel.run("%%asan mpirun -n 2\nint main() {}").ename == "MagicError"
    assert kernel.value("40 + 2") == "42"
