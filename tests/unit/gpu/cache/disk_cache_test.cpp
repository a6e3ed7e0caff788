#include "gpu/cache/disk_cache.hpp"

#include "gpu/folder.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
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

TEST_F(DiskCacheTest, AFolderThatOthersMayWriteIsNotUsed) {
    const std::string key = DiskCache::key({"x"});
    const auto expect_unused = [&](const fs::path& folder, const char* what) {
        fs::create_directories(folder / "cubin");
        fs::permissions(folder, fs::perms::owner_all);
        fs::permissions(folder / "cubin", fs::perms::owner_all);
        const DiskCache private_one("cubin", ".cubin");
        EXPECT_TRUE(private_one.store(key, "good")) << what;
        for (const fs::path& open : {folder, folder / "cubin"})
            for (const auto who : {fs::perms::group_write, fs::perms::others_write}) {
                fs::permissions(open, fs::perms::owner_all | who);
                const DiskCache cache("cubin", ".cubin");
                EXPECT_FALSE(cache.load(key)) << what << ", " << open;
                EXPECT_FALSE(cache.store(key, "more")) << what << ", " << open;
                fs::permissions(open, fs::perms::owner_all);
            }
        EXPECT_EQ(DiskCache("cubin", ".cubin").load(key), "good") << what;
    };
    expect_unused(folder_.path(), "LANES_CACHE");
    const TestVariable lanes("LANES_CACHE", "");
    {
        const TestVariable xdg("XDG_CACHE_HOME", (folder_ / "x").string());
        expect_unused(folder_ / "x" / "lanes", "XDG_CACHE_HOME");
    }
    const TestVariable xdg("XDG_CACHE_HOME", ""), home("HOME", (folder_ / "h").string());
    expect_unused(folder_ / "h" / ".cache" / "lanes", "HOME");
}

TEST_F(DiskCacheTest, AFileThatOthersMayWriteOrOwnIsNotUsed) {
    const DiskCache cache("cubin", ".cubin");
    const std::string key = DiskCache::key({"x"});
    const auto owner = fs::perms::owner_read | fs::perms::owner_write;
    ASSERT_TRUE(cache.store(key, "good"));
    EXPECT_TRUE(cache.load(key));
    fs::permissions(cache.path(key), owner | fs::perms::group_write);
    EXPECT_FALSE(cache.load(key));
    EXPECT_TRUE(cache.store(key, "good"));  // replaces it
    EXPECT_TRUE(cache.load(key));
    fs::rename(cache.path(key), folder_ / "elsewhere");
    fs::create_symlink(folder_ / "elsewhere", cache.path(key));
    EXPECT_FALSE(cache.load(key));
    fs::remove(cache.path(key));
    ASSERT_TRUE(cache.store(key, "good"));
    if (chown(cache.path(key).c_str(), 1, 1) == 0) EXPECT_FALSE(cache.load(key));  // only as root
    if (chown((folder_ / "cubin").c_str(), 1, 1) == 0) EXPECT_FALSE(cache.store(key, "good"));
}

TEST_F(DiskCacheTest, WhatItMakesIsForThisUserAlone) {
    setenv("LANES_CACHE", (folder_ / "a" / "b").c_str(), 1);
    const mode_t before = umask(S_IWOTH);  // as where each user has a group
    const DiskCache cache("cubin", ".cubin");
    const std::string key = DiskCache::key({"x"});
    const bool stored = cache.store(key, "good");
    umask(before);
    EXPECT_TRUE(stored);
    EXPECT_EQ(cache.load(key), "good");
    EXPECT_EQ(fs::status(folder_ / "a" / "b").permissions(), fs::perms::owner_all);
    EXPECT_EQ(fs::status(folder_ / "a" / "b" / "cubin").permissions(), fs::perms::owner_all);
    EXPECT_EQ(fs::status(cache.path(key)).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
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
