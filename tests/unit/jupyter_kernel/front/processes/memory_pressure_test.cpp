#include "front/processes/memory_pressure.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace xcpp_front {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t megabyte = 1 << 20;
constexpr std::uint64_t gigabyte = 1ULL << 30;

// A machine of 4 GB, of which 3 GB are available: a folder in place of /sys/fs/cgroup, and files in
// place of those of /proc.
class MemoryPressureTest : public testing::Test {
protected:
    void SetUp() override {
        write("meminfo",
              "MemTotal:  4194304 kB\nMemFree:  100 kB\nMemAvailable:  3145728 kB\nBuffers: 1 kB");
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const fs::path& name, const std::string& text) {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text << "\n";
    }
    void write(const fs::path& name, std::uint64_t bytes) { write(name, std::to_string(bytes)); }
    Memory memory_in(const std::string& groups) {
        write("self", groups);
        return read_memory(folder_ / "meminfo", folder_, folder_ / "self");
    }

    const fs::path folder_ =
        fs::temp_directory_path() / ("xcpp-memory-pressure-" + std::to_string(::getpid()));
};

TEST_F(MemoryPressureTest, ReadsWhatLinuxReports) {
    const Memory memory = memory_in("");
    EXPECT_EQ(memory.total, 4 * gigabyte);
    EXPECT_EQ(memory.available, 3 * gigabyte);
    EXPECT_GT(read_memory().total, read_memory().available);
    EXPECT_EQ(read_memory("/nowhere").total, 0U);
}

TEST_F(MemoryPressureTest, AGroupOfVersion2MayBeFullBeforeTheMachine) {
    write("slice/job/memory.max", "max");
    write("slice/job/memory.current", 10 * megabyte);
    write("slice/memory.max", 1000 * megabyte);
    write("slice/memory.current", 990 * megabyte);
    write("slice/memory.stat", "anon 5\ninactive_file " + std::to_string(40 * megabyte));
    const Memory memory = memory_in("0::/slice/job\n");
    EXPECT_EQ(memory.total, 1000 * megabyte);
    EXPECT_EQ(memory.available, 50 * megabyte);
}

TEST_F(MemoryPressureTest, AnOuterGroupMayBeFullerThanASmallerOne) {
    write("slice/job/memory.max", 1000 * megabyte);
    write("slice/job/memory.current", 100 * megabyte);
    write("slice/memory.max", 2000 * megabyte);
    write("slice/memory.current", 1990 * megabyte);
    const Memory memory = memory_in("0::/slice/job\n");
    EXPECT_EQ(memory.total, 1000 * megabyte);
    EXPECT_EQ(memory.available, 10 * megabyte);
}

TEST_F(MemoryPressureTest, AGroupOfVersion1) {
    write("cpu,memory/docker/memory.limit_in_bytes", 500 * megabyte);
    write("cpu,memory/docker/memory.usage_in_bytes", 450 * megabyte);
    write("cpu,memory/memory.limit_in_bytes", "9223372036854771712");
    write("cpu,memory/memory.usage_in_bytes", 4000 * megabyte);
    const Memory memory = memory_in("9:cpu,memory:/docker\n");
    EXPECT_EQ(memory.total, 500 * megabyte);
    EXPECT_EQ(memory.available, 50 * megabyte);
}

TEST_F(MemoryPressureTest, AMachineMayBeFullBeforeItsGroups) {
    write("memory.max", 3584 * megabyte);
    write("memory.current", megabyte);
    const Memory memory = memory_in("0::/\n");
    EXPECT_EQ(memory.total, 3584 * megabyte);
    EXPECT_EQ(memory.available, 3 * gigabyte);
}

TEST_F(MemoryPressureTest, ACopyIsGivenUpIfItIsLargeAndMemoryIsShort) {
    const Memory is_short{16 * gigabyte, gigabyte}, is_ample{16 * gigabyte, 8 * gigabyte};
    EXPECT_TRUE(is_copy_too_expensive(is_short, gigabyte));
    EXPECT_FALSE(is_copy_too_expensive(is_ample, gigabyte));
    EXPECT_FALSE(is_copy_too_expensive(is_short, 5 << 20));
    EXPECT_FALSE(is_copy_too_expensive({}, gigabyte));
}

}  // namespace
}  // namespace xcpp_front
