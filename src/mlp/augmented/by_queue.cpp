// Batches as messages, through the library's queue or one that the user has written.
#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/parallel/pipe_queue.hpp"
#include "mlp/augmented/batch_maker.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

namespace lanes::augmented {

namespace {

// Without a batch for so long after a worker was killed, give up. Seconds.
constexpr double give_up_after = 5;

// Time for workers to finish their current job before they are ended. Seconds.
constexpr double time_to_finish = 2;

// Queues in which a reader thread still waits because a worker died inside put. Nobody else may
// read from them. The thread keeps the queue alive, so its address is not used for another one.
class AbandonedQueues {
public:
    static AbandonedQueues& all() {
        // never destroyed: threads may outlive every static object
        static AbandonedQueues& the = *new AbandonedQueues;
        return the;
    }
    void add(const Queue<std::string>* queue) {
        const std::lock_guard lock(guard_);
        queues_.insert(queue);
    }
    void remove(const Queue<std::string>* queue) {
        const std::lock_guard lock(guard_);
        queues_.erase(queue);
    }
    bool has(const Queue<std::string>* queue) {
        const std::lock_guard lock(guard_);
        return queues_.count(queue) > 0;
    }

private:
    std::mutex guard_;
    std::set<const Queue<std::string>*> queues_;
};

// get() of a user's queue may block forever, for example after a worker died. So a separate thread
// calls it, and the network checks its workers meanwhile. If that thread never returns it is left
// behind: therefore it shares the ownership of everything that it uses.
class QueueReaderThread {
public:
    explicit QueueReaderThread(std::shared_ptr<Queue<std::string>> queue)
        : queue_(std::move(queue)), shared_(std::make_shared<Shared>()) {
        LANES_REQUIRE(!AbandonedQueues::all().has(queue_.get()),
                      "AugmentedNetwork: the result queue was left in the middle of a message when "
                      "a worker died. Give the network a new one (set_result_queue).");
        std::thread([shared = shared_, queue = queue_] { work(*shared, *queue); }).detach();
    }
    QueueReaderThread(const QueueReaderThread&) = delete;
    QueueReaderThread& operator=(const QueueReaderThread&) = delete;
    ~QueueReaderThread() {
        const std::lock_guard lock(shared_->guard);
        shared_->stop = true;
        if (shared_->inside) AbandonedQueues::all().add(queue_.get());
        shared_->changed.notify_all();
    }

    // The number of messages that are still to come: the thread reads no more than these.
    void expect(std::size_t messages) {
        const std::lock_guard lock(shared_->guard);
        shared_->expected = messages;
        if (shared_->expected > shared_->messages.size()) shared_->changed.notify_all();
    }

    // True if messages are missing.
    bool is_waiting() const {
        const std::lock_guard lock(shared_->guard);
        return shared_->inside || shared_->expected > shared_->messages.size();
    }

    // From now on messages are discarded, up to an empty message: no batch is empty.
    void drain() {
        const std::lock_guard lock(shared_->guard);
        shared_->draining = true;
        shared_->changed.notify_all();
    }

    // Ends the thread by an empty message, once no worker is left. A further thread puts it,
    // because put may block: a worker that was killed may have held the queue's lock. The length of
    // the queue is correct only after that put has returned.
    void dismiss() {
        std::thread([shared = shared_, queue = queue_] {
            try {
                queue->put("");
            } catch (...) {
                return;  // the user's put has thrown: the reader thread stays in get
            }
            const std::lock_guard lock(shared->guard);
            shared->dismissed = true;
            shared->came.notify_all();
        }).detach();
        std::unique_lock lock(shared_->guard);
        shared_->came.wait_for(lock, std::chrono::seconds(1),
                               [&] { return !shared_->inside && shared_->dismissed; });
    }

    bool get(std::string& message, double seconds, const std::function<void()>& on_wait) {
        const auto until = std::chrono::steady_clock::now() +
                           std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                               std::chrono::duration<double>(std::min(seconds, 1e9)));
        for (;;) {
            {
                std::unique_lock lock(shared_->guard);
                const auto next_check = std::min(
                    until, std::chrono::steady_clock::now() + std::chrono::milliseconds(20));
                if (seconds > 0)
                    shared_->came.wait_until(lock, next_check, [&] {
                        return shared_->problem || !shared_->messages.empty();
                    });
                if (shared_->problem)
                    std::rethrow_exception(std::exchange(shared_->problem, nullptr));
                if (!shared_->messages.empty()) {
                    message = std::move(shared_->messages.front());
                    shared_->messages.pop_front();
                    // otherwise the thread might wait for a message that nobody sends
                    if (shared_->expected > 0) --shared_->expected;
                    return true;
                }
            }
            if (std::chrono::steady_clock::now() >= until) return false;
            if (interrupted())
                throw Error("AugmentedNetwork: interrupted while waiting for a batch.");
            on_wait();
        }
    }

private:
    struct Shared {
        std::mutex guard;
        std::condition_variable changed, came;
        std::size_t expected = 0;  // messages
        bool stop = false;
        bool draining = false;
        bool inside = false;     // the thread is in get
        bool dismissed = false;  // the empty message is in the queue
        std::deque<std::string> messages;
        std::exception_ptr problem;
    };

