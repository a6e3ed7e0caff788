#include "front/processes/orphan_cleaner.hpp"

#include "front/base/clock.hpp"
#include "front/processes/process.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace xcpp_front;

bool soon(const std::function<bool()>& holds) {
    const TimePoint until = Clock::now() + limit(60);
    while (!holds() && Clock::now() < until) std::this_thread::sleep_for(Milliseconds(5));
    return holds();
}

pid_t start(const char* shell_text, bool with_environment) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    char* const words[] = {const_cast<char*>("sh"), const_cast<char*>("-c"),
                           const_cast<char*>(shell_text), nullptr};
    char* none[] = {nullptr};
    ::execve("/bin/sh", words, with_environment ? environ : none);
    ::_exit(1);
}

class OrphanCleanerTest : public testing::Test {
protected:
    OrphanCleanerTest() {
        EXPECT_NE(::mkdtemp(place_.data()), nullptr);
        if (const char* given = std::getenv("TMPDIR")) before_ = given;
        ::setenv("TMPDIR", place_.c_str(), 1);
    }
    ~OrphanCleanerTest() override {
        before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1);
        fs::remove_all(place_);
    }

    // Runs `work` as the front, until it is killed. Returns the pids that it told.
    std::vector<pid_t> as_front_until_killed(const std::function<std::vector<pid_t>()>& work) {
        int ends[2];
        if (::pipe(ends) != 0) return {};
        const pid_t front = ::fork();
        if (front == 0) {
            ::setsid();  // as Jupyter starts it
            const TemporaryFolder folder;
            const OrphanCleaner orphan_cleaner(folder);
            fs::create_directories(folder.path() / "work");
            std::ofstream(folder.path() / "work" / "a.o") << "bytes";
            std::vector<pid_t> told = work();
            told.push_back(orphan_cleaner.pid());
            (void)!::write(ends[1], told.data(), told.size() * sizeof(pid_t));
            ::raise(SIGKILL);
        }
        ::close(ends[1]);
        std::vector<pid_t> told(16);
        const ssize_t bytes = ::read(ends[0], told.data(), told.size() * sizeof(pid_t));
        told.resize(static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)) / sizeof(pid_t));
        ::close(ends[0]);
        ::waitpid(front, nullptr, 0);
        return told;
    }

    std::string place_ = testing::TempDir() + "orphan_cleaner-XXXXXX", before_;
};

TEST_F(OrphanCleanerTest, EndsWhatAKilledFrontHasStartedAndRemovesItsFolder) {
    const auto told = as_front_until_killed([] {
        return std::vector<pid_t>{
            start("exec sleep 1000", true),         // as a program that a cell starts
            start("exec setsid sleep 1000", true),  // one that went away from us
            start("exec sleep 1000", false),        // one without our environment
            start("trap '' TERM INT HUP; while :; do sleep 1; done", true),
        };
    });
    ASSERT_EQ(told.size(), 5U);
    for (const pid_t pid : told)
        EXPECT_TRUE(soon([pid] { return has_ended(pid); }))
            << "process " << pid << " (the last of the five is the orphan cleaner)";
    EXPECT_TRUE(fs::is_empty(place_));
}

TEST_F(OrphanCleanerTest, LeavesTheProcessesOfOthersAlone) {
    ::setenv("XCPP_TEMPORARY", (place_ + "/xcpp17-1-00000001").c_str(), 1);  // of another front
    const pid_t other = start("exec sleep 1000", true);
    ::unsetenv("XCPP_TEMPORARY");
    const auto told = as_front_until_killed([] { return std::vector<pid_t>{}; });
    ASSERT_EQ(told.size(), 1U);
    EXPECT_TRUE(soon([&] { return has_ended(told[0]); }));
    EXPECT_FALSE(has_ended(other));
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
}

TEST_F(OrphanCleanerTest, GoesWhenItIsDismissed) {
    const TemporaryFolder folder;
    OrphanCleaner orphan_cleaner(folder);
    const pid_t pid = orphan_cleaner.pid();
    EXPECT_FALSE(has_ended(pid));
    fs::create_directories(folder.path());
    orphan_cleaner.dismiss();
    EXPECT_TRUE(has_ended(pid));
    EXPECT_EQ(orphan_cleaner.pid(), 0);
    EXPECT_TRUE(fs::exists(folder.path())) << "it is the front's business again";
}

TEST_F(OrphanCleanerTest, HoldsNothingOpenOfTheFront) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const TemporaryFolder folder;
    const OrphanCleaner orphan_cleaner(folder);
    ::close(ends[1]);
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 0) << "somebody else still holds the end for writing";
    ::close(ends[0]);
}

}  // namespace
