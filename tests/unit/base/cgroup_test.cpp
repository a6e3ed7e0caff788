#include "base/cgroup.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace lanes {
namespace {

namespace fs = std::filesystem;

// A folder in place of /sys/fs/cgroup, and a file in place of /proc/self/cgroup.
class Cgroup : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(root_); }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const fs::path& name, const std::string& text) {
        fs::create_directories((root_ / name).parent_path());
        std::ofstream(root_ / name) << text << "\n";
    }
    std::optional<int> cores(const std::string& groups) {
        std::ofstream(folder_ / "self") << groups;
        return cgroup_cores(root_, folder_ / "self");
    }

    const fs::path folder_ =
        fs::temp_directory_path() / ("lanes_cgroup_" + std::to_string(getpid()));
    const fs::path root_ = folder_ / "root";
};

TEST_F(Cgroup, ReadsVersionTwo) {
    write("cpu.max", "400000 100000");
    EXPECT_EQ(cores("0::/\n"), 4);
    write("cpu.max", "250000 100000");
    EXPECT_EQ(cores("0::/\n"), 3);
    write("cpu.max", "5000 100000");
    EXPECT_EQ(cores("0::/\n"), 1);
    write("cpu.max", "max 100000");
    EXPECT_EQ(cores("0::/\n"), std::nullopt);
}

TEST_F(Cgroup, ReadsVersionOne) {
    write("cpu,cpuacct/job/cpu.cfs_quota_us", "200000");
    write("cpu,cpuacct/job/cpu.cfs_period_us", "100000");
    EXPECT_EQ(cores("7:memory:/job\n4:cpu,cpuacct:/job\n"), 2);
    write("cpu,cpuacct/job/cpu.cfs_quota_us", "-1");
    EXPECT_EQ(cores("7:memory:/job\n4:cpu,cpuacct:/job\n"), std::nullopt);
}

TEST_F(Cgroup, TakesTheLeastOfThoseAbove) {
    write("slice/cpu.max", "200000 100000");
    write("slice/job/cpu.max", "800000 100000");
    EXPECT_EQ(cores("0::/slice/job\n"), 2);
    EXPECT_EQ(cores("0::/slice/job/step/that/is/not/mounted\n"), 2);
}

TEST_F(Cgroup, IsNoLimitWithoutFiles) {
    EXPECT_EQ(cores("0::/\n"), std::nullopt);
    EXPECT_EQ(cores("no line of this kind\n"), std::nullopt);
    EXPECT_EQ(cgroup_cores(root_, folder_ / "missing"), std::nullopt);
}

}  // namespace
}  // namespace lanes
