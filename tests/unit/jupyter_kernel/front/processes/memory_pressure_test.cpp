#include "front/processes/memory_pressure.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace xcpp_front {
namespace {

constexpr std::uint64_t gigabyte = 1ULL << 30;

TEST(MemoryPressureTest, ReadsWhatLinuxReports) {
    const auto file =
        std::filesystem::temp_directory_path() / ("xcpp-meminfo-" + std::to_string(::getpid()));
    std::ofstream(file) << "MemTotal:  4096 kB\nMemFree:  100 kB\nMemAvailable:  1024 kB\n";
    const Memory memory = read_memory(file);
    std::filesystem::remove(file);
    EXPECT_EQ(memory.total, 4096U << 10);
    EXPECT_EQ(memory.available, 1024U << 10);
    EXPECT_GT(read_memory().total, read_memory().available);
    EXPECT_EQ(read_memory("/nowhere").total, 0U);
}

TEST(MemoryPressureTest, ACopyIsGivenUpIfItIsLargeAndMemoryIsShort) {
    const Memory is_short{16 * gigabyte, gigabyte}, is_ample{16 * gigabyte, 8 * gigabyte};
    EXPECT_TRUE(is_copy_too_expensive(is_short, gigabyte));
    EXPECT_FALSE(is_copy_too_expensive(is_ample, gigabyte));
    EXPECT_FALSE(is_copy_too_expensive(is_short, 5 << 20));
    EXPECT_FALSE(is_copy_too_expensive({}, gigabyte));
}

}  // namespace
}  // namespace xcpp_front
