// Threads that are called to work many times: the gears train on a few batches at a time, and starting threads for each go would cost as much as a batch. In a
// forked process they are not there: whoever forks must not train on in the child. Where there are cores to spare, they look out for the next call for a while
// before they fall asleep: waking them takes as long as two or three batches.
#pragma once

#include "barrier.hpp"
#include "lanes/base/workers.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lanes::fused {

class Team {
public:
    explicit Team(unsigned threads) : patient_(threads > 1 && static_cast<unsigned>(num_workers()) >= 2 * threads) {
        for (unsigned thread = 1; thread < threads; ++thread) others_.emplace_back([this, thread] { serve(thread); });
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team() {
        {
            const std::lock_guard lock(guard_);
            work_ = nullptr;
            ++round_;
        }
        called_.notify_all();
        for (std::thread& other : others_) other.join();
    }

    unsigned size() const { return static_cast<unsigned>(others_.size()) + 1; }

    // work(0) on the calling thread, work(1) … on the others; back when all are done.
    void run(const std::function<void(unsigned)>& work) {
        {
            const std::lock_guard lock(guard_);
            work_ = &work;
            busy_ = others_.size();
            ++round_;
        }
        called_.notify_all();
        work(0);
        look_out([this] { return busy_ == 0; });
        std::unique_lock lock(guard_);
        done_.wait(lock, [this] { return busy_ == 0; });
    }

private:
    template <class What>
    void look_out(const What& happened) const {
        if (!patient_) return;
        const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
        for (unsigned looks = 1; !happened(); ++looks) {
            if (looks % 16 == 0) pause();
            if (looks % 256 == 0 && std::chrono::steady_clock::now() > until) return;
        }
    }

    void serve(unsigned thread) {
        std::unique_lock lock(guard_, std::defer_lock);
        for (unsigned seen = 0;;) {
            look_out([&] { return round_ != seen; });
            lock.lock();
            called_.wait(lock, [&] { return round_ != seen; });
            seen = round_;
            const auto* const work = work_;
            if (work == nullptr) return;
            lock.unlock();
            (*work)(thread);
            lock.lock();
            if (--busy_ == 0) done_.notify_one();
            lock.unlock();
        }
    }

    std::mutex guard_;
    std::condition_variable called_, done_;
    const std::function<void(unsigned)>* work_ = nullptr;  // nullptr in a new round: go home
    std::atomic<unsigned> round_{0};                       // this and busy_ are changed by whoever holds the guard
    std::atomic<std::size_t> busy_{0};
    const bool patient_;
    std::vector<std::thread> others_;
};

}  // namespace lanes::fused
