#include "base/cache_size.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;

// A folder like /sys/devices/system/cpu/cpu0/cache.
class FakeCaches : public testing::Test {
protected:
    FakeCaches()
        : folder(fs::temp_directory_path() / ("lanes_caches_" + std::to_string(getpid()))) {
        fs::remove_all(folder);
        fs::create_directories(folder);
        std::ofstream(folder / "uevent") << "\n";  // as in the real one
    }
    ~FakeCaches() override { fs::remove_all(folder); }

    void add(const char* name, const char* level, const char* type, const char* size) const {
        fs::create_directories(folder / name);
        std::ofstream(folder / name / "level") << level << "\n";
        std::ofstream(folder / name / "type") << type << "\n";
        if (size) std::ofstream(folder / name / "size") << size << "\n";
    }

    fs::path folder;
};

TEST_F(FakeCaches, HasTheSecondAndTheLastLevel) {
    add("index0", "1", "Data", "48K");
    add("index1", "1", "Instruction", "32K");
    add("index2", "2", "Unified", "2048K");
    add("index3", "3", "Unified", "36M");
    const lanes::CacheSizes sizes = lanes::cache_sizes_in(folder);
    EXPECT_EQ(sizes.second, std::size_t{2} << 20);
    EXPECT_EQ(sizes.last, std::size_t{36} << 20);
}

TEST_F(FakeCaches, TheLastLevelMayBeTheSecondOrTheFourth) {
    add("index0", "2", "Unified", "1024K");
    EXPECT_EQ(lanes::cache_sizes_in(folder).last, std::size_t{1} << 20);
    add("index1", "4", "Unified", "128M");
    add("index2", "3", "Unified", "8M");
    EXPECT_EQ(lanes::cache_sizes_in(folder).second, std::size_t{1} << 20);
    EXPECT_EQ(lanes::cache_sizes_in(folder).last, std::size_t{128} << 20);
}

TEST_F(FakeCaches, WhatCannotBeReadIsZero) {
    EXPECT_EQ(lanes::cache_sizes_in(folder).last, 0U);
    EXPECT_EQ(lanes::cache_sizes_in(folder / "missing").last, 0U);
    add("index0", "2", "Instruction", "512K");
    add("index2", "2", "Unified", nullptr);
    add("index3", "3", "Unified", "many");
    EXPECT_EQ(lanes::cache_sizes_in(folder).second, 0U);
    EXPECT_EQ(lanes::cache_sizes_in(folder).last, 0U);
    add("index3", "3", "Unified", "999999999999999999999K");
    EXPECT_EQ(lanes::cache_sizes_in(folder).last, 0U);
}

TEST(CacheSizes, OfThisMachineArePlausible) {
    const lanes::CacheSizes& sizes = lanes::cache_sizes();
    EXPECT_GE(sizes.second, std::size_t{64} << 10);
    EXPECT_GE(sizes.last, sizes.second);
    EXPECT_LE(sizes.last, std::size_t{8} << 30);
}

}  // namespace
