#include "thread_pool.hpp"

#include "kept_process.hpp"

#include "lanes/base/workers.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <pthread.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace lanes {

namespace {

constexpr std::size_t most_threads = 256;
// How long an idle thread waits actively. Longer than the serial part between two loops of a
// training step. Not much longer: beside a busy process on 16 cores, steps of a medium network took
// 2.7 ms with 100 microseconds, 4.2 with 1000 and 7.6 with 5000.
constexpr std::chrono::microseconds active_wait{200};

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");  // `yield` does nothing on most cores
#endif
}

class ThreadPool {
public:
    explicit ThreadPool(std::size_t threads) : threads_(threads), sleepers_(threads) {
        for (std::size_t thread = 1; thread < threads; ++thread)
            std::thread([this, thread] { help(thread); }).detach();
    }

    void run(std::size_t parts, std::size_t threads, detail::RunPart run, const void* task) {
        threads = std::min({threads, parts, threads_});
        if (threads <= 1 || in_use_.exchange(true)) {
            for (std::size_t part = 0; part < parts; ++part) run(task, part, 0);
            return;
        }
        const std::uint64_t number = job_ + 2;
        job_ = number - 1;
        current_.run = run;
        current_.task = task;
        current_.parts = parts;
        current_.threads = threads;
        job_ = number;
        const Job job{run, task, parts, threads};
        wake_next(job, 0);
        take_parts(number, job, 0);
        for (std::size_t group = 0; group < groups_of(job); ++group) wait_for(group, number);
        in_use_ = false;
    }

private:
    struct Job {
        detail::RunPart run;
        const void* task;
        std::size_t parts;
        std::size_t threads;
    };
    struct alignas(64) Sleeper {
        std::mutex guard;
        std::condition_variable job_given;
        std::atomic<bool> asleep{false};
    };
    // Parts are claimed in groups, so that there are at most so many of them.
    static constexpr std::size_t most_groups = most_threads;
    static std::size_t groups_of(const Job& job) { return std::min(job.parts, most_groups); }

    // Each thread begins with its own groups, which it had also in the last loop: what it wrote
    // there may still be in its cache.
    void take_parts(std::uint64_t number, const Job& job, std::size_t thread) {
        const std::size_t groups = groups_of(job);
        const std::size_t first = groups * thread / job.threads;
        for (std::size_t i = 0; i < groups; ++i) {
            const std::size_t group = (first + i) % groups;
            std::atomic<std::uint64_t>& state = groups_[group].state;
            std::uint64_t before = state.load(std::memory_order_relaxed);
            // Fails if it was claimed already. If this job has ended, all of its groups were.
            if (before >= number || !state.compare_exchange_strong(before, number)) continue;
            const std::size_t last = job.parts * (group + 1) / groups;
            for (std::size_t part = job.parts * group / groups; part < last; ++part)
                job.run(job.task, part, thread);
            state.store(number + 1, std::memory_order_release);
        }
    }

    void wait_for(std::size_t group, std::uint64_t number) {
        constexpr int worth_yielding = 2000;
        for (int spins = 0; groups_[group].state.load(std::memory_order_acquire) <= number; ++spins)
            spins < worth_yielding ? pause() : static_cast<void>(sched_yield());
    }

    // A thread of the pool.
    void help(std::size_t thread) {
        this_thread_is_replaceable();
        for (std::uint64_t seen = 0;;) {
            wait_for_job(seen, sleepers_[thread]);
            const std::uint64_t number = job_;
            if (number % 2 != 0 || number == seen) continue;  // the job is being written
            const Job job{current_.run, current_.task, current_.parts, current_.threads};
            if (job_ != number) continue;  // that was a mixture of two jobs
            seen = number;
            if (thread >= job.threads) continue;
            wake_next(job, thread);
            take_parts(number, job, thread);
        }
    }

    void wait_for_job(std::uint64_t seen, Sleeper& self) {
        const auto is_there = [&] { return job_ > seen + 1; };
        const auto until = std::chrono::steady_clock::now() + active_wait;
        do {
            for (int spins = 0; spins < 64; ++spins) {
                if (is_there()) return;
                pause();
            }
        } while (std::chrono::steady_clock::now() < until);
        std::unique_lock lock(self.guard);
        self.asleep = true;
        self.job_given.wait(lock, is_there);
        self.asleep = false;
    }

    // Each thread wakes two others, which is faster than one that wakes all.
    void wake_next(const Job& job, std::size_t thread) {
        for (const std::size_t next : {2 * thread + 1, 2 * thread + 2}) {
            if (next >= job.threads || !sleepers_[next].asleep) continue;
            // With the lock: it may have looked for a job, but not begun to sleep.
            const std::lock_guard lock(sleepers_[next].guard);
            sleepers_[next].job_given.notify_one();
        }
    }

    struct alignas(64) Group {
        // The number of the job that claimed it last, plus 1 when it was done.
        std::atomic<std::uint64_t> state{0};
    };
    struct alignas(64) CurrentJob {
        std::atomic<detail::RunPart> run{nullptr};
        std::atomic<const void*> task{nullptr};
        std::atomic<std::size_t> parts{0};
        std::atomic<std::size_t> threads{0};
    };

    alignas(64) std::atomic<std::uint64_t> job_{0};  // its number, odd while it is being written
    CurrentJob current_;
    std::array<Group, most_groups> groups_;
    alignas(64) std::atomic<bool> in_use_{false};
    const std::size_t threads_;  // with the caller's
    std::vector<Sleeper> sleepers_;
};

// Never destroyed: its threads wait until the process ends. A forked process does not have them.
std::atomic<ThreadPool*> pool{nullptr};
std::atomic<bool> one_thread{false};

ThreadPool& pool_of_this_process() {
    static std::mutex guard;
    static const int registered = pthread_atfork(nullptr, nullptr, [] { pool = nullptr; });
    static_cast<void>(registered);
    if (ThreadPool* const started = pool) return *started;
    const std::lock_guard lock(guard);
    if (pool == nullptr) pool = new ThreadPool(std::min(max_threads(), most_threads));
    return *pool;
}

}  // namespace

std::size_t max_threads() {
    static const int cores = std::max(1, std::min(num_workers(), num_cores()));
    if (one_thread) return 1;
#ifdef _OPENMP
    if (omp_in_parallel()) return 1;
#endif
    return static_cast<std::size_t>(cores);
}

void use_one_thread() { one_thread = true; }

void detail::run_parts(std::size_t parts, std::size_t threads, RunPart run, const void* task) {
    if (parts > 1 && threads > 1 && max_threads() > 1)
        return pool_of_this_process().run(parts, threads, run, task);
    for (std::size_t part = 0; part < parts; ++part) run(task, part, 0);
}

}  // namespace lanes
