#include "array/own_gemm.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/array/types.hpp"
#include "lanes/base.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace {

using lanes::Matrix;

Matrix random_matrix(lanes::Rng& rng, std::size_t rows, std::size_t columns) {
    Matrix m(std::array<std::size_t, 2>{rows, columns});
    rng.fill_uniform(m.data(), m.size(), -1, 1);
    return m;
}

// Three loops, in double.
template <class T>
xt::xtensor<T, 2> plain_product(const xt::xtensor<T, 2>& a, const xt::xtensor<T, 2>& b) {
    xt::xtensor<T, 2> c(std::array<std::size_t, 2>{a.shape(0), b.shape(1)});
    for (std::size_t i = 0; i < a.shape(0); ++i)
        for (std::size_t j = 0; j < b.shape(1); ++j) {
            double sum = 0;
            for (std::size_t p = 0; p < a.shape(1); ++p) sum += double(a(i, p)) * double(b(p, j));
            c(i, j) = static_cast<T>(sum);
        }
    return c;
}

TEST(OwnGemm, AgreesWithThreeLoopsForEveryShape) {
    lanes::Rng rng(3);
    for (const std::size_t m : {1, 3, 4, 13, 130}) {
        for (const std::size_t k : {1, 7, 256, 900}) {
            for (const std::size_t n : {1, 5, 32, 33, 87}) {
                const Matrix a = random_matrix(rng, m, k), b = random_matrix(rng, k, n);
                Matrix c(std::array<std::size_t, 2>{m, n}, 7.f);
                lanes::own_gemm(m, n, k, a.data(), b.data(), c.data(), 3);
                lanes::require_close(c, plain_product(a, b), {1e-4, 1e-4});
            }
        }
    }
}

TEST(OwnGemm, TakesDoubleAndNothing) {
    const xt::xtensor<double, 2> a = xt::ones<double>({37, 41}) * 0.5,
                                 b = xt::ones<double>({41, 53}) * 3;
    xt::xtensor<double, 2> c(std::array<std::size_t, 2>{37, 53});
    lanes::own_gemm(37, 53, 41, a.data(), b.data(), c.data(), 2);
    lanes::require_close(c, plain_product(a, b), {1e-12, 1e-12});
    c.fill(7);
    lanes::own_gemm(37, 53, 0, a.data(), b.data(), c.data(), 2);
    EXPECT_EQ(c(36, 52), 0);
    lanes::own_gemm(0, 53, 41, a.data(), b.data(), c.data(), 2);
}

TEST(OwnGemm, GivesTheSameForEveryNumberOfThreads) {
    lanes::Rng rng(4);
    const std::size_t size = 203;
    const Matrix a = random_matrix(rng, size, size), b = random_matrix(rng, size, size);
    Matrix one(std::array<std::size_t, 2>{size, size}), many = one;
    lanes::own_gemm(size, size, size, a.data(), b.data(), one.data(), 1);
    for (int threads = 2; threads < 9; ++threads) {
        lanes::own_gemm(size, size, size, a.data(), b.data(), many.data(), threads);
        EXPECT_EQ(one, many) << threads;
    }
}

}  // namespace
