// Between an augmented network and its workers: jobs go in, batches come out in the order of their
// indices, whatever the workers' order.
#pragma once

#include "lanes/nn/augmented_network.hpp"
#include "lanes/parallel/crew.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lanes::augmented {

struct Plan {
    int workers;  // to start with
    const Dataset& images;
    AugmentationBounds bounds;
    std::uint64_t seed;
    std::uint64_t first;               // index of the first job
    std::size_t largest_batch, slots;  // images; batches
    AugmentedNetwork::MakeQueueWorker make_queue_worker;
    AugmentedNetwork::MakeRingWorker make_ring_worker;
    std::shared_ptr<Queue<std::string>> queue;  // empty: a PipeQueue
    bool ahead;                                 // are batches made while others are trained on?
};

class BatchMaker {
public:
    virtual ~BatchMaker() = default;

    void put(const std::vector<BatchJob>& jobs);  // indices one after another
    Batch take();                                 // the next one in order; waits for it
    bool ready();                                 // does take have to wait?
    // Takes results in while they come, until `enough` says so; waits for them for a moment at a
    // time.
    void collect(const std::function<bool()>& enough);
    virtual void no_more() {
    }  // nothing is put any more: workers may end while the last batches are trained on

    virtual int workers() const = 0;
    virtual void grow_to(int workers) = 0;  // starts more of them, if there are fewer

    // Replaces workers that have died, also those that had nothing to do and whom nobody waits for.
    // Throws what one of them threw.
    virtual void look_after_workers() = 0;

    virtual const std::vector<std::string>& deaths() const = 0;

protected:
    explicit BatchMaker(const Plan& plan);

    // Takes a result in, if one comes within `seconds`, by calling arrived; false: none came.
    virtual bool receive(double seconds) = 0;
    void arrived(std::uint64_t index, Batch batch);
    std::size_t open() const { return open_; }  // jobs whose batch has not come
    virtual void on_put() {}

    Worker::Jobs jobs_;

private:
    std::uint64_t next_;
    std::size_t open_ = 0;
    std::map<std::uint64_t, Batch> early_;  // batches that came and were not taken
};

std::unique_ptr<BatchMaker> make_by_queue(const Plan& plan);
std::unique_ptr<BatchMaker> make_by_ring(const Plan& plan);
std::unique_ptr<BatchMaker> make_by_threads(const Plan& plan);

}  // namespace lanes::augmented
