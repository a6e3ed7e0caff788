#include "lanes/gpu/occupancy.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

namespace lanes {
namespace {

using lanes_test::error_of;

TEST(Occupancy, TheSmallestLimitDecides) {
    const auto of = [](const LaunchConfig& config, unsigned registers, const char* gpu) {
        const Occupancy fits = occupancy(config, 0, registers, gpu);
        return fits.limit + " " + std::to_string(fits.blocks);
    };
    EXPECT_EQ(of({1, 256}, 0, "H200"), "threads 8");
    EXPECT_EQ(of({1, 32}, 0, "H200"), "blocks 32");
    EXPECT_EQ(of({1, 256, 32768}, 0, "A100"), "shared memory 4") << "1 KiB more for each block";
    EXPECT_EQ(of({1, 256, 32768}, 0, "T4"), "shared memory 2");
    EXPECT_EQ(of({1, 256}, 64, "H200"), "registers 4");
    EXPECT_EQ(of({1, 100}, 0, "T4"), "threads 8") << "100 threads take four warps";
    EXPECT_EQ(of({1, 32, 100000}, 0, "T4"), "shared memory 0") << "it does not fit";
    EXPECT_EQ(occupancy({1, 256, 32768}, 0, 0, "A100").percent(), 50);
    EXPECT_EQ(error_of([] { gpu_limits("GT 1030"); }),
              "gpu_limits: the limits of 'GT 1030' are not known. Name one of H200, H100, A100, "
              "V100, L4, T4.");
}

}  // namespace
}  // namespace lanes
