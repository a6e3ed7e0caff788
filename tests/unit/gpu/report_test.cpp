#include "lanes/gpu/report.hpp"

#include "lanes/base/error.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>

namespace lanes {
namespace {

TEST(Dim3, FromAnyIntegerAndFromSeveral) {
    const int n = 1000;
    const std::size_t many = 5;
    const LaunchConfig config{(n + 255) / 256, {16, many}, 64};
    EXPECT_EQ(config.grid.x, 4U);
    EXPECT_EQ(config.grid.y, 1U);
    EXPECT_EQ(config.block.count(), 80U);
    EXPECT_EQ(config.shared_bytes, 64U);
    EXPECT_EQ(Dim3(2, 3, 4).count(), 24U);
    EXPECT_EQ(Dim3().count(), 1U);
}

TEST(Dim3, RefusesWhatIsNoSize) {
    const int negative = -1;
    const std::int64_t large = std::int64_t(1) << 33;
    EXPECT_THROW((Dim3{negative}), Error);
    EXPECT_THROW((Dim3{1, large}), Error);
    EXPECT_NO_THROW((Dim3{0xffffffffU}));
}

TEST(LaunchReport, TextOfAGpu) {
    LaunchReport report;
    report.cuda_kernel = "max_v1";
    report.device = "NVIDIA H200";
    report.config = {{4, 2}, {16, 16, 4}, 1024};
    report.kernel_seconds = 12.34e-6;
    report.registers_per_thread = 20;
    report.static_shared_bytes = 4096;
    EXPECT_EQ(report.text(),
              "max_v1 <<<(4, 2), (16, 16, 4), 1024>>> on NVIDIA H200: 12.3 us, 20 registers per "
              "thread, 4096 bytes of static shared memory");
    report.kernel_seconds = 0.0123;
    EXPECT_NE(report.text().find(": 12.300 ms"), std::string::npos);
    std::ostringstream out;
    out << report;
    EXPECT_EQ(out.str(), report.text() + "\n")
        << "what is printed next stands on a line of its own";
}

TEST(LaunchReport, TextOfTheSimulatorHasNoTimeAndOnlyCountersThatCounted) {
    LaunchReport report;
    report.cuda_kernel = "f";
    report.device = "simulator";
    report.config = {1, 32};
    report.simulated = report.counted = true;
    report.kernel_seconds = 3;
    report.counters.global_load_requests = 1234567;
    report.load_sectors_per_request = 4;
    report.counters.barriers = 2;
    EXPECT_EQ(report.text(),
              "f <<<1, 32>>> on simulator\n  global load requests    1,234,567, 4.00 sectors "
              "each\n  barriers                2");
    report.config = {1000, 32};
    report.blocks_counted = 48;
    EXPECT_NE(
        report.text().find("\n  counted in 48 of 1,000 blocks; the others are taken to be alike"),
        std::string::npos)
        << report.text();
    report.blocks_counted = 1000;
    EXPECT_EQ(report.text().find("counted in"), std::string::npos);
}

}  // namespace
}  // namespace lanes
