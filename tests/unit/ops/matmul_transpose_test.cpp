#include "lanes/ops/matmul_transpose.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/base.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

using lanes::Device, lanes::Matrix;

const std::array<std::size_t, 2> shapes[] = {{0, 0},   {0, 5},   {5, 0},  {1, 1},   {1, 300},
                                             {300, 1}, {33, 17}, {64, 8}, {129, 7}, {130, 40}};

Matrix random_matrix(lanes::Rng& rng, const std::array<std::size_t, 2>& shape) {
    auto m = Matrix::from_shape(shape);
    rng.fill_uniform(m.data(), m.size(), -1, 1);
    return m;
}

void expect_product(const Matrix& x, const Matrix& actual, const std::string& what) {
    const auto same = lanes::all_close(actual, lanes::matmul_transpose_plain(x),
                                       {1e-5 * static_cast<double>(x.shape(1) + 1), 1e-5});
    EXPECT_TRUE(same) << what << ", " << x.shape(0) << "x" << x.shape(1) << ": " << same.message;
    for (std::size_t i = 0; i < actual.shape(0); ++i)
        for (std::size_t j = 0; j < i; ++j)
            ASSERT_EQ(actual(i, j), actual(j, i))
                << what << ", not symmetric at " << i << ", " << j;
}

TEST(MatmulTransposePlain, MultipliesRowsWithRows) {
    lanes::require_close(lanes::matmul_transpose_plain({{1, 2, 3}, {4, 5, 6}}),
                         Matrix{{14, 32}, {32, 77}}, {0, 0});
}

TEST(MatmulTransposePlain, OfNoColumnsIsZero) {
    lanes::require_close(lanes::matmul_transpose_plain(Matrix::from_shape({3, 0})),
                         Matrix(std::array<std::size_t, 2>{3, 3}, 0.0F), {0, 0});
}

TEST(MatmulTransposeFast, AgreesWithPlainForEveryShapeAndNumberOfThreads) {
    lanes::Rng rng(1);
    for (const auto& shape : shapes)
        for (const int threads : {0, 1, 2, 7}) {
            const Matrix x = random_matrix(rng, shape);
            expect_product(x, lanes::matmul_transpose_fast(x, threads),
                           std::to_string(threads) + " threads");
        }
    const Matrix x = random_matrix(rng, {784, 128}), y = random_matrix(rng, {601, 430});
    expect_product(x, lanes::matmul_transpose_fast(x), "784x128");
    expect_product(y, lanes::matmul_transpose_fast(y, 3), "601x430");
}

// A frozen copy that takes over is a forked process: the threads of the library and of BLAS do not
// exist there.
TEST(MatmulTransposeFast, ComputesAfterAFork) {
    lanes::Rng rng(5);
    const Matrix x = random_matrix(rng, {300, 200}), expected = lanes::matmul_transpose_fast(x, 2);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        alarm(250);  // a child that hangs is ended, and the test fails
        const auto same =
            lanes::all_close(lanes::matmul_transpose_fast(x, 2), expected, {2e-3, 1e-5});
        if (!same) std::fprintf(stderr, "%s\n", same.message.c_str());
        _exit(same ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(MatmulTransposeFast, RefusesANegativeNumberOfThreads) {
    EXPECT_THROW(lanes::matmul_transpose_fast(Matrix{{1}}, -1), lanes::Error);
}

TEST(MatmulTransposeGpu, AgreesWithPlainOnEveryRung) {
    lanes::Rng rng(2);
    const Device device = Device::simulator().with(lanes::Checks::one_schedule());
    for (const auto& shape : shapes)
        for (const auto rung : std::vector<std::optional<int>>{std::nullopt, 1, 2, 3, 4}) {
            const Matrix x = random_matrix(rng, shape);
            expect_product(x, lanes::run_matmul_transpose_gpu(x, device, rung).result,
                           "rung " + std::to_string(rung.value_or(0)));
        }
}

TEST(MatmulTransposeGpu, StartsTheAssignmentsOneBlockOf1024Threads) {
    lanes::Rng rng(3);
    const Matrix x = random_matrix(rng, {784, 128});
    const auto [product, report] =
        lanes::run_matmul_transpose_gpu(x, Device::simulator().fast(), 1);
    expect_product(x, product, "784x128");
    EXPECT_EQ(report.launch.cuda_kernel, "matmul_transpose_v1");
    EXPECT_EQ(report.launch.config.grid.count(), 1U);
    EXPECT_EQ(report.launch.config.block.count(), 1024U);
}

TEST(MatmulTransposeGpu, PicksSmallTilesForFewRowsAndLargeOnesForMany) {
    lanes::Rng rng(4);
    const Device device = Device::simulator().fast();
    const auto few = lanes::run_matmul_transpose_gpu(random_matrix(rng, {100, 3}), device);
    EXPECT_EQ(few.report.launch.cuda_kernel, "matmul_transpose_v4_tile<1>");
    const Matrix x = random_matrix(rng, {1500, 3});
    const auto many = lanes::run_matmul_transpose_gpu(x, device);
    expect_product(x, many.result, "1500x3");
    EXPECT_EQ(many.report.launch.cuda_kernel, "matmul_transpose_v4");
}

TEST(MatmulTransposeGpu, SaysWhichRungsThereAre) {
    for (const int rung : {-1, 0, 5}) try {
            lanes::run_matmul_transpose_gpu(Matrix{{1}}, Device::simulator(), rung);
            FAIL();
        } catch (const lanes::Error& error) {
            EXPECT_NE(std::string(error.what()).find("kernels_src/matmul_transpose.cu has 1 to 4."),
                      std::string::npos)
                << error.what();
        }
}

}  // namespace
