// A team of threads that runs many short tasks. Training goes through a few batches at a time, and
// starting threads for each group of batches would cost as much as a batch. If there are cores to
// spare, idle threads spin for a while before they sleep, because waking them takes as long as two
// or three batches.
//
// The calling thread takes part in a task, or does something else meanwhile. In the second case the
// next task can be given before the last one is done, and each thread continues with it at once.
//
// A forked child process does not have these threads: it must not use the team.
#pragma once

#include "lanes/base/workers.hpp"
#include "mlp/fused/barrier.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace lanes::fused {

enum class Caller { takes_part, does_something_else };

class Team {
public:
    static constexpr unsigned max_tasks = 2;  // given and not waited for yet

    explicit Team(unsigned threads, Caller caller = Caller::takes_part)
        : size_(threads),
          caller_(caller),
          spins_(threads > 1 && static_cast<unsigned>(num_workers()) >= 2 * threads) {
        for (unsigned thread = caller == Caller::takes_part ? 1 : 0; thread < threads; ++thread)
            others_.emplace_back([this, thread] { run_tasks(thread); });
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team() {
        while (caller_ == Caller::does_something_else && waited_ != given_) wait();
        give({});
        for (std::thread& other : others_) other.join();
    }

    unsigned size() const { return size_; }
    Caller caller() const { return caller_; }

    // Calls task(0) on the calling thread, task(1), … on the others. Returns when all are done.
    void run(std::function<void(unsigned)> task) {
        give(std::move(task));
        wait();
    }

    // The same in two parts. Each thread runs the tasks in the order in which they were given, and
    // wait() waits for them in this order.
    void give(std::function<void(unsigned)> task) {
        {
            const std::lock_guard lock(guard_);
            busy_[given_ % max_tasks] = others_.size();
            tasks_[given_ % max_tasks] = std::move(task);
            ++given_;
        }
        task_given_.notify_all();
    }

    // wait() would return at once.
    bool is_done() const { return busy_[waited_ % max_tasks] == 0; }

    void wait() {
        if (caller_ == Caller::takes_part) {
            tasks_[waited_ % max_tasks](0);
            spin_until([this] { return is_done(); });
        }
        std::unique_lock lock(guard_);
        task_done_.wait(lock, [this] { return is_done(); });
        ++waited_;
    }

    // Blocks until all given tasks are done. wait() must still be called for each of them.
    void finish() {
        std::unique_lock lock(guard_);
        task_done_.wait(lock, [this] { return busy_[0] == 0 && busy_[1] == 0; });
    }

private:
    // Returns after at most 200 microseconds.
    template <class Condition>
    void spin_until(const Condition& is_true) const {
        if (!spins_) return;
        const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
        for (unsigned spins = 1; !is_true(); ++spins) {
            if (spins % 16 == 0) pause();
            if (spins % 256 == 0 && std::chrono::steady_clock::now() > until) return;
        }
    }

    void run_tasks(unsigned thread) {
        std::unique_lock lock(guard_, std::defer_lock);
        for (unsigned seen = 0;; ++seen) {
            spin_until([&] { return given_ != seen; });
            lock.lock();
            task_given_.wait(lock, [&] { return given_ != seen; });
            const auto& task = tasks_[seen % max_tasks];
            lock.unlock();
            if (!task) return;
            task(thread);
            lock.lock();
            if (--busy_[seen % max_tasks] == 0) task_done_.notify_one();
            lock.unlock();
        }
    }

    const unsigned size_;
    const Caller caller_;
    const bool spins_;
    std::mutex guard_;
    std::condition_variable task_given_;
    std::condition_variable task_done_;
    std::array<std::function<void(unsigned)>, max_tasks> tasks_;  // an empty one ends the threads

    // Changed only with guard_ locked, read also without.
    std::array<std::atomic<std::size_t>, max_tasks> busy_{};  // threads that still run the task
    std::atomic<unsigned> given_{0};                          // tasks so far

    unsigned waited_ = 0;  // tasks so far
    std::vector<std::thread> others_;
};

}  // namespace lanes::fused
