#include "lanes/lesson/filter_times.hpp"

#include "error_of.hpp"
#include "lanes/gpu.hpp"
#include "lesson/copy_kernels.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace {

using lanes::Matrix;

const auto same = [](const Matrix&, const Matrix& image) { return image; };

lanes::FilterTimes times() {
    return {Matrix{{1, 2}, {3, 4}}, {"1x1", "3x3"}, {Matrix{{1}}, Matrix({3, 3}, 1.0F)}, 2};
}

template <class F>
std::string printed(F&& show) {
    testing::internal::CaptureStdout();
    show();
    return testing::internal::GetCapturedStdout();
}

TEST(FilterTimes, HasARowPerVersion) {
    const lanes::DeviceScope scope(lanes::Device::simulator());
    int calls = 0;
    lanes::FilterTimes all = times();
    all.add("plain", same).add("fast", same);
    all.add_gpu("correlation_gpu", [&](const Matrix&, const Matrix&) { return ++calls, 1.0; });
    EXPECT_EQ(calls, 0);  // the simulator is not timed
    EXPECT_EQ(all.milliseconds("correlation_gpu, end to end", 1), 0);
    EXPECT_GT(all.milliseconds("plain", 1), 0);
    EXPECT_NE(lanes_test::error_of([&] { all.milliseconds("slow", 0); }).find("slow"),
              std::string::npos);
    const std::string text = printed([&] { all.show("").show_speed_ups(); });
    EXPECT_NE(text.find("correlation_gpu, CUDA kernel"), std::string::npos) << text;
    EXPECT_NE(text.find("no GPU here"), std::string::npos) << text;
    const std::string plot = printed([&] { all.plot(); });
    EXPECT_NE(plot.find("line fast: 2 points"), std::string::npos) << plot;
    EXPECT_EQ(plot.find("line correlation_gpu"), std::string::npos) << plot;
    const std::string gains = printed([&] { all.show_gains("plain"); });
    EXPECT_NE(gains.find("speed-up over plain"), std::string::npos) << gains;
    EXPECT_NE(printed([&] { all.show_per_product("plain"); }).find("time per product"),
              std::string::npos);
}

TEST(LoadCounts, CountsPerPixelAndComparesResults) {
    lanes::LoadCounts counts(Matrix{{1}}, Matrix{{1, 2, 3, 4}});
    const auto copy = [](const Matrix&, const Matrix& image) {
        const lanes::Device device = lanes::Device::best();
        const lanes::Program program(device, lanes::lesson::copy_kernels);
        const lanes::Buffer<float> from(device, image), to(device, image.size());
        lanes::launch(program.kernel("copy_one"), {1, 4}, from, to, 4);
        return to.download<Matrix>(image.shape());
    };
    counts.add("host", same).add("copy", copy);
    const std::string text = printed([&] { counts.show(); });
    EXPECT_NE(text.find("copy"), std::string::npos) << text;
    EXPECT_NE(lanes_test::error_of([&] {
                  counts.add("wrong", [](const Matrix&, const Matrix& image) -> Matrix {
                      return image * 2;
                  });
              }),
              "");
}

TEST(CopyKernels, CopyEverything) {
    const lanes::Device simulator = lanes::Device::simulator();
    const lanes::Program program(simulator, lanes::lesson::copy_kernels);
    std::vector<float> numbers(40);
    std::iota(numbers.begin(), numbers.end(), 1.0F);
    const lanes::Buffer<float> from(simulator, numbers);
    for (const auto& [name, threads] : {std::pair("copy_one", 40), std::pair("copy_four", 10)}) {
        const lanes::Buffer<float> to(simulator, numbers.size());
        lanes::launch(program.kernel(name), {(threads + 15) / 16, 16}, from, to, 40);
        EXPECT_EQ(to.download(), numbers) << name;
    }
}

TEST(BandwidthTable, SaysThatThereIsNoGpu) {
    const lanes::DeviceScope scope(lanes::Device::simulator());
    const std::string text = printed([] {
        lanes::BandwidthTable table(1 << 20, 1024, 3);  // nothing is allocated
        table.add_copies().show("");
    });
    EXPECT_NE(text.find("copy, four numbers per thread"), std::string::npos) << text;
    EXPECT_NE(text.find("no GPU here"), std::string::npos) << text;
}

}  // namespace
