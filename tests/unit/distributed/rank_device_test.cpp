#include "lanes/distributed/rank_device.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace lanes {
namespace {

using lanes_test::error_of;

// The variables of a launcher, until the test has ended.
struct RankDevice : testing::Test {
    void SetUp() override { TearDown(); }
    void TearDown() override {
        unsetenv("OMPI_COMM_WORLD_LOCAL_RANK");
        unsetenv("SLURM_LOCALID");
    }
};

TEST_F(RankDevice, IsChosenByTheNumberOnTheMachine) {
    EXPECT_EQ(gpu_of_rank(4), 0U);  // started alone
    setenv("SLURM_LOCALID", "3", 1);
    EXPECT_EQ(local_rank(), 3U);
    EXPECT_EQ(gpu_of_rank(4), 3U);
    EXPECT_EQ(gpu_of_rank(2), 1U);  // shared
    EXPECT_EQ(gpu_of_rank(1), 0U);  // srun shows each process its own
    setenv("OMPI_COMM_WORLD_LOCAL_RANK", "2", 1);
    EXPECT_EQ(gpu_of_rank(4), 2U);
}

TEST_F(RankDevice, IsTheCpuWithoutAGpu) {
    setenv("SLURM_LOCALID", "1", 1);
    const Device device = rank_device();
    EXPECT_EQ(device.is_cpu(), !Device::has_gpu());
    EXPECT_FALSE(device.is_simulator());
    EXPECT_NE(error_of([] { gpu_of_rank(0); }).find("there is no GPU"), std::string::npos);
}

TEST_F(RankDevice, RefusesWhatIsNoNumber) {
    for (const char* const wrong : {"", "two", "1x", "-1"}) {
        setenv("SLURM_LOCALID", wrong, 1);
        EXPECT_NE(error_of([] { local_rank(); }).find("SLURM_LOCALID is '" + std::string(wrong)),
                  std::string::npos)
            << wrong;
    }
}

}  // namespace
}  // namespace lanes
