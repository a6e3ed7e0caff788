#include "lanes/lesson/product_times.hpp"

#include "error_of.hpp"
#include "lanes/gpu.hpp"
#include "lanes/ops/matmul_transpose.hpp"
#include "lesson/product_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace {

using lanes::Matrix;

const char* const matmul_text = R"(
    __global__ void matmul_kernel(const float* x, float* c, int rows, int columns) {
        for (int e = threadIdx.x; e < rows * rows; e += blockDim.x) {
            float sum = 0;
            for (int k = 0; k < columns; ++k)
                sum += x[e / rows * columns + k] * x[e % rows * columns + k];
            c[e] = sum;
        }
    })";
const char* const wrong_text = R"(
    __global__ void tiled_kernel(const float* x, float* c, int rows, int columns) {
        const int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
        c[row * rows + column] = x[row * columns];
    })";
const std::string stub = "#error \"Fill in upper_kernel: it.\"\n";

template <class F>
std::string printed(F&& show) {
    testing::internal::CaptureStdout();
    show();
    return testing::internal::GetCapturedStdout();
}

class ProductTimes : public testing::Test {
protected:
    void SetUp() override {
        printed([&] {
            times.plain([](const Matrix& x) { return lanes::matmul_transpose_plain(x); });
            times.fast([](const Matrix& x) { return lanes::matmul_transpose_fast(x); });
        });
        times.kernels({matmul_text, stub, stub});
    }
    const lanes::DeviceScope scope{lanes::Device::simulator()};
    lanes::ProductTimes times{Matrix{{1, 2, 3}, {4, 5, 6}}, 2};
};

TEST_F(ProductTimes, AWrongVersionIsNotTimed) {
    EXPECT_NE(lanes_test::error_of([&] { times.fast([](const Matrix& x) { return x; }); }), "");
}

TEST_F(ProductTimes, CountsTheTrafficAndComparesResults) {
    const std::string text = printed([&] { times.show_traffic(); });
    EXPECT_NE(text.find("0.06049"), std::string::npos) << text;
    EXPECT_NE(text.find("not filled in"), std::string::npos) << text;
    EXPECT_NE(text.find("library, v4"), std::string::npos) << text;
    times.kernels({matmul_text, wrong_text, stub});
    EXPECT_NE(lanes_test::error_of([&] { times.show_traffic(); }), "");
}

TEST_F(ProductTimes, NothingIsTimedOnTheSimulator) {
    const auto never = [](const Matrix&) -> Matrix { throw std::runtime_error("called"); };
    const std::string text = printed([&] {
        times.show_measured("");
        times.show_own("");
        times.show_large("");
        times.show_versions(never, "");
    });
    for (const char* words : {"v1, your matmul_kernel, 2 x 3", "upper_kernel, 4096 x 4096",
                              "end to end", "no GPU here", "mark: library fast"})
        EXPECT_NE(text.find(words), std::string::npos) << words << '\n' << text;
}

TEST(ProductTimesWithoutPlain, SaysWhatToCallFirst) {
    lanes::ProductTimes times(Matrix{{1, 2}}, 1);
    times.kernels({matmul_text, stub, stub});
    EXPECT_NE(lanes_test::error_of([&] { times.show_measured(""); }).find("Call plain first"),
              std::string::npos);
}

TEST_F(ProductTimes, ACpuIsNotSaidToLackAGpu) {
    const std::string text = printed([&] { times.show_large(""); });
    const std::size_t row = text.find("CPU, lanes::matmul_transpose_fast");
    ASSERT_NE(row, std::string::npos) << text;
    EXPECT_NE(text.substr(row, text.find('\n', row) - row).find("not measured"), std::string::npos)
        << text;
}

TEST_F(ProductTimes, TheRooflineHasTheVersionsThatAreKnown) {
    const auto intensity = [](int, int, int tile) { return tile / 4.0; };
    const auto attainable = [](double i, double peak, double bandwidth) {
        return std::min(peak, i * bandwidth);
    };
    std::string text = printed([&] { times.show_roofline(intensity, attainable); });
    EXPECT_EQ(text.find("mark: v1"), std::string::npos) << text;
    EXPECT_NE(text.find("mark: v4"), std::string::npos) << text;
    EXPECT_NE(text.find("black dots: estimates"), std::string::npos) << text;
    printed([&] { times.show_traffic(), times.show_measured("03_matmul_transpose/measured"); });
    text = printed([&] { times.show_roofline(intensity, attainable); });
    EXPECT_NE(text.find("mark: v1"), std::string::npos) << text;
    EXPECT_NE(text.find("black dots: recorded rates"), std::string::npos) << text;
}

TEST_F(ProductTimes, LimitsAreThoseOfAnH200) {
    const std::string text = printed([&] { times.show_limits(); });
    EXPECT_NE(text.find("at the peak rate of one"), std::string::npos) << text;
}

TEST(OwnKernel, ComputesSoManyTiles) {
    const auto own = lanes::lesson::own_kernels({"a", "b", "c"});
    EXPECT_EQ(own[0].tiles(100), 1);
    EXPECT_EQ(own[0].edge(100), 100);
    EXPECT_EQ(own[1].tiles(100), 16);
    EXPECT_EQ(own[2].tiles(100), 10);
    EXPECT_EQ(own[1].shape(100).grid.y, 4u);
    EXPECT_EQ(own[1].shape(100).block.x, 32u);
    EXPECT_EQ(own[0].shape(100).block.x, 1024u);
}

TEST(Drawings, SayWhatTheyShow) {
    EXPECT_NE(printed([] { lanes::draw_strides(16, 4); }).find("every 4th"), std::string::npos);
    EXPECT_NE(printed([] { lanes::draw_multiprocessors(132, 1); }).find("132 multiprocessors, 1"),
              std::string::npos);
    EXPECT_NE(lanes_test::error_of([] { lanes::draw_strides(20, 4); }), "");
    EXPECT_NE(lanes_test::error_of([] { lanes::draw_multiprocessors(4, 5); }), "");
}

}  // namespace