    static void work(Shared& shared, Queue<std::string>& queue) {
        std::unique_lock lock(shared.guard);
        for (;;) {
            shared.inside = false;
            shared.came.notify_all();
            shared.changed.wait(lock, [&] {
                return shared.stop || shared.draining || shared.expected > shared.messages.size();
            });
            if (shared.stop) break;
            shared.inside = true;
            lock.unlock();
            try {
                std::string message = queue.get();
                lock.lock();
                if (shared.draining && message.empty()) break;
                if (!shared.draining) shared.messages.push_back(std::move(message));
            } catch (...) {
                if (!lock.owns_lock()) lock.lock();
                shared.problem = std::current_exception();
                shared.expected = 0;
                if (shared.draining) break;
            }
        }
        shared.inside = false;
        shared.came.notify_all();
        AbandonedQueues::all().remove(&queue);
    }

    std::shared_ptr<Queue<std::string>> queue_;
    std::shared_ptr<Shared> shared_;
};

class ByQueue : public BatchMaker {
public:
    explicit ByQueue(const Plan& plan)
        : BatchMaker(plan),
          queue_(plan.settings.queue ? plan.settings.queue
                                     : std::make_shared<PipeQueue<std::string>>()),
          group_(
              "AugmentedNetwork", plan.settings.first_workers(),
              [this, make = plan.settings.make_queue_worker, &images = plan.images,
               bounds = plan.settings.bounds(1), seed = plan.seed](int number) {
                  const std::string name = "worker " + std::to_string(number + 1);
                  return make({jobs_, images, bounds, seed, name}, *queue_);
              },
              [this](const Process& dead) { return jobs_.give_back(dead.pid()); },
              [this](const Process& ended) { return jobs_.saw_end(ended.pid()); },
              plan.settings.works_ahead()),
          // After the workers were forked: forking a process with one thread is simpler.
          reader_(plan.settings.queue ? std::make_unique<QueueReaderThread>(queue_) : nullptr) {}

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
    const std::vector<std::string>& deaths() const override { return group_.deaths(); }

protected:
    bool receive(double seconds) override {
        const Timer waiting;
        const std::function<void()> on_wait = [this, &waiting] {
            group_.check_workers();
            if (!reader_ || group_.deaths().empty() || waiting.seconds() < give_up_after) return;
            throw Error("AugmentedNetwork: no batch has arrived for 5 s, and " +
                        group_.deaths().back() +
                        " before. It may have died inside put while it held the queue's lock. "
                        "Give the network a new queue; lanes::PipeQueue survives this.");
        };
        const auto bytes = std::make_shared<std::string>();  // the batch refers to these bytes
        if (reader_) {
            if (!reader_->get(*bytes, seconds, on_wait)) return false;
        } else {
            auto message = pipe().get_for(seconds, &on_wait);
            if (!message) return false;
            *bytes = std::move(*message);
        }
        const BatchView batch = view_of(*bytes);
        group_.progressed();
        arrived(batch.index,
                Batch(bytes, batch.x, batch.y, batch.images, batch.pixels, batch.classes));
        on_put();
        return true;
    }

    void on_put() override {
        if (reader_) reader_->expect(open());
    }

private:
    // Only if there is no reader thread.
    PipeQueue<std::string>& pipe() { return static_cast<PipeQueue<std::string>&>(*queue_); }

    // A worker that is killed inside put could leave a user's queue locked, or with a wrong count.
    // So workers may finish their current job. After an interrupt or an error the reader thread may
    // still wait in get: messages are then discarded until it has ended, so that the queue can be
    // used again.
    void end_in_order() {
        const bool messages_are_missing = reader_->is_waiting();
        jobs_.clear();
        jobs_.close();
        if (messages_are_missing) reader_->drain();
        const auto any_runs = [this] {
            for (int number = 0; number < group_.size(); ++number)
                if (group_.worker(number).alive()) return true;
            return false;
        };
        const Timer timer;
        while (any_runs() && timer.seconds() < time_to_finish)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (messages_are_missing && !any_runs()) reader_->dismiss();
    }

    std::shared_ptr<Queue<std::string>> queue_;
    WorkerGroup group_;
    std::unique_ptr<QueueReaderThread> reader_;
};

}  // namespace

std::unique_ptr<BatchMaker> make_by_queue(const Plan& plan) {
    return std::make_unique<ByQueue>(plan);
}

}  // namespace lanes::augmented
