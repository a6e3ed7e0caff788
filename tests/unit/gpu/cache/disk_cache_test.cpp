#include "gpu/cache/disk_cache.hpp"

#include "gpu/folder.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace lanes::gpu {
namespace {

namespace fs = std::filesystem;

class DiskCacheTest : public testing::Test {
protected:
    const TestFolder folder_;
    const TestVariable cache_{"LANES_CACHE", folder_.path()};
};

TEST_F(DiskCacheTest, GivesBackWhatWasStored) {
    const DiskCache cache("cubin", ".cubin");
    const std::string key = DiskCache::key({"text", "sm_90"}), payload("a\0b\n", 4);
    EXPECT_FALSE(cache.load(key));
    EXPECT_TRUE(cache.store(key, payload));
    EXPECT_EQ(cache.load(key), payload);
    EXPECT_EQ(cache.file(key), folder_ / "cubin" / (key + ".cubin"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "cubin"), {}),
              1);  // no temporary file is left
}

TEST_F(DiskCacheTest, WhatAKilledProcessHalfWroteGoes) {
    const DiskCache cache("cubin", ".cubin");
    fs::create_directories(folder_ / "cubin");
    for (const char* name : {"k.new-1-0", "k.new-2-0"})
        std::ofstream(folder_ / "cubin" / name) << "half";
    fs::last_write_time(folder_ / "cubin" / "k.new-1-0",
                        fs::file_time_type::clock::now() - std::chrono::hours(2));
    cache.store(DiskCache::key({"x"}), "p");
    EXPECT_FALSE(fs::exists(folder_ / "cubin" / "k.new-1-0"));
    EXPECT_TRUE(fs::exists(folder_ / "cubin" / "k.new-2-0"));  // another process may be writing it
}

TEST_F(DiskCacheTest, KeysTellPartsApart) {
    EXPECT_NE(DiskCache::key({"ab", "c"}), DiskCache::key({"a", "bc"}));
    EXPECT_NE(DiskCache::key({"a", ""}), DiskCache::key({"a"}));
    EXPECT_EQ(DiskCache::key({"a", "b"}), DiskCache::key({"a", "b"}));
    EXPECT_EQ(DiskCache::key({"a"}).size(), 32U);
}

TEST_F(DiskCacheTest, ABrokenFileIsNone) {
    const DiskCache cache("cubin", ".cubin");
    const std::string key = DiskCache::key({"x"}), payload(1000, 'p');
    const auto damage = [&](auto change) {
        cache.store(key, payload);
        std::string bytes;
        {
            std::ifstream in(cache.path(key), std::ios::binary);
            bytes.assign(std::istreambuf_iterator<char>(in), {});
        }
        change(bytes);
        std::ofstream(cache.path(key), std::ios::binary) << bytes;
        return cache.load(key).has_value() || cache.file(key).has_value();
    };
    EXPECT_TRUE(damage([](std::string&) {}));
    EXPECT_FALSE(damage([](std::string& bytes) { bytes[17] ^= 1; }));
    EXPECT_FALSE(damage([](std::string& bytes) { bytes.pop_back(); }));
    EXPECT_FALSE(damage([](std::string& bytes) { bytes.erase(0, 1); }));
    EXPECT_FALSE(damage([](std::string& bytes) { bytes.clear(); }));
    EXPECT_TRUE(cache.store(key, payload));
    EXPECT_EQ(cache.load(key), payload);
}

TEST_F(DiskCacheTest, WithoutAFolderThatCanBeWrittenItOnlyCostsTime) {
    std::ofstream(folder_ / "file") << "no folder";
    setenv("LANES_CACHE", (folder_ / "file").c_str(), 1);
    const DiskCache cache("cubin", ".cubin");
    EXPECT_FALSE(cache.store("key", "payload"));
    EXPECT_FALSE(cache.load("key"));
}

TEST_F(DiskCacheTest, WritersAtTheSameTimeLeaveOneWholeFile) {
    const DiskCache cache("cubin", ".cubin");
    std::vector<std::thread> writers;
    for (char c = 'a'; c < 'e'; ++c)
        writers.emplace_back([&cache, c] {
            for (int i = 0; i < 50; ++i) cache.store("key", std::string(10000, c));
        });
    for (int i = 0; i < 100; ++i)
        if (const auto seen = cache.load("key")) {
            EXPECT_EQ(*seen, std::string(10000, seen->front()));
        }
    for (std::thread& writer : writers) writer.join();
    EXPECT_TRUE(cache.load("key"));
}

TEST_F(DiskCacheTest, TheFolderIsFoundInThisOrder) {
    const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "",
                      xdg = std::getenv("XDG_CACHE_HOME") ? std::getenv("XDG_CACHE_HOME") : "";
    setenv("HOME", "/h", 1);
    setenv("XDG_CACHE_HOME", "/x", 1);
    EXPECT_EQ(DiskCache::folder(), folder_.path());
    unsetenv("LANES_CACHE");
    EXPECT_EQ(DiskCache::folder(), "/x/lanes");
    unsetenv("XDG_CACHE_HOME");
    EXPECT_EQ(DiskCache::folder(), "/h/.cache/lanes");
    setenv("HOME", home.c_str(), 1);
    if (!xdg.empty()) setenv("XDG_CACHE_HOME", xdg.c_str(), 1);
}

TEST_F(DiskCacheTest, WithoutAHomeTheFolderInTmpMustBeOnesOwn) {
    const TestVariable lanes("LANES_CACHE", ""), xdg("XDG_CACHE_HOME", ""), home("HOME", ""),
        temporary("TMPDIR", folder_.path());
    const fs::path expected = folder_ / ("lanes-" + std::to_string(getuid()));
    EXPECT_EQ(DiskCache::folder(), expected);
    EXPECT_EQ(fs::status(expected).permissions(), fs::perms::owner_all);
    EXPECT_EQ(DiskCache::folder(), expected);  // it exists now

    fs::permissions(expected, fs::perms::all);  // any user could have put a program there
    EXPECT_EQ(DiskCache::folder(), "");
    fs::permissions(expected, fs::perms::owner_all);
    if (chown(expected.c_str(), 1, 1) == 0) EXPECT_EQ(DiskCache::folder(), "");  // only as root
    fs::remove(expected);
    fs::create_directories(folder_ / "elsewhere");
    fs::create_directory_symlink(folder_ / "elsewhere", expected);
    EXPECT_EQ(DiskCache::folder(), "");
    const DiskCache cache("cubin", ".cubin");
    EXPECT_FALSE(cache.store("key", "payload"));
    EXPECT_FALSE(cache.load("key"));
}

}  // namespace
}  // namespace lanes::gpu
