#include "lanes/parallel/job_queue.hpp"

#include "helpers.hpp"
#include "lanes/base/error.hpp"
#include "lanes/parallel/pipe_queue.hpp"

#include <memory>
#include <numeric>
#include <vector>

namespace {

using lanes::JobQueue;
using lanes::PipeQueue;

class JobQueueTest : public LeavesNothing {};

TEST_F(JobQueueTest, GetReturnsJobsInOrderAndNothingAfterClose) {
    JobQueue<int> jobs;
    for (int i = 0; i < 5; ++i) jobs.put(i);
    EXPECT_EQ(jobs.length(), 5U);
    jobs.close();
    for (int i = 0; i < 5; ++i) EXPECT_EQ(jobs.get(), i);
    EXPECT_EQ(jobs.get(), std::nullopt);
    EXPECT_TRUE(jobs.empty());
    EXPECT_TRUE(jobs.closed());
    EXPECT_SAYS(jobs.put(1), "JobQueue::put: the queue is closed");
}

TEST_F(JobQueueTest, GivesEachJobToOneReader) {
    constexpr int readers = 4, count = 5000;
    JobQueue<int> jobs;
    PipeQueue<int> results;
    std::vector<std::unique_ptr<Doing>> workers;
    for (int i = 0; i < readers; ++i) {
        workers.push_back(std::make_unique<Doing>([&] {
            while (const auto job = jobs.get()) results.put(*job);
        }));
        workers.back()->start();
    }
    for (int i = 0; i < count; ++i) jobs.put(i);
    jobs.close();
    std::vector<int> times(count, 0);
    for (int i = 0; i < count; ++i) ++times[static_cast<std::size_t>(results.get())];
    EXPECT_EQ(times, std::vector<int>(count, 1));
    for (auto& worker : workers) {
        EXPECT_TRUE(worker->join(10));
        EXPECT_EQ(worker->exit_code(), 0);
    }
}

// A reader holds the lock for milliseconds while it copies such a job: longer than the time limit
// of the others. They must return without a job then, not enter without the lock.
TEST_F(JobQueueTest, GivesEachJobToOneReaderWhenTheTimeLimitIsShort) {
    constexpr int readers = 4, count = 60;
    constexpr std::size_t job_bytes = std::size_t{4} << 20;
    JobQueue<std::string> jobs(std::size_t{64} << 20);
    PipeQueue<int> results;
    std::vector<std::unique_ptr<Doing>> workers;
    for (int i = 0; i < readers; ++i) {
        workers.push_back(std::make_unique<Doing>([&] {
            while (!jobs.closed() || !jobs.empty())
                if (const auto job = jobs.get_for(1e-4)) results.put(job->front());
        }));
        workers.back()->start();
    }
    std::vector<int> times(count, 0);
    for (int i = 0; i < count; ++i) jobs.put(std::string(job_bytes, static_cast<char>(i)));
    jobs.close();
    for (auto& worker : workers) EXPECT_TRUE(worker->join(20));
    while (const auto job = results.get_for(0)) ++times[static_cast<std::size_t>(*job)];
    EXPECT_EQ(times, std::vector<int>(count, 1));
}

TEST_F(JobQueueTest, WakesAllReadersWhenItIsClosed) {
    JobQueue<int> jobs;
    std::vector<std::unique_ptr<Doing>> workers;
    for (int i = 0; i < 3; ++i) {
        workers.push_back(std::make_unique<Doing>([&] { jobs.get(); }));
        workers.back()->start();
    }
    wait_a_little(30);
    jobs.close();
    for (auto& worker : workers) EXPECT_TRUE(worker->join(10));
}

TEST_F(JobQueueTest, AJobMayWrapAroundTheEndOfTheRing) {
    JobQueue<std::string> jobs(10'000);
    for (int i = 0; i < 200; ++i) {
        const std::string job(static_cast<std::size_t>(37 * i % 3000),
                              static_cast<char>('a' + i % 26)),
            other(2000, 'z');
        jobs.put(job);
        jobs.put(other);
        ASSERT_EQ(jobs.get(), job);
        ASSERT_EQ(jobs.get(), other);
    }
}

TEST_F(JobQueueTest, PutWaitsForRoom) {
    JobQueue<std::string> jobs(1000);
    EXPECT_TRUE(jobs.put_for(std::string(600, 'a'), 0));
    EXPECT_FALSE(jobs.put_for(std::string(600, 'b'), 0.05));
    std::thread reader([&] {
        wait_a_little(30);
        EXPECT_EQ(jobs.get(), std::string(600, 'a'));
    });
    jobs.put(std::string(600, 'b'));
    reader.join();
    EXPECT_EQ(jobs.length(), 1U);
    EXPECT_SAYS(jobs.put(std::string(1000, 'c')),
                "JobQueue::put: a job of 1000 bytes in a queue of 1000");
}

TEST_F(JobQueueTest, PutsAsManyJobsAsThereIsRoomFor) {
    JobQueue<std::string> jobs(1000);
    const std::vector<std::string> all{"a", std::string(400, 'b'), std::string(400, 'c'),
                                       std::string(400, 'd'), "e"};
    EXPECT_EQ(jobs.put_some(all, 1, 0), 2U);
    EXPECT_EQ(jobs.put_some(all, 3, 0.02), 0U) << "there is no room for any of them";
    EXPECT_EQ(jobs.length(), 2U);
    EXPECT_EQ(jobs.get(), all[1]);
    EXPECT_EQ(jobs.put_some(all, 3, 0), 2U) << "the jobs that were not put can be put later";
    EXPECT_EQ(jobs.put_some(all, all.size(), 0), 0U) << "without jobs it does not wait";
    for (const std::size_t i : {2, 3, 4}) EXPECT_EQ(jobs.get(), all[i]);
    EXPECT_TRUE(jobs.empty());
    EXPECT_SAYS(jobs.put_some({"f", std::string(2000, 'g')}, 0, 0),
                "a job of 2000 bytes in a queue of 1000");
    EXPECT_TRUE(jobs.empty()) << "none is put if one is too large";
    jobs.close();
    EXPECT_SAYS(jobs.put_some(all, 0, 0), "JobQueue::put: the queue is closed");
}

TEST_F(JobQueueTest, RequeueFindsAJobThatWasPutTogetherWithOthers) {
    JobQueue<int> jobs;
    // Far more than are put before the queue drops its copies of finished jobs.
    std::vector<int> many(1000);
    std::iota(many.begin(), many.end(), 1);
    EXPECT_EQ(jobs.put_some(many, 0, 0), many.size());
    PipeQueue<int> taken;
    Doing worker([&] {
        taken.put(*jobs.get());
        taken.put(*jobs.get());
        wait_a_little(60'000);
    });
    worker.start();
    EXPECT_EQ(taken.get(), 1);
    EXPECT_EQ(taken.get(), 2);
    worker.kill();
    EXPECT_TRUE(worker.join(10));
    EXPECT_EQ(jobs.requeue_job_of(worker.pid()), 1);
    EXPECT_EQ(jobs.get(), 2);
    EXPECT_EQ(jobs.get(), 3);
}

TEST_F(JobQueueTest, TheInterruptButtonEndsEveryWait) {
    JobQueue<int> jobs(20);
    const Interrupt pressed;
    EXPECT_SAYS(jobs.get(), "JobQueue::get: interrupted");
    jobs.put(1);
    EXPECT_SAYS(jobs.put(2), "JobQueue::put: interrupted");
}

TEST_F(JobQueueTest, PutReportsAWorkerThatDiedWhileItWaited) {
    JobQueue<int> jobs(20);
    jobs.put(1);
    Doing worker([] { kill(getpid(), SIGKILL); }, "worker 2");
    worker.start();
    EXPECT_SAYS(jobs.put(2), "JobQueue::put: worker 2 ended by signal 9");
}

TEST_F(JobQueueTest, ClearDropsTheJobsThatNoWorkerHasTaken) {
    JobQueue<int> jobs;
    jobs.put(1);
    jobs.put(2);
    jobs.clear();
    EXPECT_TRUE(jobs.empty());
    jobs.put(3);
    EXPECT_EQ(jobs.get(), 3);
}

TEST_F(JobQueueTest, RequeueHandsTheJobOfADeadWorkerToTheNext) {
    JobQueue<std::string> jobs;
    for (int i = 0; i < 3; ++i) jobs.put("job " + std::to_string(i));
    for (int death = 1; death <= 3; ++death) {
        Doing worker([&] {
            if (jobs.get() == "job 0") kill(getpid(), SIGKILL);
        });
        worker.start();
        worker.join();
        EXPECT_EQ(worker.exit_code(), -SIGKILL);
        EXPECT_EQ(jobs.length(), 2U);
        EXPECT_EQ(jobs.requeue_job_of(worker.pid()), death);
        EXPECT_EQ(jobs.length(), 3U);
        EXPECT_EQ(jobs.requeue_job_of(worker.pid()), 0);
    }
    for (int i = 0; i < 3; ++i) EXPECT_EQ(jobs.get(), "job " + std::to_string(i));
}

TEST_F(JobQueueTest, RequeueIgnoresAWorkerThatHasFinishedItsJob) {
    JobQueue<int> jobs;
    jobs.put(1);
    Doing worker([&] {
        jobs.get();
        jobs.get();
    });
    worker.start();
    ASSERT_TRUE(comes_true([&] { return jobs.empty(); }));
    wait_a_little(30);
    worker.kill();
    worker.join();
    EXPECT_EQ(jobs.requeue_job_of(worker.pid()), 0);
    EXPECT_TRUE(jobs.empty());
}

TEST_F(JobQueueTest, RequeueIgnoresAJobThatWasCleared) {
    JobQueue<int> jobs;
    jobs.put(1);
    Doing worker([&] {
        jobs.get();
        wait_a_little(60'000);
    });
    worker.start();
    ASSERT_TRUE(comes_true([&] { return jobs.empty(); }));
    jobs.clear();
    worker.kill();
    worker.join();
    EXPECT_EQ(jobs.requeue_job_of(worker.pid()), 0);
    EXPECT_TRUE(jobs.empty());
}

// Readers are killed at random moments, usually inside get; the count stays right, and no job is
// lost.
TEST_F(JobQueueTest, KnowsWhichWorkersHaveSeenItsEnd) {
    JobQueue<int> jobs;
    jobs.put(1);
    jobs.put(2);
    Doing takes_one([&] { jobs.get(); }), takes_none([] {}), takes_all([&] {
        while (jobs.get()) {
        }
    });
    takes_one.start();
    takes_none.start();
    takes_one.join();
    takes_none.join();
    takes_all.start();
    EXPECT_TRUE(comes_true([&] { return jobs.empty(); }));
    EXPECT_FALSE(jobs.saw_end(takes_all.pid()));  // it is empty, but not closed
    jobs.close();
    takes_all.join();
    EXPECT_TRUE(jobs.saw_end(takes_all.pid()));
    EXPECT_FALSE(jobs.saw_end(takes_one.pid()));
    EXPECT_FALSE(jobs.saw_end(takes_none.pid()));
}

TEST_F(JobQueueTest, SurvivesTheDeathOfItsReaders) {
    constexpr int kills = 60;
    JobQueue<int> jobs;
    PipeQueue<int> results;
    const auto make = [&] {
        auto worker = std::make_unique<Doing>([&] {
            while (const auto job = jobs.get()) results.put(*job);
        });
        worker->start();
        return worker;
    };
    std::vector<std::unique_ptr<Doing>> workers;
    for (int i = 0; i < 3; ++i) workers.push_back(make());
    std::vector<int> times;
    const auto collect = [&] {
        while (const auto job = results.get_for(0)) ++times[static_cast<std::size_t>(*job)];
    };
    for (int turn = 0; turn < kills; ++turn) {
        for (int i = 0; i < 100; ++i) {
            times.push_back(0);
            jobs.put(static_cast<int>(times.size()) - 1);
        }
        collect();
        auto& victim = workers[static_cast<std::size_t>(turn % 3)];
        victim->kill();
        victim->join();
        jobs.requeue_job_of(victim->pid());
        victim = make();
    }
    jobs.close();
    for (auto& worker : workers)
        while (!worker->join(0.01)) collect();
    collect();
    EXPECT_EQ(jobs.length(), 0U);
    for (std::size_t job = 0; job < times.size(); ++job) ASSERT_GE(times[job], 1) << job;
    int doubled = 0;
    for (const int count : times) doubled += count - 1;
    EXPECT_LE(doubled, kills);  // its result was sent before the death, and the job done again
}

}  // namespace
