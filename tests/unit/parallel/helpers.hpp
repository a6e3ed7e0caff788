// For the tests of worker processes: a worker made of a lambda, the interrupt button, and a check
// that no process, file or memory is left over.
#pragma once

#include "error_of.hpp"
#include "interrupt_button.hpp"
#include "lanes/parallel/process.hpp"

#include <dirent.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

class Doing : public lanes::Process {
public:
    explicit Doing(std::function<void()> work, std::string name = "worker")
        : Process(std::move(name)), work_(std::move(work)) {}
    void run() override { work_(); }

private:
    std::function<void()> work_;
};

using lanes_test::interrupt_pressed;

class Interrupt {
public:
    Interrupt() { interrupt_pressed = 1; }
    ~Interrupt() { interrupt_pressed = 0; }
};

inline void wait_a_little(int milliseconds = 1) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

inline bool comes_true(const std::function<bool()>& condition, double seconds = 200) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until) return false;
        wait_a_little();
    }
    return true;
}

inline bool exists(int pid) { return kill(pid, 0) == 0; }

// Whether it waits for something, a lock or a pipe: S in /proc/PID/stat, after the name in
// parentheses.
inline bool sleeps(int pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(file, line);
    const auto name_end = line.rfind(')');
    return name_end != std::string::npos && line.compare(name_end, 3, ") S") == 0;
}

inline std::size_t open_descriptors() {
    std::size_t count = 0;
    DIR* const folder = opendir("/proc/self/fd");
    while (readdir(folder)) ++count;
    closedir(folder);
    return count;
}

inline std::size_t shared_mappings() {
    std::size_t count = 0;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        count += line.find("memfd:lanes-") != std::string::npos ? 1 : 0;
    return count;
}

// At its end everything that the test has started, made or opened must be gone.
class LeavesNothing : public testing::Test {
protected:
    void SetUp() override {
        descriptors_ = open_descriptors();
        mappings_ = shared_mappings();
    }
    void TearDown() override {
        EXPECT_EQ(open_descriptors(), descriptors_) << "descriptors";
        EXPECT_EQ(shared_mappings(), mappings_) << "shared memory";
        EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a child that runs or was not waited for";
    }

private:
    std::size_t descriptors_ = 0, mappings_ = 0;
};

using lanes_test::error_of;

#define EXPECT_SAYS(call, part) \
    EXPECT_NE(error_of([&] { call; }).find(part), std::string::npos) << error_of([&] { call; })
