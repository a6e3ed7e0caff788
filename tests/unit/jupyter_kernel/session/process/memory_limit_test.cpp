#include "session/process/memory_limit.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace xcpp_session {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t megabyte = 1 << 20;

// A folder in place of /sys/fs/cgroup, and a file in place of /proc/self/cgroup.
class MemoryLimitTest : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const fs::path& name, const std::string& text) {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text << "\n";
    }
    std::uint64_t limit(const std::string& groups) {
        write("self", groups);
        return memory_limit(folder_, folder_ / "self");
    }

    const fs::path folder_ =
        fs::temp_directory_path() / ("xcpp-memory-limit-" + std::to_string(::getpid()));
    const std::uint64_t machine_ = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                                   static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
};

TEST_F(MemoryLimitTest, IsTheMachinesWithoutGroups) {
    EXPECT_EQ(memory_limit(folder_, folder_ / "nothing"), machine_);
    EXPECT_EQ(limit("0::/\n"), machine_);
}

TEST_F(MemoryLimitTest, IsTheSmallestOnTheWayUpInVersion2) {
    write("user/job/memory.max", "max");
    write("user/memory.max", std::to_string(64 * megabyte));
    write("memory.max", std::to_string(128 * megabyte));
    EXPECT_EQ(limit("0::/user/job\n"), 64 * megabyte);
    write("user/job/memory.high", std::to_string(32 * megabyte));
    EXPECT_EQ(limit("0::/user/job\n"), 32 * megabyte);
}

TEST_F(MemoryLimitTest, IsThatOfTheControllerInVersion1) {
    write("memory/docker/memory.limit_in_bytes", std::to_string(50 * megabyte));
    write("memory/memory.limit_in_bytes", "9223372036854771712");
    write("cpu/docker/memory.limit_in_bytes", std::to_string(megabyte));
    EXPECT_EQ(limit("4:cpu:/docker\n9:memory:/docker\n"), 50 * megabyte);
    write("cpu,memory/docker/memory.limit_in_bytes", std::to_string(40 * megabyte));
    EXPECT_EQ(limit("4:cpu,memory:/docker\n"), 40 * megabyte);
}

TEST_F(MemoryLimitTest, IsThatOfTheTopIfTheContainerDoesNotSeeItsPath) {
    write("memory.max", std::to_string(100 * megabyte));
    EXPECT_EQ(limit("0::/only/on/the/host\n"), 100 * megabyte);
}

}  // namespace
}  // namespace xcpp_session
