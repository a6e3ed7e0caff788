#include "lanes/parallel/worker_group.hpp"

#include "helpers.hpp"
#include "lanes/base/error.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <set>

namespace {

using lanes::WorkerGroup;

class WorkerGroupTest : public LeavesNothing {};

std::unique_ptr<lanes::Process> sleeper(int number) {
    return std::make_unique<Doing>([] { pause(); }, "worker " + std::to_string(number + 1));
}

int no_job(const lanes::Process&) { return 0; }
int one_job(const lanes::Process&) { return 1; }
bool never(const lanes::Process&) { return false; }
bool always(const lanes::Process&) { return true; }

void kill_and_wait(const lanes::Process& worker) {
    kill(worker.pid(), SIGKILL);
    ASSERT_TRUE(comes_true([&] { return !worker.alive(); }));
}

TEST_F(WorkerGroupTest, StartsTheGivenNumberAndEndsAll) {
    std::set<int> pids;
    {
        WorkerGroup group("Test", 3, sleeper, no_job, never);
        ASSERT_EQ(group.size(), 3);
        for (int i = 0; i < 3; ++i) {
            EXPECT_TRUE(group.worker(i).alive());
            pids.insert(group.worker(i).pid());
        }
        group.check_workers();
        EXPECT_TRUE(group.worker_failures().empty());
    }
    EXPECT_EQ(pids.size(), 3U);
    for (const int pid : pids) EXPECT_FALSE(exists(pid));
}

TEST_F(WorkerGroupTest, Grows) {
    WorkerGroup group("Test", 1, sleeper, no_job, never);
    const int first = group.worker(0).pid();
    group.grow_to(3);
    ASSERT_EQ(group.size(), 3);
    EXPECT_EQ(group.worker(0).pid(), first);
    EXPECT_EQ(group.worker(2).name(), "worker 3");
    EXPECT_TRUE(group.worker(2).alive());
    group.grow_to(2);
    EXPECT_EQ(group.size(), 3);
}

TEST_F(WorkerGroupTest, KeepsTheWorkersItHasWhenAnotherCannotBeStarted) {
    WorkerGroup group(
        "Test", 1,
        [&](int number) -> std::unique_ptr<lanes::Process> {
            if (number > 0) throw lanes::Error("no more processes");
            return sleeper(number);
        },
        no_job, never);
    EXPECT_SAYS(group.grow_to(3), "no more processes");
    ASSERT_EQ(group.size(), 1);
    EXPECT_TRUE(group.worker(0).alive());
    group.check_workers();
    EXPECT_FALSE(group.finish(0.03));
}

// The process that waits for the results has other work, which comes first.
TEST_F(WorkerGroupTest, RunsInTheBackgroundIfAskedTo) {
    const int own = getpriority(PRIO_PROCESS, 0);
    const WorkerGroup background("Test", 1, sleeper, no_job, never, true);
    const WorkerGroup normal("Test", 1, sleeper, no_job, never);
    const auto niceness = [](const WorkerGroup& group) {
        return getpriority(PRIO_PROCESS, static_cast<id_t>(group.worker(0).pid()));
    };
    EXPECT_TRUE(comes_true([&] { return niceness(background) == std::min(own + 5, 19); }));
    EXPECT_TRUE(
        comes_true([&] { return sched_getscheduler(background.worker(0).pid()) == SCHED_BATCH; }));
    EXPECT_EQ(niceness(normal), own);
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), own);
}

TEST_F(WorkerGroupTest, ReplacesAWorkerThatWasKilled) {
    int dead = 0;
    WorkerGroup group(
        "Test", 2, sleeper,
        [&](const lanes::Process& worker) {
            dead = worker.pid();
            return 1;
        },
        never);
    const int first = group.worker(0).pid(), second = group.worker(1).pid();
    kill_and_wait(group.worker(1));
    group.check_workers();
    EXPECT_EQ(dead, second);
    EXPECT_EQ(group.worker(0).pid(), first);
    EXPECT_TRUE(group.worker(1).alive());
    EXPECT_NE(group.worker(1).pid(), second);
    EXPECT_EQ(group.worker_failures(),
              std::vector<std::string>{"worker 2 ended by signal 9 (Killed)"});
}

TEST_F(WorkerGroupTest, ReportsAWorkerThatThrew) {
    WorkerGroup group(
        "Test", 1,
        [](int) {
            return std::make_unique<Doing>([] { throw std::runtime_error("no such file"); });
        },
        one_job, never);
    testing::internal::CaptureStderr();
    EXPECT_TRUE(comes_true([&] { return !group.worker(0).alive(); }));
    EXPECT_SAYS(group.check_workers(), "Test: worker ended: std::runtime_error: no such file");
    testing::internal::GetCapturedStderr();
}

TEST_F(WorkerGroupTest, GivesUpAJobThatHasEndedThreeWorkers) {
    int deaths = 0;
    WorkerGroup group("Test", 1, sleeper, [&](const lanes::Process&) { return ++deaths; }, never);
    for (int i = 0; i < 2; ++i) {
        kill_and_wait(group.worker(0));
        group.check_workers();
    }
    kill_and_wait(group.worker(0));
    EXPECT_SAYS(group.check_workers(), "the third that this job has ended");
}

TEST_F(WorkerGroupTest, GivesUpWhenWorkersDieWithoutAJob) {
    WorkerGroup group("Test", 1, sleeper, no_job, never);
    for (int i = 0; i < 2; ++i) {
        kill_and_wait(group.worker(0));
        group.check_workers();
    }
    group.progressed();  // a result has arrived: the workers are alive
    for (int i = 0; i < 2; ++i) {
        kill_and_wait(group.worker(0));
        group.check_workers();
    }
    kill_and_wait(group.worker(0));
    EXPECT_SAYS(group.check_workers(), "before it had a job");
}

TEST_F(WorkerGroupTest, DoesNotReplaceAWorkerThatWasToldToEnd) {
    WorkerGroup group(
        "Test", 2, [](int) { return std::make_unique<Doing>([] {}); }, no_job, always);
    EXPECT_TRUE(group.finish(10));
    group.check_workers();
    EXPECT_FALSE(group.worker(0).alive());
    EXPECT_TRUE(group.worker_failures().empty());
}

TEST_F(WorkerGroupTest, ReportsAWorkerThatReturnedBeforeItWasToldToEnd) {
    WorkerGroup group("Test", 1, [](int) { return std::make_unique<Doing>([] {}); }, no_job, never);
    EXPECT_TRUE(group.finish(10));
    EXPECT_SAYS(group.check_workers(),
                "Test: worker ended with exit code 0, but was not told that there are no more "
                "jobs.");
}

TEST_F(WorkerGroupTest, FinishEndsAfterItsTimeLimit) {
    WorkerGroup group("Test", 1, sleeper, no_job, never);
    EXPECT_FALSE(group.finish(0.03));
}

TEST_F(WorkerGroupTest, DoesNotBelongToAForkedCopyOfItsProcess) {
    WorkerGroup group("Test", 1, sleeper, no_job, never);
    const pid_t copy = fork();
    if (copy == 0)
        _exit(error_of([&] { group.check_workers(); }).find("Test: its workers are gone.") == 0
                  ? 0
                  : 1);
    int status = 0;
    waitpid(copy, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(group.worker(0).alive());
}

}  // namespace
