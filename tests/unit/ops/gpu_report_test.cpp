#include "lanes/ops/gpu_report.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace {

lanes::GpuReport example() {
    lanes::GpuReport report;
    report.launch.cuda_kernel = "max_v1";
    report.launch.device = "NVIDIA H200";
    report.launch.config = {1000, 1000};
    report.launch.kernel_seconds = 5e-6;
    report.upload_seconds = 1e-3;
    report.download_seconds = 5e-4;
    report.end_to_end_seconds = 1.6e-3;
    return report;
}

TEST(GpuReport, TellsTimeOfTheCudaKernelAndEndToEndApart) {
    EXPECT_EQ(example().text(),
              "max_v1 <<<1000, 1000>>> on NVIDIA H200: 5.0 us\n  end to end 1.600 ms: copies there "
              "1.000 ms, back 0.500 ms");
    std::ostringstream out;
    out << example();
    EXPECT_EQ(out.str(), example().text() + "\n");
}

TEST(GpuReport, HoldsNoTimeOfTheSimulator) {
    lanes::GpuReport report = example();
    report.launch.simulated = true;
    EXPECT_EQ(report.text(), "max_v1 <<<1000, 1000>>> on NVIDIA H200");
}

TEST(GpuReport, SaysWhereNothingRan) {
    EXPECT_EQ(lanes::GpuReport().text(), "nothing to compute, nothing launched");
}

}  // namespace
