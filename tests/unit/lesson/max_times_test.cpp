#include "lanes/lesson/max_times.hpp"

#include "error_of.hpp"
#include "lanes/gpu.hpp"
#include "lanes/ops/max.hpp"
#include "lesson/page_faults.hpp"

#include "lanes/base/not_filled_in.hpp"
#include "lanes/base/timer.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using Integers = lanes::MaxTimes::Integers;

const char* const max_text = R"(
    __global__ void max_kernel(const int* a, const int* b, int* c, int n) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) c[i] = a[i] > b[i] ? a[i] : b[i];
    })";
const char* const stub = "#error \"Fill in max_four: nine lines.\"\n";

double seconds(int calls, const std::function<void()>& f, const std::function<double()>&) {
    return lanes::seconds_per_call(calls, f);
}
Integers plain(const Integers& a, const Integers& b) { return lanes::max_plain(a, b); }
Integers fast(const Integers& a, const Integers& b) { return lanes::max_fast(a, b); }

template <class F>
std::string printed(F&& show) {
    testing::internal::CaptureStdout();
    show();
    return testing::internal::GetCapturedStdout();
}

class MaxTimes : public testing::Test {
protected:
    void SetUp() override {
        printed([&] { times.plain(plain), times.fast(fast); });
    }
    const lanes::DeviceScope scope{lanes::Device::simulator()};
    lanes::MaxTimes times{Integers{{1, 5}, {7, 2}}, Integers{{4, 3}, {6, 8}}, 2, seconds};
};

TEST_F(MaxTimes, AWrongVersionIsNotTimed) {
    const auto wrong = [](const Integers& a, const Integers&) { return a; };
    EXPECT_NE(lanes_test::error_of([&] { times.fast(wrong); }), "");
}

TEST_F(MaxTimes, AMissingAnswerIsReplaced) {
    const auto empty = [](const Integers&, const Integers&) -> Integers {
        throw lanes::NotFilledIn("Fill in max_plain: three lines.");
    };
    EXPECT_NE(printed([&] { times.plain(empty); }).find("max_plain is not filled in"),
              std::string::npos);
}

TEST_F(MaxTimes, PlainLoopsSayWhetherACacheHoldsTheMatrices) {
    const std::string text = printed([&] { times.plain(plain); });
    const std::size_t at = text.find("On this machine: the ");
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_NE(text.find("last-level cache", at), std::string::npos) << text;
    EXPECT_EQ(text.find("do not fit"), std::string::npos) << "48 bytes: " << text;
}

TEST_F(MaxTimes, ThreadsHaveATableAPlotAndAGain) {
    EXPECT_NE(lanes_test::error_of([&] { times.gain_of_threads(); }).find("show_threads"),
              std::string::npos);
    const std::string text = printed([&] { times.show_threads(""); });
    EXPECT_NE(text.find("speed-up over plain"), std::string::npos) << text;
    EXPECT_NE(text.find("bars max_fast: 1, 2, 4, 8"), std::string::npos) << text;
    EXPECT_NE(text.find("On this machine: fastest with "), std::string::npos) << text;
    EXPECT_GT(times.gain_of_threads(), 0);
}

TEST_F(MaxTimes, PageFaultsEndWithWhatTheySay) {
    const std::string text = printed([&] { times.show_page_faults(); });
    EXPECT_NE(text.find("On this machine: the allocator gave the new matrix "), std::string::npos)
        << text;
}

TEST_F(MaxTimes, NothingIsTimedOnTheSimulator) {
    printed([&] { times.show_threads(""); });
    const auto never = [](const Integers&, const Integers&) -> Integers {
        throw std::runtime_error("called");
    };
    const auto staying = [](const Integers&, const Integers&, int) -> Integers {
        throw std::runtime_error("called");
    };
    const std::string text = printed([&] {
        times.show_versions(max_text, never, "");
        times.show_parts(max_text, "");
        times.show_kernels({{"max_kernel", max_text}}, "");
        times.show_pinned(never, never, "");
        times.show_staying(staying, "");
    });
    for (const char* words : {"your max_kernel, end to end", "copy c back, pinned", "8000 x 8000",
                              "10000", "no GPU here"})
        EXPECT_NE(text.find(words), std::string::npos) << words << '\n' << text;
    EXPECT_FALSE(times.launches_for(1));
}

TEST(MaxTimesArguments, AreChecked) {
    EXPECT_NE(lanes_test::error_of([] {
                  lanes::MaxTimes({{1, 2}}, {{1}, {2}}, 2, seconds);
              }).find("one shape"),
              std::string::npos);
}

TEST(CountLoads, CountsAndNamesWhatIsMissing) {
    const std::string text =
        printed([] { lanes::count_loads({{"max_kernel", max_text}, {"max_four", stub}}); });
    EXPECT_NE(text.find("8192"), std::string::npos) << text;
    EXPECT_NE(text.find("256"), std::string::npos) << text;
    EXPECT_NE(text.find("not filled in"), std::string::npos) << text;
}

TEST(PageFaults, NewPagesCauseThem) {
    const std::size_t bytes = 256 * 4096;
    const lanes::lesson::NewPages pages(bytes);
    const double before = lanes::lesson::page_faults();
    for (std::size_t i = 0; i < bytes; i += 4096) static_cast<volatile char*>(pages.start())[i] = 1;
    EXPECT_GT(lanes::lesson::page_faults(), before);
}

TEST(DrawBlocks, SaysWhatItShows) {
    EXPECT_NE(printed([] { lanes::draw_blocks(3, 8); }).find("c[8 b + t]"), std::string::npos);
    EXPECT_NE(lanes_test::error_of([] { lanes::draw_blocks(9, 8); }).find("at most 4"),
              std::string::npos);
}

}  // namespace
