// Batches in slots of shared memory: filled in place by processes or threads, and trained on in
// place.
#include "base/kept_process.hpp"
#include "lanes/base/error.hpp"
#include "lanes/parallel/shared_ring.hpp"
#include "mlp/augmented/worker_stream.hpp"
#include "parallel/background.hpp"

#include <exception>
#include <mutex>
#include <thread>

namespace lanes::augmented {

namespace {

auto worker_maker(const Plan& plan, const char* name) {
    return [make = plan.settings.make_ring_worker, &images = plan.images,
            bounds = plan.settings.bounds(1), seed = plan.seed,
            name = std::string(name)](int number, Worker::Jobs& jobs, SharedRing& ring) {
        return make({jobs, images, bounds, seed, name + std::to_string(number + 1)}, ring);
    };
}

class ByRing : public WorkerStream {
public:
    void replace_dead_workers() override { check_workers(); }

    // If a worker dies after this, its job still returns to the queue, and its successor takes it.
    void close_jobs() override { jobs_.close(); }

protected:
    explicit ByRing(const Plan& plan)
        : WorkerStream(plan),
          pixels_(plan.images.x.shape(1)),
          classes_(plan.images.y.shape(1)),
          ring_(plan.slots, std::max<std::size_t>(
                                1, plan.largest_batch * (pixels_ + classes_) * sizeof(float))) {}

    bool receive(double seconds) override {
        const std::function<void()> on_wait = [this] { check_workers(); };
        auto slot = ring_.get(seconds, &on_wait);
        if (!slot) return false;
        progressed();
        const auto owner = std::make_shared<SharedRing::Filled>(std::move(*slot));
        const std::size_t images = owner->size() / sizeof(float) / (pixels_ + classes_);
        const auto* const x = owner->data<float>();
        arrived(owner->tag(), Batch(owner, x, x + images * pixels_, images, pixels_, classes_));
        return true;
    }

    virtual void check_workers() = 0;
    virtual void progressed() {}

    std::size_t pixels_, classes_;
    SharedRing ring_;
};

class ByProcesses : public ByRing {
public:
    explicit ByProcesses(const Plan& plan)
        : ByRing(plan),
          group_(
              "AugmentedNetwork", plan.settings.first_workers(),
              [this, make = worker_maker(plan, "worker ")](int number) {
                  return make(number, jobs_, ring_);
              },
              [this](const Process& dead) {
                  ring_.reclaim_slots_of(dead.pid());
                  return jobs_.requeue_job_of(dead.pid());
              },
              [this](const Process& ended) { return jobs_.saw_end(ended.pid()); },
              plan.settings.works_ahead()) {}

    int workers() const override { return group_.size(); }
    void grow_to(int workers) override { group_.grow_to(workers); }
    const std::vector<std::string>& worker_failures() const override {
        return group_.worker_failures();
    }

protected:
    void check_workers() override { group_.check_workers(); }
    void progressed() override { group_.progressed(); }

private:
    const KeptProcess kept_{"worker processes"};
    WorkerGroup group_;
};

// The same workers, run by threads. An exception of one of them is rethrown when the network waits
// for a batch.
class ByThreads : public ByRing {
public:
    explicit ByThreads(const Plan& plan)
        : ByRing(plan), make_([this, make = worker_maker(plan, "thread ")](int number) {
              return make(number, jobs_, ring_);
          }) {
        grow_to(plan.settings.first_workers());
    }
    ByThreads(const ByThreads&) = delete;
    ByThreads& operator=(const ByThreads&) = delete;
    ~ByThreads() override {
        jobs_.close();
        ring_.close();
        for (std::thread& thread : threads_) thread.join();
    }

    int workers() const override { return static_cast<int>(threads_.size()); }
    void grow_to(int workers) override {
        for (int number = this->workers(); number < workers; ++number) {
            workers_.push_back(make_(number));
            threads_.emplace_back([this, worker = workers_.back().get()] { work(*worker); });
        }
    }
    const std::vector<std::string>& worker_failures() const override { return none_; }

protected:
    void check_workers() override {
        const std::lock_guard lock(guard_);
        if (problem_) std::rethrow_exception(problem_);
    }

private:
    void work(Process& worker) {
        work_in_background();
        try {
            worker.run();
            LANES_REQUIRE(jobs_.closed() && jobs_.empty(), "AugmentedNetwork: ", worker.name(),
                          " returned, but was not told that there are no more jobs. A worker "
                          "takes jobs until then, while (auto job = jobs.get()).");
        } catch (...) {
            const std::lock_guard lock(guard_);
            if (!problem_) problem_ = std::current_exception();
        }
    }

    WorkerGroup::Make make_;
    std::vector<std::unique_ptr<Process>> workers_;
    std::vector<std::thread> threads_;
    std::mutex guard_;
    std::exception_ptr problem_;
    std::vector<std::string> none_;
};

}  // namespace

std::unique_ptr<WorkerStream> make_by_ring(const Plan& plan) {
    return std::make_unique<ByProcesses>(plan);
}
std::unique_ptr<WorkerStream> make_by_threads(const Plan& plan) {
    return std::make_unique<ByThreads>(plan);
}

}  // namespace lanes::augmented
