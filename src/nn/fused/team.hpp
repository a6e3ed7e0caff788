// Threads that are called to work many times: the gears train on a few batches at a time, and
// starting threads for each go would cost as much as a batch. In a forked process they are not
// there: whoever forks must not train on in the child. Where there are cores to spare, they look
// out for the next call for a while before they fall asleep: waking them takes as long as two or
// three batches.
//
// Whoever calls works with them, or does something else meanwhile. Then the next work can be given
// to them before they are done with the last: each thread goes on with it at once.
#pragma once

#include "barrier.hpp"
#include "lanes/base/workers.hpp"

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

enum class Caller { works_too, does_something_else };

class Team {
public:
    static constexpr unsigned most_at_once = 2;  // works that were given and not waited for yet

    explicit Team(unsigned threads, Caller caller = Caller::works_too)
        : size_(threads),
          caller_(caller),
          patient_(threads > 1 && static_cast<unsigned>(num_workers()) >= 2 * threads) {
        for (unsigned thread = caller == Caller::works_too ? 1 : 0; thread < threads; ++thread)
            others_.emplace_back([this, thread] { serve(thread); });
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

    // work(0) on the calling thread, work(1) … on the others; back when all are done.
    void run(std::function<void(unsigned)> work) {
        give(std::move(work));
        wait();
    }

    // The same in two parts. Works that are given one after another are begun in this order by each
    // thread, and waited for in this order.
    void give(std::function<void(unsigned)> work) {
        {
            const std::lock_guard lock(guard_);
            busy_[given_ % most_at_once] = others_.size();
            works_[given_ % most_at_once] = std::move(work);
            ++given_;
        }
        called_.notify_all();
    }

    bool is_done() const {
        return busy_[waited_ % most_at_once] == 0;
    }  // wait() would be back at once

    void wait() {
        if (caller_ == Caller::works_too) {
            works_[waited_ % most_at_once](0);
            look_out([this] { return is_done(); });
        }
        std::unique_lock lock(guard_);
        done_.wait(lock, [this] { return is_done(); });
        ++waited_;
    }

    // Until all that was given is done; it is still to be waited for.
    void finish() {
        std::unique_lock lock(guard_);
        done_.wait(lock, [this] { return busy_[0] == 0 && busy_[1] == 0; });
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
        for (unsigned seen = 0;; ++seen) {
            look_out([&] { return given_ != seen; });
            lock.lock();
            called_.wait(lock, [&] { return given_ != seen; });
            const auto& work = works_[seen % most_at_once];
            lock.unlock();
            if (!work) return;
            work(thread);
            lock.lock();
            if (--busy_[seen % most_at_once] == 0) done_.notify_one();
            lock.unlock();
        }
    }

    const unsigned size_;
    const Caller caller_;
    const bool patient_;
    std::mutex guard_;
    std::condition_variable called_, done_;
    std::array<std::function<void(unsigned)>, most_at_once> works_;  // an empty one: go home
    std::array<std::atomic<std::size_t>, most_at_once>
        busy_{};  // this and given_ are changed by whoever holds the guard
    std::atomic<unsigned> given_{0};
    unsigned waited_ = 0;
    std::vector<std::thread> others_;
};

}  // namespace lanes::fused
