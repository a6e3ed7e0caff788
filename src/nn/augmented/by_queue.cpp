// Batches as messages: through the library's queue, or one of the student's own.
#include "batch_maker.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/parallel/pipe_queue.hpp"

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

constexpr double patience = 5;     // seconds without a batch, after a worker was killed
constexpr double time_to_end = 2;  // seconds for workers to finish what they are at

// Queues in which a thread still waits because a worker died inside put: nobody else may read from
// them. The thread keeps the queue, so the address stays its own.
class Abandoned {
public:
    static Abandoned& all() {
        static Abandoned& the = *new Abandoned;  // threads may outlive every static object
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

// A queue of the student's own may wait for ever, and where a worker dies it may have reason to. So
// a thread waits in it, and the network looks around meanwhile. The thread has its own share of
// everything, because it may be left behind.
class Courier {
public:
    explicit Courier(std::shared_ptr<Queue<std::string>> queue)
        : queue_(std::move(queue)), shared_(std::make_shared<Shared>()) {
        LANES_REQUIRE(!Abandoned::all().has(queue_.get()),
                      "AugmentedNetwork: the result queue was left in the middle of a message when "
                      "a worker died. Give the network a new one (use_result_queue).");
        std::thread([shared = shared_, queue = queue_] { work(*shared, *queue); }).detach();
    }
    Courier(const Courier&) = delete;
    Courier& operator=(const Courier&) = delete;
    ~Courier() {
        const std::lock_guard lock(shared_->guard);
        shared_->stop = true;
        if (shared_->inside) Abandoned::all().add(queue_.get());
        shared_->changed.notify_all();
    }

    // How many messages are still to come: the thread waits for no more than these.
    void expect(std::size_t messages) {
        const std::lock_guard lock(shared_->guard);
        shared_->expected = messages;
        if (shared_->expected > shared_->messages.size()) shared_->changed.notify_all();
    }

    bool waits() const {  // for messages that have not come
        const std::lock_guard lock(shared_->guard);
        return shared_->inside || shared_->expected > shared_->messages.size();
    }

    // From here on what comes is thrown away, until the empty message: no batch is empty.
    void drain() {
        const std::lock_guard lock(shared_->guard);
        shared_->draining = true;
        shared_->changed.notify_all();
    }

    // Sends the thread home by such a message, once no worker is left. Another thread puts it: a
    // worker that was killed may have taken the queue's lock with it. The queue counts right only
    // once that put has returned, too.
    void dismiss() {
        std::thread([shared = shared_, queue = queue_] {
            try {
                queue->put("");
            } catch (...) {
                return;  // of the student's put: the thread stays where it is
            }
            const std::lock_guard lock(shared->guard);
            shared->dismissed = true;
            shared->came.notify_all();
        }).detach();
        std::unique_lock lock(shared_->guard);
        shared_->came.wait_for(lock, std::chrono::seconds(1),
                               [&] { return !shared_->inside && shared_->dismissed; });
    }

    bool get(std::string& message, double seconds, const std::function<void()>& tend) {
        const auto until = std::chrono::steady_clock::now() +
                           std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                               std::chrono::duration<double>(std::min(seconds, 1e9)));
        for (;;) {
            {
                std::unique_lock lock(shared_->guard);
                const auto next_look = std::min(
                    until, std::chrono::steady_clock::now() + std::chrono::milliseconds(20));
                if (seconds > 0)
                    shared_->came.wait_until(lock, next_look, [&] {
                        return shared_->problem || !shared_->messages.empty();
                    });
                if (shared_->problem)
                    std::rethrow_exception(std::exchange(shared_->problem, nullptr));
                if (!shared_->messages.empty()) {
                    message = std::move(shared_->messages.front());
                    shared_->messages.pop_front();
                    if (shared_->expected > 0)
                        --shared_
                              ->expected;  // else the thread might wait for one that nobody sends
                    return true;
                }
            }
            if (std::chrono::steady_clock::now() >= until) return false;
            if (interrupted())
                throw Error("AugmentedNetwork: interrupted while it waited for a batch.");
            tend();
        }
    }

private:
    struct Shared {
        std::mutex guard;
        std::condition_variable changed, came;
        std::size_t expected = 0;
        bool stop = false, draining = false, inside = false;  // inside: the thread is in get
        bool dismissed = false;                               // the last message is in the queue
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
        Abandoned::all().remove(&queue);
    }

    std::shared_ptr<Queue<std::string>> queue_;
    std::shared_ptr<Shared> shared_;
};

class ByQueue : public BatchMaker {
public:
    explicit ByQueue(const Plan& plan)
        : BatchMaker(plan),
          queue_(plan.queue ? plan.queue : std::make_shared<PipeQueue<std::string>>()),
          crew_(
              "AugmentedNetwork", plan.workers,
              [this, plan](int number) {
                  return plan.make_queue_worker({jobs_, plan.images, plan.bounds, plan.seed,
                                                 "worker " + std::to_string(number + 1)},
                                                *queue_);
              },
              [this](const Process& dead) { return jobs_.give_back(dead.pid()); }, plan.ahead),
          // after the workers were forked: a process with one thread is forked with less ado
          courier_(plan.queue ? std::make_unique<Courier>(queue_) : nullptr) {}

