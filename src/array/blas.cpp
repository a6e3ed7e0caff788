#include "lanes/array/blas.hpp"

#include "lanes/base/error.hpp"

#include "own_gemm.hpp"

#ifdef LANES_STANDALONE
#include <atomic>
#include <thread>
#else
#include <cblas.h>
#endif

#include <limits>

namespace lanes {

namespace {

#ifdef LANES_STANDALONE

using Extent = std::size_t;

std::atomic<int>& own_threads() {
    static std::atomic<int> threads{
        std::max(1, static_cast<int>(std::thread::hardware_concurrency()))};
    return threads;
}

template <class T>
void gemm(Extent m, Extent n, Extent k, const T* a, const T* b, T* c) {
    own_gemm(m, n, k, a, b, c, own_threads());
}

void set_threads(int threads) { own_threads() = threads; }

int threads_now() { return own_threads(); }

#else

using Extent = blasint;

void gemm(Extent m, Extent n, Extent k, const float* a, const float* b, float* c) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
}

void gemm(Extent m, Extent n, Extent k, const double* a, const double* b, double* c) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
}

void set_threads(int threads) {
    // OpenBLAS 0.3.21 on aarch64: after a fork it stays on one thread until the number changes.
    openblas_set_num_threads(1);
    openblas_set_num_threads(threads);
}

int threads_now() { return openblas_get_num_threads(); }

#endif

// Multiplications. 16 images of 784 pixels times 128 neurons are 1.6 million.
constexpr std::size_t small_product = 4000000;

template <class T>
xt::xtensor<T, 2> multiply(const xt::xtensor<T, 2>& a, const xt::xtensor<T, 2>& b) {
    const std::size_t m = a.shape(0), k = a.shape(1), n = b.shape(1);
    LANES_REQUIRE(a.shape(1) == b.shape(0), "matmul: ", a.shape(), " times ", b.shape(),
                  ". The columns of the first must be as many as the rows of the second.");
    constexpr std::size_t largest = std::numeric_limits<Extent>::max();
    LANES_REQUIRE(m <= largest && k <= largest && n <= largest, "matmul: ", a.shape(), " times ",
                  b.shape(), ". BLAS takes up to ", largest, " rows and columns.");
    xt::xtensor<T, 2> product(std::array<std::size_t, 2>{m, n});
    // OpenBLAS packs both matrices and wakes threads that wait for each other. For a batch of
    // images own_gemm on this thread is twice as fast, and on a busy machine much faster than that.
    if (m * n * k <= small_product)
        own_gemm(m, n, k, a.data(), b.data(), product.data(), 1);
    else
        gemm(static_cast<Extent>(m), static_cast<Extent>(n), static_cast<Extent>(k), a.data(),
             b.data(), product.data());
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
