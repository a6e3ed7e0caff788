// Takes batches off the library's pipe while the network is trained. Reading one, 50 kB in pieces with their checksums, takes as long as training on it: a
// thread of its own does it meanwhile.
#pragma once

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/parallel/background.hpp"
#include "lanes/parallel/pipe_queue.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace lanes::augmented {

class ReadAhead {
public:
    explicit ReadAhead(PipeQueue<std::string>& queue) : queue_(queue), thread_([this] { work(); }) {}
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;
    ~ReadAhead() {
        {
            const std::lock_guard lock(guard_);
            stop_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    // How many batches are still to be got: the thread reads no more than these.
    void expect(std::size_t batches) {
        bool has_work = false;
        {
            const std::lock_guard lock(guard_);
            expected_ = batches;
            has_work = expected_ > messages_.size();
        }
        if (has_work) changed_.notify_one();  // and is not woken in vain for every batch that is taken
    }

    // False: none has come within `seconds`. tend looks after the workers meanwhile, and may throw.
    bool get(std::string& message, double seconds, const std::function<void()>& tend) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::min(seconds, 1e9));
        for (;;) {
            {
                std::unique_lock lock(guard_);
                if (seconds > 0) came_.wait_for(lock, std::chrono::milliseconds(20), [this] { return problem_ || !messages_.empty(); });
                if (!messages_.empty()) {
                    message = std::move(messages_.front());
                    messages_.pop_front();
                    if (expected_ > 0) --expected_;
                    return true;
                }
                if (problem_) std::rethrow_exception(problem_);
            }
            if (seconds <= 0 || std::chrono::steady_clock::now() >= until) return false;
            if (interrupted()) throw Error("AugmentedNetwork: interrupted while it waited for a batch.");
            tend();
        }
    }

private:
    static constexpr double glance = 0.001;  // seconds: so long may the end of a training wait for the thread

    void work() {
        work_in_background();
        const std::function<void()> nothing = [] {};  // workers that died are the business of whoever waits in get
        try {
            for (;;) {
                {
                    std::unique_lock lock(guard_);
                    changed_.wait(lock, [this] { return stop_ || expected_ > messages_.size(); });
                    if (stop_) return;
                }
                auto message = queue_.get_for(glance, &nothing);
                if (!message) continue;
                const std::lock_guard lock(guard_);
                messages_.push_back(std::move(*message));
                came_.notify_one();
            }
        } catch (...) {
            const std::lock_guard lock(guard_);
            problem_ = std::current_exception();
            came_.notify_one();
        }
    }

    PipeQueue<std::string>& queue_;
    std::mutex guard_;
    std::condition_variable changed_, came_;
    std::size_t expected_ = 0;
    bool stop_ = false;
    std::deque<std::string> messages_;
    std::exception_ptr problem_;
    std::thread thread_;
};

}  // namespace lanes::augmented
