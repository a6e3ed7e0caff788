#include "lanes/ops/max.hpp"

#include "gpu_run.hpp"
#include "stream_store.hpp"

#include "base/large_pages.hpp"
#include "base/thread_pool.hpp"

#include "base/math.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/workers.hpp"

#include <algorithm>
#include <cstdint>

namespace lanes {

namespace {

template <class T>
using Array = xt::xtensor<T, 2>;

template <class T>
void require_one_shape(const char* operation, const Array<T>& a, const Array<T>& b) {
    LANES_REQUIRE(a.shape() == b.shape(), operation, ": ", a.shape(), " and ", b.shape(),
                  ". Give two matrices of one shape.");
}

template <class T>
Array<T> plain(const Array<T>& a, const Array<T>& b) {
    require_one_shape("max_plain", a, b);
    auto result = Array<T>::from_shape(a.shape());
    const std::size_t rows = a.shape(0), columns = a.shape(1);
    const T *left = a.data(), *right = b.data();
    T* larger = result.data();
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            const std::size_t at = i * columns + j;
            larger[at] = left[at] > right[at] ? left[at] : right[at];
        }
    }
    return result;
}

template <bool bypass_caches, class T>
void line(const T* a, const T* b, T* c, std::size_t at) {
    const auto left = ops::load_line(a + at), right = ops::load_line(b + at);
    ops::store_line<bypass_caches>(c + at, left > right ? left : right);
}

// Elements first to last - 1. The stores of a large result bypass the caches: they would evict data
// that is still needed, and a cache line that is overwritten completely need not be read first. In
// that case four pages are processed side by side, as memcpy does: a core prefetches only within a
// page, and twelve streams use more of the memory bandwidth than three.
template <class T, bool bypass_caches>
void part(const T* a, const T* b, T* c, std::size_t first, std::size_t last) {
    constexpr std::size_t lanes = sizeof(ops::Line<T>) / sizeof(T), page = 4096 / sizeof(T),
                          pages = 4;
    std::size_t i = first;
    for (; i < last && reinterpret_cast<std::uintptr_t>(c + i) % sizeof(ops::Line<T>) != 0; ++i)
        c[i] = a[i] > b[i] ? a[i] : b[i];
    for (; bypass_caches && i + pages * page <= last; i += pages * page) {
        for (std::size_t j = i; j < i + page; j += lanes) {
            for (std::size_t k = 0; k < pages; ++k) line<true>(a, b, c, j + k * page);
        }
    }
    for (; i + lanes <= last; i += lanes) line<bypass_caches>(a, b, c, i);
    for (; i < last; ++i) c[i] = a[i] > b[i] ? a[i] : b[i];
    if (bypass_caches) ops::finish_stores();
}

template <class T>
void fast(const Array<T>& a, const Array<T>& b, Array<T>& result, int threads) {
    require_one_shape("max_fast", a, b);
    const auto workers = static_cast<std::size_t>(num_workers(threads));
    if (result.shape() != a.shape()) result.resize(a.shape());
    const std::size_t n = a.size();
    constexpr std::size_t worth_a_thread = 16384;  // elements; waking a thread takes about as long
    const std::size_t parts = std::clamp<std::size_t>(n / worth_a_thread, 1, workers);
    const std::size_t each = ceil_div(ceil_div(n, parts), 64) * 64;   // whole cache lines
    const bool large = ops::should_bypass_caches(3 * n * sizeof(T));  // a, b and the result
    const T *left = a.data(), *right = b.data();
    T* larger = result.data();
    run_parts(parts, parts, [&](std::size_t number, std::size_t) {
        const std::size_t first = std::min(n, number * each), last = std::min(n, first + each);
        large ? part<T, true>(left, right, larger, first, last)
              : part<T, false>(left, right, larger, first, last);
    });
}

template <class T>
Array<T> fast(const Array<T>& a, const Array<T>& b, int threads) {
    require_one_shape("max_fast", a, b);
    auto result = Array<T>::from_shape(a.shape());
    prefer_large_pages(result.data(), result.size() * sizeof(T));
    fast(a, b, result, threads);
    return result;
}

}  // namespace

xt::xtensor<int, 2> max_plain(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b) {
    return plain(a, b);
}
Matrix max_plain(const Matrix& a, const Matrix& b) { return plain(a, b); }

xt::xtensor<int, 2> max_fast(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b,
                             int threads) {
    return fast(a, b, threads);
}
Matrix max_fast(const Matrix& a, const Matrix& b, int threads) { return fast(a, b, threads); }

void max_fast(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b,
              xt::xtensor<int, 2>& result, int threads) {
    fast(a, b, result, threads);
}
void max_fast(const Matrix& a, const Matrix& b, Matrix& result, int threads) {
    fast(a, b, result, threads);
}

GpuResult<xt::xtensor<int, 2>> run_max_gpu(const xt::xtensor<int, 2>& a,
                                           const xt::xtensor<int, 2>& b, const Device& device,
                                           std::optional<int> rung) {
    require_one_shape("max_gpu", a, b);
    ops::require_rung("max_gpu", rung, 2, "max.cu");
    LANES_REQUIRE(a.size() < (std::size_t{1} << 31), "max_gpu: ", a.shape(),
                  " is 2^31 elements or more. Split the matrices by rows.");
    GpuResult<xt::xtensor<int, 2>> run{xt::xtensor<int, 2>::from_shape(a.shape()), {}};
    if (a.size() == 0) return run;

    const std::size_t n = a.size(), rows = a.shape(0), columns = a.shape(1);
    LaunchConfig config{std::min<std::size_t>(ceil_div(n, 1024), 1 << 20), 256};
    if (rung == 1)
        config =
            columns <= 1024 ? LaunchConfig{rows, columns} : LaunchConfig{ceil_div(n, 256), 256};
    ops::CachedProgram& program = ops::timed_program(device, "max.cu", run.report);
    ops::run_on(
        program, rung == 1 ? "max_v1" : "max_v2", device, run.report,
        [&](const CudaKernel& cuda_kernel, auto& on_a, auto& on_b, auto& on_c) {
            return launch(cuda_kernel, config, on_a, on_b, on_c, static_cast<int>(n));
        },
        run.result, a, b);
    return run;
}

xt::xtensor<int, 2> max_gpu(const xt::xtensor<int, 2>& a, const xt::xtensor<int, 2>& b,
                            const Device& device) {
    return run_max_gpu(a, b, device).result;
}

}  // namespace lanes