    ByQueue(const ByQueue&) = delete;
    ByQueue& operator=(const ByQueue&) = delete;
    ~ByQueue() override {
        try {
            if (courier_) end_in_order();
        } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): interrupted, or no
                                           // thread could be started; the workers are killed
        }
    }

    int workers() const override { return crew_.size(); }
    void grow_to(int workers) override { crew_.grow_to(workers); }
    void look_after_workers() override { crew_.tend(); }
    const std::vector<std::string>& deaths() const override { return crew_.deaths(); }

protected:
    bool receive(double seconds) override {
        const Timer waiting;
        const std::function<void()> tend = [this, &waiting] {
            crew_.tend();
            if (!courier_ || crew_.deaths().empty() || waiting.seconds() < patience) return;
            throw Error("AugmentedNetwork: no batch has come for 5 s, and " +
                        crew_.deaths().back() +
                        " before. It may have died inside put, with the queue's lock in its hands. "
                        "Give the network a new queue; lanes::PipeQueue survives this.");
        };
        const auto bytes = std::make_shared<std::string>();  // the batch stays where it lies
        if (courier_) {
            if (!courier_->get(*bytes, seconds, tend)) return false;
        } else {
            auto message = pipe().get_for(seconds, &tend);
            if (!message) return false;
            *bytes = std::move(*message);
        }
        const BatchView batch = view_of(*bytes);
        crew_.progressed();
        arrived(batch.index,
                Batch(bytes, batch.x, batch.y, batch.images, batch.pixels, batch.classes));
        on_put();
        return true;
    }

    void on_put() override {
        if (courier_) courier_->expect(open());
    }

private:
    PipeQueue<std::string>& pipe() {
        return static_cast<PipeQueue<std::string>&>(*queue_);
    }  // where there is no courier

    // A worker that is killed inside put would take the lock of a student's queue with it, or a
    // count that is still to come: so workers finish what they are at. After an interrupt or an
    // error a thread may wait in get, for ever then: what is put is thrown away until it has left,
    // and the queue is as good as new.
    void end_in_order() {
        const bool messages_are_missing = courier_->waits();
        jobs_.clear();
        jobs_.close();
        if (messages_are_missing) courier_->drain();
        const auto any_runs = [this] {
            for (int number = 0; number < crew_.size(); ++number)
                if (crew_.worker(number).alive()) return true;
            return false;
        };
        const Timer timer;
        while (any_runs() && timer.seconds() < time_to_end)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (messages_are_missing && !any_runs()) courier_->dismiss();
    }

    std::shared_ptr<Queue<std::string>> queue_;
    Crew crew_;
    std::unique_ptr<Courier> courier_;
};

}  // namespace

std::unique_ptr<BatchMaker> make_by_queue(const Plan& plan) {
    return std::make_unique<ByQueue>(plan);
}

}  // namespace lanes::augmented
