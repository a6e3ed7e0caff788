#include "lanes/array/blas.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/base.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace {

using lanes::Matrix;

Matrix random_matrix(lanes::Rng& rng, std::size_t rows, std::size_t columns) {
    Matrix m(std::array<std::size_t, 2>{rows, columns});
    rng.fill_uniform(m.data(), m.size(), -1, 1);
    return m;
}

template <class T>
xt::xtensor<T, 2> matmul_plain(const xt::xtensor<T, 2>& a, const xt::xtensor<T, 2>& b) {
    xt::xtensor<T, 2> c(std::array<std::size_t, 2>{a.shape(0), b.shape(1)}, T{0});
    for (std::size_t i = 0; i < a.shape(0); ++i) {
        for (std::size_t k = 0; k < a.shape(1); ++k) {
            for (std::size_t j = 0; j < b.shape(1); ++j) c(i, j) += a(i, k) * b(k, j);
        }
    }
    return c;
}

TEST(Matmul, AgreesWithPlainLoopsForEveryShape) {
    lanes::Rng rng(1);
    const std::size_t sizes[] = {1, 2, 3, 17, 64};
    for (const auto m : sizes) {
        for (const auto k : sizes) {
            for (const auto n : sizes) {
                const Matrix a = random_matrix(rng, m, k), b = random_matrix(rng, k, n);
                lanes::require_close(lanes::matmul(a, b), matmul_plain(a, b), {1e-5, 1e-4});
            }
        }
    }
}

// Small products do not use BLAS; these are large enough.
TEST(Matmul, AgreesWithPlainLoopsWhereBlasComputes) {
    lanes::Rng rng(2);
    const Matrix a = random_matrix(rng, 203, 150), b = random_matrix(rng, 150, 141);
    lanes::require_close(lanes::matmul(a, b), matmul_plain(a, b), {1e-5, 1e-4});
    const xt::xtensor<double, 2> wide_a = xt::cast<double>(a), wide_b = xt::cast<double>(b);
    lanes::require_close(lanes::matmul(wide_a, wide_b), matmul_plain(wide_a, wide_b),
                         {1e-12, 1e-12});
}

TEST(Matmul, TakesDouble) {
    const xt::xtensor<double, 2> a{{1, 2}, {3, 4}, {5, 6}}, b{{1, 0, 2}, {0, 1, 3}};
    lanes::require_close(lanes::matmul(a, b), matmul_plain(a, b), {0, 0});
}

TEST(Matmul, OfNothingIsZero) {
    {
        const Matrix leaves_sevens_behind(std::array<std::size_t, 2>{64, 64}, 7.0f);
    }
    const Matrix product = lanes::matmul(Matrix::from_shape({64, 0}), Matrix::from_shape({0, 64}));
    lanes::require_close(product, Matrix(std::array<std::size_t, 2>{64, 64}, 0.0f), {0, 0});
    EXPECT_EQ(lanes::matmul(Matrix::from_shape({0, 2}), Matrix::from_shape({2, 3})).shape(1), 3u);
}

TEST(Matmul, NamesBothShapesWhereTheyDoNotFit) {
    try {
        lanes::matmul(Matrix::from_shape({2, 3}), Matrix::from_shape({4, 5}));
        FAIL();
    } catch (const lanes::Error& error) {
        EXPECT_NE(std::string(error.what()).find("matmul: (2, 3) times (4, 5)."), std::string::npos)
            << error.what();
    }
}

TEST(Syrk, IsTheProductWithTheTransposeAndSymmetric) {
    lanes::Rng rng(3);
    for (const std::size_t rows : {1, 2, 17, 64, 300, 515})
        for (const std::size_t columns : {1, 3, 40})
            for (const int threads : {1, 2, 5}) {
                const Matrix x = random_matrix(rng, rows, columns),
                             product = lanes::syrk(x, threads);
                const Matrix transposed = xt::transpose(x);
                lanes::require_close(product, matmul_plain(x, transposed), {1e-5, 1e-4});
                EXPECT_TRUE(product == Matrix(xt::transpose(product)));
            }
}

TEST(Syrk, OfNothingIsZero) {
    {
        const Matrix leaves_sevens_behind(std::array<std::size_t, 2>{64, 64}, 7.0f);
    }
    lanes::require_close(lanes::syrk(Matrix::from_shape({64, 0})),
                         Matrix(std::array<std::size_t, 2>{64, 64}, 0.0f), {0, 0});
    EXPECT_EQ(lanes::syrk(Matrix::from_shape({0, 3})).size(), 0u);
}

TEST(Syrk, LeavesTheThreadsOfBlasAsTheyWere) {
    const int before = lanes::blas_threads();
    lanes::set_blas_threads(2);
    lanes::syrk(Matrix(std::array<std::size_t, 2>{100, 100}, 1.0f));
    EXPECT_EQ(lanes::blas_threads(), 2);
    lanes::set_blas_threads(before);
}

TEST(BlasThreads, CanBeSet) {
    const int before = lanes::blas_threads();
    lanes::set_blas_threads(2);
    EXPECT_EQ(lanes::blas_threads(), 2);
    lanes::set_blas_threads(1);
    EXPECT_EQ(lanes::blas_threads(), 1);
    EXPECT_THROW(lanes::set_blas_threads(0), lanes::Error);
    lanes::set_blas_threads(before);
}

std::size_t threads_of_this_process() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

// A frozen copy that takes over is a forked process: BLAS must work there, on the requested number
// of threads.
TEST(BlasThreads, StartAgainAfterAFork) {
    lanes::Rng rng(2);
    const Matrix a = random_matrix(rng, 300, 300), b = random_matrix(rng, 300, 300);
    const int before = lanes::blas_threads();
    lanes::set_blas_threads(2);
    const Matrix expected = lanes::matmul(a, b);

    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        lanes::set_blas_threads(2);
        const bool right = static_cast<bool>(lanes::all_close(lanes::matmul(a, b), expected));
        _exit(!right ? 1 : threads_of_this_process() < 2 ? 2 : 0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << "1: wrong product, 2: a single thread";
    lanes::set_blas_threads(before);
}

}  // namespace
