#include "lanes/array/blas.hpp"

#include "lanes/base/error.hpp"

#include "gemm.hpp"

#ifdef LANES_STANDALONE
#include <atomic>
#include <thread>
#else
#include <cblas.h>
#endif

namespace lanes {

namespace {

#ifdef LANES_STANDALONE

std::atomic<int>& own_threads() {
    static std::atomic<int> threads{
        std::max(1, static_cast<int>(std::thread::hardware_concurrency()))};
    return threads;
}

void set_threads(int threads) { own_threads() = threads; }

int threads_now() { return own_threads(); }

#else

void set_threads(int threads) {
    // OpenBLAS 0.3.21 on aarch64: after a fork it stays on one thread until the number changes.
    openblas_set_num_threads(1);
    openblas_set_num_threads(threads);
}

int threads_now() { return openblas_get_num_threads(); }

#endif

template <class T>
xt::xtensor<T, 2> multiply(const xt::xtensor<T, 2>& a, const xt::xtensor<T, 2>& b) {
    const std::size_t m = a.shape(0), k = a.shape(1), n = b.shape(1);
    LANES_REQUIRE(a.shape(1) == b.shape(0), "matmul: ", a.shape(), " times ", b.shape(),
                  ". The columns of the first must be as many as the rows of the second.");
    xt::xtensor<T, 2> product(std::array<std::size_t, 2>{m, n});
    gemm(false, false, m, n, k, a.data(), b.data(), product.data(), false);
    return product;
}

}  // namespace

Matrix matmul(const Matrix& a, const Matrix& b) { return multiply(a, b); }
xt::xtensor<double, 2> matmul(const xt::xtensor<double, 2>& a, const xt::xtensor<double, 2>& b) {
    return multiply(a, b);
}

void set_blas_threads(int threads) {
    LANES_REQUIRE(threads >= 1, "set_blas_threads: ", threads, " threads. Give at least 1.");
    set_threads(threads);
}

int blas_threads() { return threads_now(); }

}  // namespace lanes
