// A queue of jobs: one process puts them, many workers take them. It can be closed. Introduced in
// the notebook 04a_augmentation.
//
//   lanes::JobQueue<int> jobs;  // make it before the workers are started: they inherit it
//   jobs.put(7);                // in the process that made it
//   jobs.close();               // no more jobs will come
//   int sum = 0;
//   while (const auto job = jobs.get()) sum += *job;  // in each worker; empty: all are taken
//
// If a worker dies, its job is not lost: a worker holds the job that it has taken until its next
// get, and requeue_job_of(pid) puts the job of a dead worker at the front of the queue. The job may
// have been finished just before the death; then its result comes twice, and the reader of the
// results must check which job a result belongs to (WorkerPool does).
//
// How: a ring buffer in shared memory, protected by a lock that stays usable if its holder dies.
#pragma once

#include "lanes/parallel/message.hpp"
#include "lanes/parallel/process.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanes {

// The queue beneath JobQueue<T>: jobs are bytes.
class ByteJobs {
public:
    explicit ByteJobs(std::size_t capacity_bytes);
    ByteJobs(ByteJobs&&) noexcept;
    ByteJobs& operator=(ByteJobs&&) noexcept;
    ~ByteJobs();

    // Waits until there is room for the first job, then puts as many as fit, in order, and returns
    // their number; 0 if there was no room within `seconds`. Jobs that were put are moved from.
    // on_wait: called in the thread that called put, about every 20 ms while there is no room,
    // instead of the check of all workers. The queue is not locked then: on_wait may replace
    // workers, call requeue_job_of, and throw; put passes the exception on. In a worker process it
    // is not called.
    std::size_t put(std::string* jobs, std::size_t count, double seconds,
                    const std::function<void()>* on_wait = nullptr);
    bool get(std::string& job, double seconds);  // false: closed and empty, or no job in time
    void close();
    bool closed() const;
    void clear();
    std::size_t length() const;
    int requeue_job_of(int pid);
    bool saw_end(int pid) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

template <class T>
class JobQueue {
public:
    explicit JobQueue(std::size_t capacity_bytes = 16 << 20) : jobs_(capacity_bytes) {}

    void put(const T& job) { put_for(job, forever); }  // waits for room
    bool put_for(const T& job, double seconds) {
        std::string bytes = bytes_of(job);
        return jobs_.put(&bytes, 1, seconds) == 1;
    }
    // Puts jobs[first], jobs[first + 1], ..., as many as there is room for, and returns how many;
    // 0 if there was no room within `seconds`. Faster than one put per job: the lock is taken once.
    std::size_t put_some(const std::vector<T>& jobs, std::size_t first, double seconds) {
        std::vector<std::string> bytes;
        bytes.reserve(jobs.size() - first);
        for (std::size_t i = first; i < jobs.size(); ++i) bytes.push_back(bytes_of(jobs[i]));
        return jobs_.put(bytes.data(), bytes.size(), seconds);
    }

    std::optional<T> get() { return get_for(forever); }  // empty: closed, and all jobs are taken
    std::optional<T> get_for(double seconds) {
        std::string bytes;
        if (!jobs_.get(bytes, seconds)) return {};
        return Message<T>::from(std::move(bytes));
    }

    void close() { jobs_.close(); }
    bool closed() const { return jobs_.closed(); }
    void clear() { jobs_.clear(); }  // drops the jobs that no worker has taken
    std::size_t length() const { return jobs_.length(); }
    bool empty() const { return length() == 0; }

    // To be called in the process that puts the jobs, after the worker `pid` has ended. If the
    // worker held a job, puts it back and returns how many workers have ended with this job;
    // otherwise 0.
    int requeue_job_of(int pid) { return jobs_.requeue_job_of(pid); }

    // Whether the last get of the worker `pid` was empty because the queue is closed and all jobs
    // are taken. A worker that ended by itself without it has left jobs behind.
    bool saw_end(int pid) const { return jobs_.saw_end(pid); }

private:
    static std::string bytes_of(const T& job) {
        std::string scratch;
        const std::string_view bytes = Message<T>::bytes(job, scratch);
        return bytes.data() == scratch.data() ? std::move(scratch) : std::string(bytes);
    }

    ByteJobs jobs_;
};

}  // namespace lanes
