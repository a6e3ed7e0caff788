#include "lanes/ops/max.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/base.hpp"

#include <gtest/gtest.h>

#include <vector>

#include <filesystem>
#include <fstream>
#include <optional>

#include <cmath>
#include <limits>

namespace {

using lanes::Device, lanes::Matrix;
using IntMatrix = xt::xtensor<int, 2>;

const std::array<std::size_t, 2> shapes[] = {{0, 0},    {0, 5}, {5, 0},   {1, 1},   {1, 1000},
                                             {1000, 1}, {3, 5}, {17, 31}, {64, 64}, {333, 517}};

template <class M>
M random_matrix(lanes::Rng& rng, const std::array<std::size_t, 2>& shape) {
    auto m = M::from_shape(shape);
    for (auto& value : m) value = static_cast<typename M::value_type>(rng.integer(-255, 255));
    return m;
}

// Exact: one of two numbers is chosen, nothing is rounded.
template <class M>
void expect_equal(const M& actual, const M& expected) {
    lanes::require_close(actual, expected, {0, 0, true});
}

template <class M>
void fast_agrees_with_plain() {
    lanes::Rng rng(1);
    for (const auto& shape : shapes)
        for (const int threads : {0, 1, 2, 7}) {
            const M a = random_matrix<M>(rng, shape), b = random_matrix<M>(rng, shape);
            expect_equal(lanes::max_fast(a, b, threads), lanes::max_plain(a, b));
        }
}

TEST(MaxPlain, TakesTheLargerOfEachPair) {
    expect_equal<IntMatrix>(
        lanes::max_plain(IntMatrix{{1, -2, 3}, {0, 255, -7}}, IntMatrix{{2, -3, 3}, {-1, 0, -6}}),
        {{2, -2, 3}, {0, 255, -6}});
    expect_equal<Matrix>(lanes::max_plain(Matrix{{0.5F, -1}}, Matrix{{0.25F, 2}}), {{0.5F, 2}});
    expect_equal<IntMatrix>(lanes::max_plain(IntMatrix{{std::numeric_limits<int>::min()}},
                                             IntMatrix{{std::numeric_limits<int>::max()}}),
                            {{std::numeric_limits<int>::max()}});
}

TEST(MaxFast, AgreesWithPlainForEveryShapeAndNumberOfThreads) {
    fast_agrees_with_plain<IntMatrix>();
    fast_agrees_with_plain<Matrix>();
}

TEST(MaxFast, AgreesWithPlainWhereTheResultLeavesTheCaches) {
    lanes::Rng rng(2);
    const auto a = random_matrix<IntMatrix>(rng, {4099, 3001}),
               b = random_matrix<IntMatrix>(rng, {4099, 3001});
    const IntMatrix expected = lanes::max_plain(a, b);
    EXPECT_TRUE(lanes::max_fast(a, b) == expected);
    EXPECT_TRUE(lanes::max_fast(a, b, 3) == expected);
    IntMatrix result = a;
    lanes::max_fast(result, b, result);
    EXPECT_TRUE(result == expected) << "the result may be an argument";
}

TEST(MaxFast, WritesIntoAnArrayOfAnyShape) {
    const IntMatrix a{{1, 5}, {7, 2}}, b{{4, 3}, {6, 9}};
    IntMatrix result;
    lanes::max_fast(a, b, result);
    expect_equal<IntMatrix>(result, {{4, 5}, {7, 9}});
    const int* where = result.data();
    lanes::max_fast(b, a, result, 2);
    EXPECT_EQ(result.data(), where) << "memory of the right size is kept";
    result = a;
    lanes::max_fast(result, b, result);
    expect_equal<IntMatrix>(result, {{4, 5}, {7, 9}});
}

TEST(MaxFast, TreatsNanAndZerosAsPlainDoes) {
    const float nan = std::nanf("");
    Matrix a(std::array<std::size_t, 2>{3, 40}, 1.0F), b(std::array<std::size_t, 2>{3, 40}, 2.0F);
    a(0, 3) = b(1, 17) = a(2, 39) = b(2, 39) = nan;
    a(0, 0) = 0.0F, b(0, 0) = -0.0F;
    const Matrix plain = lanes::max_plain(a, b), fast = lanes::max_fast(a, b);
    expect_equal(fast, plain);
    EXPECT_EQ(plain(0, 3), 2.0F);
    EXPECT_TRUE(std::isnan(plain(1, 17)));
    EXPECT_EQ(std::signbit(fast(0, 0)), std::signbit(plain(0, 0)));
}

TEST(Max, NamesBothShapesWhereTheyDiffer) {
    const auto a = IntMatrix::from_shape({2, 3}), b = IntMatrix::from_shape({3, 2});
    const auto expect_refused = [](const std::string& operation, const auto& call) {
        try {
            call();
            FAIL() << operation << " accepted two shapes";
        } catch (const lanes::Error& error) {
            EXPECT_NE(std::string(error.what()).find(operation + ": (2, 3) and (3, 2)."),
                      std::string::npos)
                << error.what();
        }
    };
    expect_refused("max_plain", [&] { lanes::max_plain(a, b); });
    expect_refused("max_fast", [&] { lanes::max_fast(a, b); });
    expect_refused("max_gpu", [&] { lanes::max_gpu(a, b, Device::simulator()); });
    EXPECT_THROW(lanes::max_fast(a, a, -1), lanes::Error);
}

TEST(MaxGpu, AgreesWithPlainOnEveryRung) {
    lanes::Rng rng(3);
    const Device device = Device::simulator();
    for (const auto& shape : shapes)
        for (const auto rung : std::vector<std::optional<int>>{std::nullopt, 1, 2}) {
            if (shape[0] * shape[1] > 4096 && rung == 2) continue;  // the fastest, once is enough
            const auto a = random_matrix<IntMatrix>(rng, shape),
                       b = random_matrix<IntMatrix>(rng, shape);
            expect_equal(lanes::run_max_gpu(a, b, device, rung).result, lanes::max_plain(a, b));
        }
}

TEST(MaxGpu, StartsTheAssignments1000BlocksOf1000Threads) {
    lanes::Rng rng(4);
    const auto a = random_matrix<IntMatrix>(rng, {1000, 1000}),
               b = random_matrix<IntMatrix>(rng, {1000, 1000});
    const auto [result, report] = lanes::run_max_gpu(a, b, Device::simulator().fast(), 1);
    expect_equal(result, lanes::max_plain(a, b));
    EXPECT_EQ(report.launch.cuda_kernel, "max_v1");
    EXPECT_EQ(report.launch.config.grid.x, 1000U);
    EXPECT_EQ(report.launch.config.block.x, 1000U);
    EXPECT_GT(report.kernel_seconds(), 0);
    EXPECT_GE(report.end_to_end_seconds,
              report.kernel_seconds() + report.upload_seconds + report.download_seconds);
}

TEST(MaxGpu, HasRowsOfAnyLength) {
    const IntMatrix a(std::array<std::size_t, 2>{2, 1025}, 3),
        b(std::array<std::size_t, 2>{2, 1025}, 4);
    expect_equal(lanes::run_max_gpu(a, b, Device::simulator(), 1).result, b);
}

TEST(MaxGpu, UsesTheLibrarysMaxWhateverLiesInTheWorkingFolder) {
    const std::string folder = testing::TempDir() + "lanes-max-test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/max.cu") << "no CUDA at all";
    lanes::Checks unlike_any_other;
    unlike_any_other.seed = 4711;  // so that the program is not compiled yet
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder);
    IntMatrix larger;
    EXPECT_NO_THROW(larger = lanes::max_gpu(IntMatrix{{1, 4}}, IntMatrix{{3, 2}},
                                            Device::simulator().with(unlike_any_other)));
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
    expect_equal(larger, IntMatrix{{3, 4}});
}

TEST(MaxGpu, SaysWhichRungsThereAre) {
    const IntMatrix a{{1}};
    try {
        lanes::run_max_gpu(a, a, Device::simulator(), 3);
        FAIL();
    } catch (const lanes::Error& error) {
        EXPECT_NE(std::string(error.what()).find("max_gpu: rung 3, kernels_src/max.cu has 1 to 2."),
                  std::string::npos)
            << error.what();
    }
}

TEST(MaxGpu, ReportsNoLaunchForAnEmptyMatrix) {
    const auto nothing = IntMatrix::from_shape({0, 4});
    const auto report = lanes::run_max_gpu(nothing, nothing, Device::simulator()).report;
    EXPECT_TRUE(report.launch.cuda_kernel.empty());
    EXPECT_EQ(report.end_to_end_seconds, 0);
}

}  // namespace
