// Batches as messages: through the library's queue, or one of the student's own.
#include "batch_maker.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/parallel/pipe_queue.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace lanes::augmented {

namespace {

// A queue of the student's own may wait for ever, and where a worker dies it may have reason to. So a thread waits in it, and the network looks around
// meanwhile. The thread has its own share of everything, because it may be left behind: after an interrupt it still waits for a message. Two readers would
// tear messages, so the next one to use that queue takes the thread over.
class Courier {
public:
    explicit Courier(std::shared_ptr<Queue<std::string>> queue) {
        static std::mutex guard;
        static std::map<const void*, std::weak_ptr<Shared>> couriers;
        const std::lock_guard lock(guard);
        for (auto it = couriers.begin(); it != couriers.end();) it = it->second.expired() ? couriers.erase(it) : std::next(it);
        std::weak_ptr<Shared>& courier = couriers[queue.get()];
        shared_ = courier.lock();
        if (shared_ && shared_->begins_again()) return;
        courier = shared_ = std::make_shared<Shared>();
        std::thread([shared = shared_, queue = std::move(queue)] { work(*shared, *queue); }).detach();
    }
    Courier(const Courier&) = delete;
    Courier& operator=(const Courier&) = delete;
    ~Courier() {
        const std::lock_guard lock(shared_->guard);
        shared_->stop = true;
        shared_->changed.notify_all();
    }

    // How many messages are still to come: the thread waits for no more than these.
    void expect(std::size_t messages) {
        const std::lock_guard lock(shared_->guard);
        shared_->expected = messages;
        shared_->changed.notify_all();
    }

    bool get(std::string& message, double seconds, const std::function<void()>& tend) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::min(seconds, 1e9));
        for (;;) {
            {
                std::unique_lock lock(shared_->guard);
                if (seconds > 0) shared_->came.wait_for(lock, std::chrono::milliseconds(20), [&] { return shared_->problem || !shared_->messages.empty(); });
                if (shared_->problem) std::rethrow_exception(std::exchange(shared_->problem, nullptr));
                if (!shared_->messages.empty()) {
                    message = std::move(shared_->messages.front());
                    shared_->messages.pop_front();
                    if (shared_->expected > 0) --shared_->expected;  // else the thread might wait for one that nobody sends
                    return true;
                }
            }
            if (std::chrono::steady_clock::now() >= until) return false;
            if (interrupted()) throw Error("AugmentedNetwork: interrupted while it waited for a batch.");
            tend();
        }
    }

private:
    struct Shared {
        bool begins_again() {
            if (process != getpid()) return false;  // in a copy of the process there is no such thread
            const std::lock_guard lock(guard);
            if (ended) return false;
            expected = 0;
            stop = false;
            messages.clear();
            problem = nullptr;
            return true;
        }

        const pid_t process = getpid();
        std::mutex guard;
        std::condition_variable changed, came;
        std::size_t expected = 0;
        bool stop = false, ended = false;
        std::deque<std::string> messages;
        std::exception_ptr problem;
    };

    static void work(Shared& shared, Queue<std::string>& queue) {
        std::unique_lock lock(shared.guard);
        for (;;) {
            shared.changed.wait(lock, [&] { return shared.stop || shared.expected > shared.messages.size(); });
            if (shared.stop) break;
            lock.unlock();
            try {
                std::string message = queue.get();
                lock.lock();
                if (shared.stop) {
                    queue.put(message);  // for whoever uses the queue next
                    break;
                }
                shared.messages.push_back(std::move(message));
            } catch (...) {
                if (!lock.owns_lock()) lock.lock();
                shared.problem = std::current_exception();
                shared.expected = 0;
            }
            shared.came.notify_all();
        }
        shared.ended = true;
    }

    std::shared_ptr<Shared> shared_;
};

class ByQueue : public BatchMaker {
public:
    explicit ByQueue(const Plan& plan)
        : BatchMaker(plan.first),
          queue_(plan.queue ? plan.queue : std::make_shared<PipeQueue<std::string>>()),
          crew_(
              "AugmentedNetwork", plan.workers,
              [this, plan](int number) {
                  return plan.make_queue_worker({jobs_, plan.images, plan.bounds, plan.seed, "worker " + std::to_string(number + 1)}, *queue_);
              },
              [this](const Process& dead) { return jobs_.give_back(dead.pid()); }),
          // after the workers were forked: a process with one thread is forked with less ado
          courier_(plan.queue ? std::make_unique<Courier>(queue_) : nullptr) {}

    const std::vector<std::string>& deaths() const override { return crew_.deaths(); }

protected:
    bool receive(double seconds) override {
        const std::function<void()> tend = [this] { crew_.tend(); };
        std::string bytes;
        if (courier_) {
            if (!courier_->get(bytes, seconds, tend)) return false;
        } else {
            auto message = static_cast<PipeQueue<std::string>&>(*queue_).get_for(seconds, &tend);
            if (!message) return false;
            bytes = std::move(*message);
        }
        crew_.progressed();
        ImageBatch batch = batch_of(bytes);
        arrived(batch.index, Batch(Dataset{std::move(batch.x), std::move(batch.y)}));
        if (courier_) courier_->expect(open());
        return true;
    }

    void on_put() override {
        if (courier_) courier_->expect(open());
    }

private:
    std::shared_ptr<Queue<std::string>> queue_;
    Crew crew_;
    std::unique_ptr<Courier> courier_;
};

}  // namespace

std::unique_ptr<BatchMaker> make_by_queue(const Plan& plan) { return std::make_unique<ByQueue>(plan); }

}  // namespace lanes::augmented
