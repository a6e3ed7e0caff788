#include "array/gemm.hpp"
#include "array/small_gemm.hpp"

#include "lanes/array/blas.hpp"
#include "lanes/base/rng.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace lanes {
namespace {

// One product with its operands; c holds numbers to which others may be added.
template <class T>
struct Case {
    bool transpose_a, transpose_b, accumulate;
    std::size_t m, n, k;
    std::vector<T> a, b, c;

    Case(bool ta, bool tb, bool add, std::size_t rows, std::size_t columns, std::size_t depth)
        : transpose_a(ta), transpose_b(tb), accumulate(add), m(rows), n(columns), k(depth) {
        Rng rng(m * n + k);
        const auto random = [&](std::size_t count) {
            std::vector<float> values(count);
            rng.fill_uniform(values.data(), count, -1, 1);
            return std::vector<T>(values.begin(), values.end());
        };
        a = random(m * k);
        b = random(k * n);
        c = random(m * n);
    }

    std::vector<T> with_three_loops() const {
        std::vector<T> result = c;
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                double sum = accumulate ? c[i * n + j] : 0;
                for (std::size_t p = 0; p < k; ++p)
                    sum += static_cast<double>(transpose_a ? a[p * m + i] : a[i * k + p]) *
                           static_cast<double>(transpose_b ? b[j * k + p] : b[p * n + j]);
                result[i * n + j] = static_cast<T>(sum);
            }
        return result;
    }

    std::vector<T> with_gemm() const {
        std::vector<T> result = c;
        gemm(transpose_a, transpose_b, m, n, k, a.data(), b.data(), result.data(), accumulate);
        return result;
    }

    std::vector<T> with_small_gemm() const {
        std::vector<T> result = c;
        small_gemm(gemm_order(transpose_b, m, k), transpose_a, transpose_b, m, n, k, a.data(),
                   transpose_a ? m : k, b.data(), transpose_b ? k : n, result.data(), n,
                   accumulate);
        return result;
    }
};

template <class T>
void expect_near(const std::vector<T>& got, const std::vector<T>& expected, double tolerance) {
    for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_NEAR(got[i], expected[i], tolerance) << "at " << i;
}

template <class Check>
void for_each_form(const Check& check) {
    for (const bool transpose_a : {false, true})
        for (const bool transpose_b : {false, true})
            for (const bool accumulate : {false, true}) {
                SCOPED_TRACE(testing::Message() << "transposed: " << transpose_a << transpose_b
                                                << ", accumulate: " << accumulate);
                check(transpose_a, transpose_b, accumulate);
            }
}

TEST(SmallGemm, AgreesWithThreeLoopsForEverySize) {
    for_each_form([](bool ta, bool tb, bool add) {
        if (ta && tb) return;
        for (const std::size_t m : {0, 1, 3, 10, 17, 59})
            for (const std::size_t n : {0, 1, 5, 16, 70, 131})
                for (const std::size_t k : {0, 1, 10, 16, 37, 128, 300}) {
                    SCOPED_TRACE(testing::Message() << m << " x " << k << " x " << n);
                    const Case<float> of_float(ta, tb, add, m, n, k);
                    expect_near(of_float.with_small_gemm(), of_float.with_three_loops(), 1e-4);
                    const Case<double> of_double(ta, tb, add, m, n, k);
                    expect_near(of_double.with_small_gemm(), of_double.with_three_loops(), 1e-12);
                }
    });
}

TEST(Gemm, AgreesWithThreeLoopsForSmallAndLargeProducts) {
    for_each_form([](bool ta, bool tb, bool add) {
        for (const std::size_t size : {1, 33, 150, 260}) {
            const Case<float> of_float(ta, tb, add, size + 3, size, size + 1);
            expect_near(of_float.with_gemm(), of_float.with_three_loops(), 1e-3);
            const Case<double> of_double(ta, tb, add, size, size + 7, size + 1);
            expect_near(of_double.with_gemm(), of_double.with_three_loops(), 1e-11);
        }
    });
}

TEST(Gemm, OfNothingIsZero) {
    std::vector<float> c(6, 7);
    gemm(false, false, 2, 3, 0, c.data(), c.data(), c.data(), true);
    EXPECT_EQ(c, std::vector<float>(6, 7));
    gemm(false, false, 2, 3, 0, c.data(), c.data(), c.data(), false);
    EXPECT_EQ(c, std::vector<float>(6, 0));
    gemm(false, false, 0, 3, 2, c.data(), c.data(), c.data(), false);
}

// Small products only: BLAS may add in another order if a product is cut in another way.
TEST(Gemm, GivesTheSameForEveryNumberOfThreads) {
    const int before = blas_threads();
    for (const bool transpose_b : {false, true}) {
        const Case<float> product(false, transpose_b, false, 130, 203, 155);
        set_blas_threads(1);
        const std::vector<float> one = product.with_gemm();
        for (int threads = 2; threads < 9; ++threads) {
            set_blas_threads(threads);
            EXPECT_EQ(product.with_gemm(), one) << threads;
        }
    }
    set_blas_threads(before);
}

TEST(Gemm, HandsEveryElementOnceToTheFunctionThatFollows) {
    for (const std::size_t size : {5, 150, 300}) {
        const std::vector<float> ones(size * size, 1);
        std::vector<float> c(size * size);
        gemm(false, true, size, size, size, ones.data(), ones.data(), c.data(), false,
             [&](std::size_t top, std::size_t bottom, std::size_t left, std::size_t right) {
                 for (std::size_t i = top; i < bottom; ++i)
                     for (std::size_t j = left; j < right; ++j) c[i * size + j] += 0.5f;
             });
        EXPECT_EQ(c, std::vector<float>(size * size, static_cast<float>(size) + 0.5f));
    }
}

}  // namespace
}  // namespace lanes
