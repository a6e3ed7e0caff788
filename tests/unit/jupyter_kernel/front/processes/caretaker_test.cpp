#include "front/processes/caretaker.hpp"

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
    const TimePoint until = Clock::now() + limit(10);
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

class CaretakerTest : public testing::Test {
protected:
    CaretakerTest() {
        EXPECT_NE(::mkdtemp(place_.data()), nullptr);
        if (const char* given = std::getenv("TMPDIR")) before_ = given;
        ::setenv("TMPDIR", place_.c_str(), 1);
    }
    ~CaretakerTest() override {
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
            const Caretaker caretaker(folder);
            fs::create_directories(folder.path() / "work");
            std::ofstream(folder.path() / "work" / "a.o") << "bytes";
            std::vector<pid_t> told = work();
            told.push_back(caretaker.pid());
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

    std::string place_ = testing::TempDir() + "caretaker-XXXXXX", before_;
};

TEST_F(CaretakerTest, EndsWhatAKilledFrontHasStartedAndRemovesItsFolder) {
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
            << "process " << pid << " (the last of the five is the caretaker)";
    EXPECT_TRUE(fs::is_empty(place_));
}

TEST_F(CaretakerTest, LeavesTheProcessesOfOthersAlone) {
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

TEST_F(CaretakerTest, GoesWhenItIsDismissed) {
    const TemporaryFolder folder;
    Caretaker caretaker(folder);
    const pid_t pid = caretaker.pid();
    EXPECT_FALSE(has_ended(pid));
    fs::create_directories(folder.path());
    caretaker.dismiss();
    EXPECT_TRUE(has_ended(pid));
    EXPECT_EQ(caretaker.pid(), 0);
    EXPECT_TRUE(fs::exists(folder.path())) << "it is the front's business again";
}

TEST_F(CaretakerTest, HoldsNothingOpenOfTheFront) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const TemporaryFolder folder;
    const Caretaker caretaker(folder);
    ::close(ends[1]);
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 0) << "somebody else still holds the end for writing";
    ::close(ends[0]);
}

}  // namespace
