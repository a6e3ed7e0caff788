// A function that runs in worker processes: jobs in, results out. Introduced in the notebook
// 04a_augmentation.
//
//   lanes::WorkerPool<int, int> pool([](int x) { return x * x; });
//   std::vector<int> squares = pool.map({1, 2, 3});  // {1, 4, 9}: in the order of the jobs
//
// The function sees all variables as they were when the pool was made. If a worker is killed or
// crashes, its job is given to another worker, up to three times. If a job throws, map and get
// throw Error with the job's number and the exception's text. Each result is delivered exactly
// once, but side effects of a job may happen twice.
//
// A pool belongs to the process that made it. If a notebook session is restored from its snapshot
// after an error, the pool reports that its workers are gone: make a new one.
#pragma once

#include "lanes/parallel/message.hpp"
#include "lanes/parallel/process.hpp"

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes {

// The pool beneath WorkerPool<Job, Result>: both are bytes.
class BytePool {
public:
    using Work = std::function<std::string(std::string)>;

    BytePool(Work work, int workers);  // workers: 0 for num_workers(), at least 2
    BytePool(BytePool&&) noexcept;
    BytePool& operator=(BytePool&&) noexcept;
    ~BytePool();

    std::size_t put(const void* data, std::size_t size);
    std::size_t get(std::string& result);  // the number of its job
    void cancel();
    std::size_t pending() const;
    int workers() const;
    const std::vector<std::string>& worker_failures() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

template <class Job, class Result>
class WorkerPool {
public:
    explicit WorkerPool(std::function<Result(const Job&)> work, int workers = 0)
        : pool_(
              [work = std::move(work)](std::string bytes) {
                  const Result result = work(Message<Job>::from(std::move(bytes)));
                  std::string scratch;
                  return std::string(Message<Result>::bytes(result, scratch));
              },
              workers) {}

    // Hands a job over and returns its number: 0 for the first one of the pool, then 1, ...
    std::size_t put(const Job& job) {
        std::string scratch;
        const std::string_view bytes = Message<Job>::bytes(job, scratch);
        return pool_.put(bytes.data(), bytes.size());
    }

    struct Answer {
        std::size_t job;
        Result result;
    };
    Answer get() {  // waits for the next result, of any job
        std::string bytes;
        const std::size_t job = pool_.get(bytes);
        return {job, Message<Result>::from(std::move(bytes))};
    }

    // One result per job, in the order of the jobs. If one fails, the others are dropped. No other
    // job may be pending.
    std::vector<Result> map(const std::vector<Job>& jobs);

    void cancel() { pool_.cancel(); }  // forgets pending jobs and their results
    std::size_t pending() const { return pool_.pending(); }  // jobs whose results get has not taken
    int workers() const { return pool_.workers(); }
    // How the workers ended that were replaced, one text per worker.
    const std::vector<std::string>& worker_failures() const { return pool_.worker_failures(); }

private:
    BytePool pool_;
};

template <class Job, class Result>
std::vector<Result> WorkerPool<Job, Result>::map(const std::vector<Job>& jobs) {
    LANES_REQUIRE(pending() == 0, "WorkerPool::map: ", pending(),
                  " jobs are pending. Take their results first, or cancel them.");
    struct Cancel {  // if an exception leaves this function
        BytePool& pool;
        ~Cancel() {
            try {
                pool.cancel();
            } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): jobs that stay in
                                               // the queue are done, and their results ignored
            }
        }
    } const cancel{pool_};
    std::vector<std::string> bytes(jobs.size());
    std::size_t first = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const std::size_t number = put(jobs[i]);
        if (i == 0) first = number;
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        std::string result;
        const std::size_t job = pool_.get(result);
        bytes[job - first] = std::move(result);
    }
    std::vector<Result> results;
    results.reserve(jobs.size());
    for (std::string& one : bytes) results.push_back(Message<Result>::from(std::move(one)));
    return results;
}

}  // namespace lanes
