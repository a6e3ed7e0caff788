#include "base/thread_pool.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace lanes {
namespace {

std::vector<int> calls_per_part(std::size_t parts, std::size_t threads) {
    std::vector<std::atomic<int>> calls(parts);
    run_parts(parts, threads, [&](std::size_t part, std::size_t thread) {
        EXPECT_LT(thread, threads);
        ++calls[part];
    });
    return {calls.begin(), calls.end()};
}

TEST(ThreadPool, RunsEveryPartOnce) {
    for (int turn = 0; turn < 2000; ++turn)
        for (const std::size_t parts : {0, 1, 2, 3, 17})
            ASSERT_EQ(calls_per_part(parts, max_threads()), std::vector<int>(parts, 1)) << turn;
    EXPECT_EQ(calls_per_part(5000, max_threads()), std::vector<int>(5000, 1));
    EXPECT_EQ(calls_per_part(50, 1000), std::vector<int>(50, 1));
}

TEST(ThreadPool, WakesThreadsThatSleep) {
    if (max_threads() < 2) GTEST_SKIP() << "one core";
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // longer than they wait actively
    // Ends only if two threads are inside at once.
    std::atomic<int> inside{0};
    run_parts(2, 2, [&](std::size_t, std::size_t) {
        ++inside;
        while (inside < 2) std::this_thread::yield();
    });
    EXPECT_EQ(inside, 2);
}

TEST(ThreadPool, UsesNoMoreThreadsThanItMay) {
    std::atomic<int> threads{0};
    run_parts(100, 1, [&, caller = std::this_thread::get_id()](std::size_t, std::size_t) {
        if (std::this_thread::get_id() != caller) ++threads;
    });
    EXPECT_EQ(threads, 0);
}

TEST(ThreadPool, RunsALoopInsideALoop) {
    std::atomic<int> calls{0};
    run_parts(8, max_threads(), [&](std::size_t, std::size_t) {
        run_parts(8, max_threads(), [&](std::size_t, std::size_t) { ++calls; });
    });
    EXPECT_EQ(calls, 64);
}

TEST(ThreadPool, IsUsedByManyThreadsAtOnce) {
    std::atomic<int> calls{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i)
        callers.emplace_back([&] {
            for (int turn = 0; turn < 500; ++turn)
                run_parts(8, max_threads(), [&](std::size_t, std::size_t) { ++calls; });
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(calls, 4 * 500 * 8);
}

// Exit status of a child process that runs `work`.
template <class Work>
int status_in_child(const Work& work) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);  // a hang is a failure
        _exit(work() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

TEST(ThreadPool, HasThreadsInAForkedProcess) {
    calls_per_part(8, max_threads());
    EXPECT_EQ(status_in_child([] {
                  if (max_threads() < 2) return calls_per_part(8, 2) == std::vector<int>(8, 1);
                  std::atomic<int> inside{0};
                  run_parts(2, 2, [&](std::size_t, std::size_t) {
                      ++inside;
                      while (inside < 2) std::this_thread::yield();
                  });
                  return inside == 2;
              }),
              0);
}

TEST(ThreadPool, UseOneThreadHoldsForTheProcess) {
    EXPECT_EQ(status_in_child([] {
                  use_one_thread();
                  return max_threads() == 1 && calls_per_part(100, 8) == std::vector<int>(100, 1);
              }),
              0);
}

}  // namespace
}  // namespace lanes
