#include "lanes/lesson/filter_times.hpp"

#include "error_of.hpp"
#include "lanes/base/not_filled_in.hpp"
#include "lanes/gpu.hpp"
#include "lesson/copy_kernels.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
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
    lanes::FilterTimes all = times();
    all.add("plain", same).add("fast", same);
    all.add_gpu("correlation_gpu", "no CUDA at all");  // the simulator is not timed
    EXPECT_EQ(all.gain("plain", "plain", 1), 1);
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

TEST(FilterTimes, SaysFromWhichFilterOnTheGpuIsFaster) {
    const lanes::DeviceScope scope(lanes::Device::simulator());
    lanes::FilterTimes all = times();
    all.add("plain", same);
    const std::string text = printed([&] { all.show("06_correlation/versions").show_speed_ups(); });
    for (const char* line :
         {"correlation_plain: the GPU is faster with every filter here.",
          "correlation_fast, one thread: the GPU is faster from 5x5 blur on.",
          "lanes::correlation_fast: faster than the GPU with every filter here."})
        EXPECT_NE(text.find(line), std::string::npos) << text;
    EXPECT_EQ(text.find("correlation_gpu, CUDA kernel: "), std::string::npos) << text;
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
    counts.add("host", same)
        .add("copy", copy)
        .add("empty", [](const Matrix&, const Matrix&) -> Matrix {
            throw lanes::NotFilledIn("Fill in empty: one line.");
        });
    EXPECT_EQ(counts.global_loads("copy"), 1);
    EXPECT_EQ(counts.global_loads("empty"), std::nullopt);
    const std::string text = printed([&] { counts.show(); });
    EXPECT_NE(text.find("copy"), std::string::npos) << text;
    EXPECT_NE(text.find("not filled in"), std::string::npos) << text;
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
        table.add_copies().add_correlation("no CUDA at all", Matrix{{1}});
        table.add_tiled("no CUDA at all", Matrix{{1}}).show("");
        EXPECT_EQ(table.gain("tiled_kernel", "correlation_kernel"), std::nullopt);
    });
    EXPECT_NE(text.find("copy, four numbers per thread"), std::string::npos) << text;
    EXPECT_NE(text.find("no GPU here"), std::string::npos) << text;
}

TEST(BandwidthTable, TakesGainsFromTheRecordedTable) {
    const lanes::DeviceScope scope(lanes::Device::simulator());
    lanes::BandwidthTable table(1 << 20, 1024, 3);
    printed([&] { table.show("06_correlation/large"); });
    const auto gain = table.gain("tiled_kernel", "correlation_kernel");
    ASSERT_TRUE(gain);
    EXPECT_GT(*gain, 0.5);
    EXPECT_LT(*gain, 5);
    EXPECT_EQ(table.gain("tiled_kernel", "another"), std::nullopt);
}

}  // namespace
