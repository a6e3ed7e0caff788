// A queue of jobs: one process puts them, many workers take them. It can be closed. Introduced in
// the notebook 04_augmentation.
//
//   lanes::JobQueue<int> jobs;  // make it before the workers are started: they inherit it
//   jobs.put(7);                // in the process that made it
//   jobs.close();               // no more jobs will come
//   int sum = 0;
//   while (const auto job = jobs.get()) sum += *job;  // in each worker; empty: all are taken
//
// If a worker dies, its job is not lost: a worker holds the job that it has taken until its next
// get, and give_back(pid) puts the job of a dead worker at the front of the queue. The job may have
// been finished just before the death; then its result comes twice, and the reader of the results
// must check which job a result belongs to (WorkerPool does).
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

    // How many of these were put, from the first on: as many as there was room for when there was
    // some, 0 after `seconds` without. on_wait: called while it waits, in place of the look at all
    // workers; may throw. Those that were put are moved from.
    std::size_t put(std::string* jobs, std::size_t count, double seconds,
                    const std::function<void()>* on_wait = nullptr);
    bool get(std::string& job, double seconds);  // false: closed and empty, or the time is over
    void close();
    bool closed() const;
    void clear();
    std::size_t length() const;
    int give_back(int pid);

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
    // Jobs one after another, from number `first` on, as many as there is room for; gives how many,
    // 0 after `seconds` without room. For many jobs at once that is faster: readers and the writer
    // stand in each other's way once, not for each of them.
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
    void clear() { jobs_.clear(); }  // forgets the jobs that nobody has taken
    std::size_t length() const { return jobs_.length(); }
    bool empty() const { return length() == 0; }

    // Where the process `pid`, which has ended, held a job: puts it back and says how many workers
    // have ended with it. 0: it held none.
    int give_back(int pid) { return jobs_.give_back(pid); }

private:
    static std::string bytes_of(const T& job) {
        std::string scratch;
        const std::string_view bytes = Message<T>::bytes(job, scratch);
        return bytes.data() == scratch.data() ? std::move(scratch) : std::string(bytes);
    }

    ByteJobs jobs_;
};

}  // namespace lanes
