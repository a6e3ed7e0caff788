#include "lanes/parallel/worker_pool.hpp"

#include "helpers.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/workers.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>

namespace {

using lanes::WorkerPool;

class WorkerPoolTest : public LeavesNothing {
protected:
    WorkerPoolTest()
        : memory_(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
          shared(*new(memory_) std::atomic<int>(0)) {}
    ~WorkerPoolTest() override { munmap(memory_, 4096); }

private:
    void* memory_;

protected:
    std::atomic<int>& shared;  // with all workers
};

std::vector<int> numbers(int count) {
    std::vector<int> list(static_cast<std::size_t>(count));
    std::iota(list.begin(), list.end(), 0);
    return list;
}

TEST_F(WorkerPoolTest, MapsInTheOrderOfTheJobs) {
    const int factor = 3;
    WorkerPool<int, int> pool([&](int x) { return factor * x; }, 3);
    EXPECT_EQ(pool.workers(), 3);
    const std::vector<int> results = pool.map(numbers(2000));
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(results[static_cast<std::size_t>(i)], 3 * i);
    EXPECT_EQ(pool.pending(), 0U);
    EXPECT_EQ(pool.map({5}), std::vector<int>{15});
    EXPECT_EQ(pool.map({}), std::vector<int>{});
}

TEST_F(WorkerPoolTest, WorksInSeveralProcesses) {
    WorkerPool<int, int> pool(
        [](int) {
            wait_a_little(5);
            return static_cast<int>(getpid());
        },
        2);
    const std::vector<int> pids = pool.map(numbers(20));
    EXPECT_EQ(std::set<int>(pids.begin(), pids.end()).size(), 2U);
    EXPECT_EQ(std::count(pids.begin(), pids.end(), getpid()), 0);
}

TEST_F(WorkerPoolTest, TransportsStringsAndVectors) {
    WorkerPool<std::string, std::vector<double>> pool(
        [](const std::string& text) { return std::vector<double>(text.size(), 0.5); }, 2);
    const auto results = pool.map({"", "ab", std::string(100'000, 'x')});
    EXPECT_EQ(results[0].size(), 0U);
    EXPECT_EQ(results[1], (std::vector<double>{0.5, 0.5}));
    EXPECT_EQ(results[2].size(), 100'000U);
}

TEST_F(WorkerPoolTest, ItsNumberOfWorkersIsAtLeastTwo) {
    const char* before = std::getenv("SLURM_CPUS_PER_TASK");
    const std::string kept = before ? before : "";
    setenv("SLURM_CPUS_PER_TASK", "1", 1);
    EXPECT_EQ((WorkerPool<int, int>([](int x) { return x; }).workers()), 2);
    setenv("SLURM_CPUS_PER_TASK", "3", 1);
    EXPECT_EQ((WorkerPool<int, int>([](int x) { return x; }).workers()), 3);
    EXPECT_EQ((WorkerPool<int, int>([](int x) { return x; }, 1).workers()), 1);
    before ? setenv("SLURM_CPUS_PER_TASK", kept.c_str(), 1) : unsetenv("SLURM_CPUS_PER_TASK");
}

TEST_F(WorkerPoolTest, PutAndGetReturnTheNumberOfTheJob) {
    WorkerPool<int, int> pool([](int x) { return x * x; }, 2);
    EXPECT_EQ(pool.put(5), 0U);
    EXPECT_EQ(pool.put(6), 1U);
    EXPECT_EQ(pool.pending(), 2U);
    int sum = 0;
    for (int i = 0; i < 2; ++i) {
        const auto answer = pool.get();
        EXPECT_EQ(answer.result, answer.job == 0 ? 25 : 36);
        sum += answer.result;
    }
    EXPECT_EQ(sum, 61);
    EXPECT_SAYS(pool.get(), "WorkerPool::get: no job is pending");
}

// More jobs and larger results than the queues hold: put must receive results.
TEST_F(WorkerPoolTest, AcceptsMoreJobsAndResultsThanTheQueuesHold) {
    WorkerPool<std::string, std::string> pool([](const std::string& job) { return job; }, 2);
    const std::vector<std::string> jobs(200, std::string(1'000'000, 'j'));
    EXPECT_EQ(pool.map(jobs), jobs);
}

TEST_F(WorkerPoolTest, ReportsAJobThatThrewAndGoesOn) {
    WorkerPool<int, int> pool(
        [](int x) {
            if (x == 3) throw std::invalid_argument("three");
            return x;
        },
        1);
    EXPECT_EQ(error_of([&] { pool.map(numbers(10)); }),
              "WorkerPool: job 3 failed in worker 1: std::invalid_argument: three");
    EXPECT_EQ(pool.pending(), 0U);
    EXPECT_EQ(pool.map({7, 8}), (std::vector<int>{7, 8}));
}

// When the first job fails, map drops the others. Here it has to wait for the queue's lock, which
// a worker holds while it copies the large job, and that wait throws because of the dead process.
TEST_F(WorkerPoolTest, ReportsAFailedJobEvenIfTheOthersCannotBeCancelled) {
    const std::string large(60'000'000, 'x');
    for (int time = 0; time < 5; ++time) {
        Doing dead([] { kill(getpid(), SIGKILL); }, "another process");
        dead.start();
        ASSERT_TRUE(comes_true([&] { return !dead.alive(); }));
        WorkerPool<std::string, int> pool(
            [](const std::string& job) -> int {
                if (job == "fail") throw std::invalid_argument("this job");
                return 1;
            },
            3);
        const std::string error = error_of([&] { pool.map({"fail", large}); });
        EXPECT_NE(error.find("std::invalid_argument: this job"), std::string::npos) << error;
        EXPECT_EQ(pool.pending(), 0U);
    }
}

TEST_F(WorkerPoolTest, GivesTheJobOfAKilledWorkerToAnother) {
    WorkerPool<int, int> pool(
        [&](int x) {
            if (x == 5 && shared.fetch_add(1) < 2) kill(getpid(), SIGKILL);
            return x;
        },
        2);
    EXPECT_EQ(pool.map(numbers(50)), numbers(50));
    EXPECT_EQ(shared, 3);
    EXPECT_EQ(pool.worker_failures().size(), 2U);
    EXPECT_NE(pool.worker_failures()[0].find("ended by signal 9 (Killed)"), std::string::npos);
    EXPECT_EQ(pool.workers(), 2);
}

TEST_F(WorkerPoolTest, GivesUpAJobThatCrashesEachTime) {
    WorkerPool<int, int> pool(
        [](int x) {
            signal(SIGSEGV, SIG_DFL);
            // Not null: a sanitizer would report that and exit.
            int* volatile nowhere = reinterpret_cast<int*>(16);
            if (x == 2) *nowhere = 1;
            return x;
        },
        2);
    EXPECT_SAYS(pool.map(numbers(5)), "WorkerPool: worker");
    const std::string error = error_of([&] { pool.map(numbers(5)); });
    EXPECT_NE(
        error.find("ended by signal 11 (Segmentation fault), the third that this job has ended"),
        std::string::npos)
        << error;
}

// Also with exit code 0: what the worker would have sent will never come.
TEST_F(WorkerPoolTest, ReportsAJobThatExits) {
    for (const int code : {4, 0}) {
        WorkerPool<int, int> pool(
            [&](int x) {
                if (x == 1) std::_Exit(code);
                return x;
            },
            2);
        const std::string error = error_of([&] { pool.map(numbers(3)); });
        EXPECT_NE(error.find("ended with exit code " + std::to_string(code)), std::string::npos)
            << error;
    }
}

// Workers are killed at random moments.
TEST_F(WorkerPoolTest, DeliversEachResultOnceWhenWorkersAreKilled) {
    WorkerPool<int, int> pool(
        [](int x) {
            volatile int spin = 0;
            for (int i = 0; i < 2000; ++i) spin = spin + 1;
            return x == -1 ? static_cast<int>(getpid()) : 2 * x;
        },
        4);
    std::vector<int> times(20'000, 0);
    int kills = 0;
    for (int round = 0; round < 20; ++round) {
        const int victim = pool.map({-1})[0];
        for (int i = 0; i < 1000; ++i) pool.put(round * 1000 + i);
        for (int i = 0; i < 1000; ++i) {
            if (i == 50 * round) kills += kill(victim, SIGKILL) == 0 ? 1 : 0;
            const auto answer = pool.get();
            ++times[static_cast<std::size_t>(answer.result / 2)];
        }
        EXPECT_EQ(pool.pending(), 0U);
    }
    EXPECT_EQ(times, std::vector<int>(20'000, 1));
    EXPECT_EQ(kills, 20);
    EXPECT_EQ(pool.map(numbers(10)).size(), 10U);
    // Fewer than were killed: one may have been killed twice, and the last death not been noticed.
    EXPECT_GE(pool.worker_failures().size(), 10U);
}

TEST_F(WorkerPoolTest, CanBeUsedAfterAnInterrupt) {
    WorkerPool<int, int> pool(
        [&](int x) {
            while (x == 1 && shared == 0) wait_a_little();
            return x;
        },
        2);
    {
        const Interrupt pressed;
        EXPECT_SAYS(pool.map({0, 1, 2}), "interrupted");
    }
    shared = 1;
    EXPECT_EQ(pool.map(numbers(20)), numbers(20));
}

TEST_F(WorkerPoolTest, ReportsMissingWorkersAfterTheSessionWasRestored) {
    WorkerPool<int, int> pool([](int x) { return x; }, 2);
    const pid_t copy = fork();  // as the frozen copy of a session
    if (copy == 0) {
        const std::string gone = "WorkerPool: its workers are gone.";
        _exit(error_of([&] { pool.map({1}); }).find(gone) == 0 &&
                      error_of([&] { pool.put(1); }).find(gone) == 0
                  ? 0
                  : 1);
    }
    int status = 0;
    waitpid(copy, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(pool.map({1}), std::vector<int>{1});
}

}  // namespace
