// Batches as messages, through the library's queue or one that the user has written.
#include "base/kept_process.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/parallel/pipe_queue.hpp"
#include "mlp/augmented/worker_stream.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace lanes::augmented {

namespace {

// Without a batch for so long: give up if a worker was killed before, else warn. Seconds.
constexpr double patience = 5;

// Time for workers to finish their current job before they are ended. Seconds.
constexpr double time_to_finish = 2;

// Queues in whose put a worker was killed: nobody can use them any more.
std::vector<std::weak_ptr<Queue<std::string>>>& broken_queues() {
    static std::vector<std::weak_ptr<Queue<std::string>>> queues;
    return queues;
}

// Reads from a user's queue. Its functions may block forever: a worker that was killed inside put
// may still hold the queue's lock. So each time a new thread calls them, and the network checks its
// workers meanwhile. A thread that never returns is left behind: therefore it shares the ownership
// of the queue.
class UserQueueReader {
public:
    using Message = std::optional<std::string>;

    explicit UserQueueReader(std::shared_ptr<Queue<std::string>> queue) : queue_(std::move(queue)) {
        for (const auto& broken : broken_queues())
            LANES_REQUIRE(broken.lock() != queue_,
                          "AugmentedNetwork: the result queue was left in the middle of a message "
                          "when a worker died. Give the network a new one (set_result_queue).");
    }

    // Empty if no message has come after `seconds`.
    Message get(double seconds, const std::function<void()>& on_wait) {
        const Timer timer;
        for (;;) {
            if (Message message = poll(std::min(seconds, 0.02))) return message;
            if (timer.seconds() >= seconds) return {};
            if (interrupted())
                throw Error("AugmentedNetwork: interrupted while waiting for a batch.");
            on_wait();
        }
    }

    // Discards messages until the queue is empty and `ended` returns true, so that the queue can be
    // used again.
    void drain(double seconds, const std::function<bool()>& ended) {
        for (const Timer timer; timer.seconds() < seconds;) {
            const bool last = ended();
            if (!poll(1) && last && !reading_.valid()) return;
        }
    }

private:
    // At most one reading is under way. It ends soon, also without a message, unless the queue
    // blocks.
    Message poll(double seconds) {
        if (!reading_.valid()) reading_ = start_reading();
        if (reading_.wait_for(std::chrono::duration<double>(seconds)) != std::future_status::ready)
            return {};
        return reading_.get();
    }

    std::future<Message> start_reading() {
        std::packaged_task<Message()> read([queue = queue_] {
            constexpr double moment = 0.01;  // seconds
            for (const Timer timer; queue->empty() && timer.seconds() < moment;)
                std::this_thread::sleep_for(std::chrono::microseconds(50));
            return queue->empty() ? Message() : Message(queue->get());
        });
        std::future<Message> result = read.get_future();
        std::thread(std::move(read)).detach();
        return result;
    }

    std::shared_ptr<Queue<std::string>> queue_;
    std::future<Message> reading_;
};

class ByQueue : public WorkerStream {
public:
    explicit ByQueue(const Plan& plan)
        : WorkerStream(plan),
          queue_(plan.settings.queue ? plan.settings.queue
                                     : std::make_shared<PipeQueue<std::string>>()),
          group_(
              "AugmentedNetwork", plan.settings.first_workers(),
              [this, make = plan.settings.make_queue_worker, &images = plan.images,
               bounds = plan.settings.bounds(1), seed = plan.seed](int number) {
                  const std::string name = "worker " + std::to_string(number + 1);
                  return make({jobs_, images, bounds, seed, name}, *queue_);
              },
              [this](const Process& dead) { return jobs_.requeue_job_of(dead.pid()); },
              [this](const Process& ended) { return jobs_.saw_end(ended.pid()); },
              plan.settings.works_ahead()),
          reader_(plan.settings.queue ? std::make_unique<UserQueueReader>(queue_) : nullptr) {}

    ByQueue(const ByQueue&) = delete;
    ByQueue& operator=(const ByQueue&) = delete;
    ~ByQueue() override {
        try {
            if (reader_) end_in_order();
        } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): interrupted, or no
                                           // thread could be started; the workers are killed
        }
    }

    int workers() const override { return group_.size(); }
    void grow_to(int workers) override { group_.grow_to(workers); }
    void replace_dead_workers() override { group_.check_workers(); }
    const std::vector<std::string>& worker_failures() const override {
        return group_.worker_failures();
    }

protected:
    bool receive(double seconds) override {
        const Timer waiting;
        const std::function<void()> on_wait = [this, &waiting] {
            group_.check_workers();
            if (!reader_ || waiting.seconds() < patience) return;
            if (group_.worker_failures().empty()) return warn();
            broken_queues().push_back(queue_);
            throw Error("AugmentedNetwork: no batch has arrived for 5 s, and " +
                        group_.worker_failures().back() +
                        " before. It may have died inside put while it held the queue's lock. "
                        "Give the network a new queue; lanes::PipeQueue survives this.");
        };
        std::optional<std::string> message =
            reader_ ? reader_->get(seconds, on_wait) : pipe().get_for(seconds, &on_wait);
        if (!message) return false;
        const auto bytes = std::make_shared<std::string>(std::move(*message));
        const BatchView batch = view_of(*bytes);
        group_.progressed();
        arrived(batch.index,
                Batch(bytes, batch.x, batch.y, batch.images, batch.pixels, batch.classes));
        return true;
    }

private:
    // Only if there is no reader.
    PipeQueue<std::string>& pipe() { return static_cast<PipeQueue<std::string>&>(*queue_); }

    // Slow workers are no error, so the network continues to wait.
    void warn() {
        if (std::exchange(warned_, true)) return;
        std::cerr << "AugmentedNetwork: no batch has arrived for 5 s, and the workers are alive. "
                     "The network calls get() when the queue's empty() is false, that is, when "
                     "its length() is above 0. Is length() always 0? It must count the messages "
                     "in memory that all processes share. Interrupt to stop waiting.\n";
    }

    // A worker that is killed inside put could leave a user's queue locked, or with a wrong count.
    // So workers may finish their current job.
    void end_in_order() {
        jobs_.clear();
        jobs_.close();
        reader_->drain(time_to_finish, [this] {
            for (int number = 0; number < group_.size(); ++number)
                if (group_.worker(number).alive()) return false;
            return true;
        });
    }

    std::shared_ptr<Queue<std::string>> queue_;
    const KeptProcess kept_{"worker processes"};
    WorkerGroup group_;
    std::unique_ptr<UserQueueReader> reader_;
    bool warned_ = false;
};

}  // namespace

std::unique_ptr<WorkerStream> make_by_queue(const Plan& plan) {
    return std::make_unique<ByQueue>(plan);
}

}  // namespace lanes::augmented
