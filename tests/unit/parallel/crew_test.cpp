#include "lanes/parallel/crew.hpp"

#include "helpers.hpp"
#include "lanes/base/error.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <set>

namespace {

using lanes::Crew;

class CrewTest : public LeavesNothing {};

std::unique_ptr<lanes::Process> sleeper(int number) {
    return std::make_unique<Doing>([] { pause(); }, "worker " + std::to_string(number + 1));
}

int no_job(const lanes::Process&) { return 0; }
int one_job(const lanes::Process&) { return 1; }

void kill_and_wait(const lanes::Process& worker) {
    kill(worker.pid(), SIGKILL);
    ASSERT_TRUE(comes_true([&] { return !worker.alive(); }));
}

TEST_F(CrewTest, starts_as_many_as_asked_and_ends_them) {
    std::set<int> pids;
    {
        Crew crew("Test", 3, sleeper, no_job);
        ASSERT_EQ(crew.size(), 3);
        for (int i = 0; i < 3; ++i) {
            EXPECT_TRUE(crew.worker(i).alive());
            pids.insert(crew.worker(i).pid());
        }
        crew.tend();
        EXPECT_TRUE(crew.deaths().empty());
    }
    EXPECT_EQ(pids.size(), 3U);
    for (const int pid : pids) EXPECT_FALSE(exists(pid));
}

TEST_F(CrewTest, grows) {
    Crew crew("Test", 1, sleeper, no_job);
    const int first = crew.worker(0).pid();
    crew.grow_to(3);
    ASSERT_EQ(crew.size(), 3);
    EXPECT_EQ(crew.worker(0).pid(), first);
    EXPECT_EQ(crew.worker(2).name(), "worker 3");
    EXPECT_TRUE(crew.worker(2).alive());
    crew.grow_to(2);
    EXPECT_EQ(crew.size(), 3);
}

TEST_F(CrewTest, keeps_the_workers_it_has_when_another_cannot_be_started) {
    Crew crew(
        "Test", 1,
        [&](int number) -> std::unique_ptr<lanes::Process> {
            if (number > 0) throw lanes::Error("no more processes");
            return sleeper(number);
        },
        no_job);
    EXPECT_SAYS(crew.grow_to(3), "no more processes");
    ASSERT_EQ(crew.size(), 1);
    EXPECT_TRUE(crew.worker(0).alive());
    crew.tend();
    EXPECT_FALSE(crew.finish(0.03));
}

// Whoever waits for the results comes first where it has other things to do meanwhile.
TEST_F(CrewTest, works_in_the_background_if_it_shall) {
    const int own = getpriority(PRIO_PROCESS, 0);
    const Crew behind("Test", 1, sleeper, no_job, true), beside("Test", 1, sleeper, no_job);
    const auto niceness = [](const Crew& crew) {
        return getpriority(PRIO_PROCESS, static_cast<id_t>(crew.worker(0).pid()));
    };
    EXPECT_TRUE(comes_true([&] { return niceness(behind) == std::min(own + 5, 19); }));
    EXPECT_TRUE(
        comes_true([&] { return sched_getscheduler(behind.worker(0).pid()) == SCHED_BATCH; }));
    EXPECT_EQ(niceness(beside), own);
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), own);
}

TEST_F(CrewTest, replaces_a_worker_that_was_killed) {
    int dead = 0;
    Crew crew("Test", 2, sleeper, [&](const lanes::Process& worker) {
        dead = worker.pid();
        return 1;
    });
    const int first = crew.worker(0).pid(), second = crew.worker(1).pid();
    kill_and_wait(crew.worker(1));
    crew.tend();
    EXPECT_EQ(dead, second);
    EXPECT_EQ(crew.worker(0).pid(), first);
    EXPECT_TRUE(crew.worker(1).alive());
    EXPECT_NE(crew.worker(1).pid(), second);
    EXPECT_EQ(crew.deaths(), std::vector<std::string>{"worker 2 ended by signal 9 (Killed)"});
}

TEST_F(CrewTest, tells_a_worker_that_threw) {
    Crew crew(
        "Test", 1,
        [](int) {
            return std::make_unique<Doing>([] { throw std::runtime_error("no such file"); });
        },
        one_job);
    testing::internal::CaptureStderr();
    EXPECT_TRUE(comes_true([&] { return !crew.worker(0).alive(); }));
    EXPECT_SAYS(crew.tend(), "Test: worker ended: std::runtime_error: no such file");
    testing::internal::GetCapturedStderr();
}

TEST_F(CrewTest, gives_up_a_job_that_ends_its_workers) {
    int deaths = 0;
    Crew crew("Test", 1, sleeper, [&](const lanes::Process&) { return ++deaths; });
    for (int i = 0; i < 2; ++i) {
        kill_and_wait(crew.worker(0));
        crew.tend();
    }
    kill_and_wait(crew.worker(0));
    EXPECT_SAYS(crew.tend(), "the third that this job has ended");
}

TEST_F(CrewTest, gives_up_where_workers_die_without_a_job) {
    Crew crew("Test", 1, sleeper, no_job);
    for (int i = 0; i < 2; ++i) {
        kill_and_wait(crew.worker(0));
        crew.tend();
    }
    crew.progressed();  // nothing is wrong with them
    for (int i = 0; i < 2; ++i) {
        kill_and_wait(crew.worker(0));
        crew.tend();
    }
    kill_and_wait(crew.worker(0));
    EXPECT_SAYS(crew.tend(), "before it had a job");
}

TEST_F(CrewTest, a_worker_that_ended_in_order_is_not_replaced) {
    Crew crew("Test", 2, [](int) { return std::make_unique<Doing>([] {}); }, no_job);
    EXPECT_TRUE(crew.finish(10));
    crew.tend();
    EXPECT_FALSE(crew.worker(0).alive());
    EXPECT_TRUE(crew.deaths().empty());
}

TEST_F(CrewTest, finish_gives_up_after_its_time) {
    Crew crew("Test", 1, sleeper, no_job);
    EXPECT_FALSE(crew.finish(0.03));
}

TEST_F(CrewTest, is_gone_for_a_copy_of_the_process_that_made_it) {
    Crew crew("Test", 1, sleeper, no_job);
    const pid_t copy = fork();
    if (copy == 0)
        _exit(error_of([&] { crew.tend(); }).find("Test: its workers are gone.") == 0 ? 0 : 1);
    int status = 0;
    waitpid(copy, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(crew.worker(0).alive());
}

}  // namespace
