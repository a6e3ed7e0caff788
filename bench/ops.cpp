// Measures the module ops for bench/ops.py, which compiles this program and requests one
// measurement at a time: a line "NAME ROWS COLUMNS CALLS" in, a line with the nanoseconds of the
// best call out. Arrays of a size are made on first use; then every result is compared with the
// plain version.
#include "lanes/ops.hpp"
#include "lanes/array.hpp"
#include "lanes/base.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace {

using lanes::Device, lanes::GpuReport, lanes::Matrix;
using IntMatrix = xt::xtensor<int, 2>;

// Seconds of the best of `calls` calls. The first is not counted: it wakes the threads.
double best(int calls, const std::function<void()>& work) {
    work();
    return lanes::best_of(calls, work);
}

// The speed that a copy can reach: each thread copies its share by memcpy.
void copy_parallel(const IntMatrix& from, IntMatrix& to) {
    const int threads = lanes::num_workers();
    const std::size_t each =
        (from.size() + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int part = 0; part < threads; ++part) {
        const std::size_t first = std::min(from.size(), static_cast<std::size_t>(part) * each),
                          last = std::min(from.size(), first + each);
        std::memcpy(to.data() + first, from.data() + first, (last - first) * sizeof(int));
    }
}

struct Inputs {
    IntMatrix a, b, c;  // for max
    Matrix x;           // for matmul_transpose

    void make(const std::string& name, const std::array<std::size_t, 2>& shape) {
        lanes::Rng rng(1);
        const bool product = name.rfind("matmul", 0) == 0;
        if (product ? x.shape() == shape : a.shape() == shape) return;
        a = b = c = IntMatrix();
        x = Matrix();
        if (product) {
            x = Matrix::from_shape(shape);
            rng.fill_uniform(x.data(), x.size(), -1, 1);
            if (x.shape(0) <= 1000)
                lanes::require_close(lanes::matmul_transpose_fast(x),
                                     lanes::matmul_transpose_plain(x), {1e-4, 1e-4});
            return;
        }
        a = IntMatrix::from_shape(shape), b = IntMatrix::from_shape(shape);
        for (int& value : a) value = static_cast<int>(rng.integer(0, 255));
        for (int& value : b) value = static_cast<int>(rng.integer(0, 255));
        lanes::max_fast(a, b, c);
        lanes::require_close(c, lanes::max_plain(a, b), {0, 0});
    }
};

// "NAME_gpu_RUNG", RUNG 0 for the fastest. Two times: the CUDA kernel alone, and from host memory
// to host memory.
std::string on_gpu(const Inputs& in, const std::string& name, int calls) {
    const Device device = Device::gpu();
    const std::optional<int> rung =
        name.back() == '0' ? std::nullopt : std::optional<int>(name.back() - '0');
    double alone = 1e30;
    const double whole = best(calls, [&] {
        const bool is_max = name.compare(0, 3, "max") == 0;
        const GpuReport report = is_max
                                     ? lanes::run_max_gpu(in.a, in.b, device, rung).report
                                     : lanes::run_matmul_transpose_gpu(in.x, device, rung).report;
        alone = std::min(alone, report.kernel_seconds());
    });
    return std::to_string(1e9 * alone) + " " + std::to_string(1e9 * whole);
}

std::string turn(Inputs& in, const std::string& name, int calls) {
    if (name.find("_gpu_") != std::string::npos) return on_gpu(in, name, calls);
    double seconds = 0;
    if (name == "max_plain")
        seconds = best(calls, [&] { lanes::max_plain(in.a, in.b); });
    else if (name == "max_fast")
        seconds = best(calls, [&] { lanes::max_fast(in.a, in.b, in.c); });
    else if (name == "max_fresh")  // into new memory in each call
        seconds = best(calls, [&] { lanes::max_fast(in.a, in.b); });
    else if (name == "copy")
        seconds = best(calls, [&] { copy_parallel(in.a, in.c); });
    else if (name == "matmul_plain")
        seconds = best(calls, [&] { lanes::matmul_transpose_plain(in.x); });
    else if (name == "matmul_fast")
        seconds = best(calls, [&] { lanes::matmul_transpose_fast(in.x); });
    else
        throw lanes::Error("bench/ops.cpp: '" + name + "' is no task. Look at turn().");
    return std::to_string(1e9 * seconds);
}

}  // namespace

int main() {
    std::cout << (Device::has_gpu() ? Device::gpu().name() : "") << std::endl;
    Inputs in;
    std::string name;
    std::size_t rows = 0, columns = 0;
    int calls = 0;
    while (std::cin >> name >> rows >> columns >> calls) {
        in.make(name, {rows, columns});
        std::cout << turn(in, name, calls) << std::endl;
    }
}
