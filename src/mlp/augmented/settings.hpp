// What the user of an AugmentedNetwork has chosen.
#pragma once

#include "lanes/base/workers.hpp"
#include "lanes/mlp/augmented_network.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace lanes::augmented {

struct Settings {
    BatchPipeline pipeline = BatchPipeline::whole_epoch;
    std::optional<int> workers;
    std::function<AugmentationBounds(std::size_t epoch)> bounds = [](std::size_t) {
        return AugmentationBounds();
    };
    AugmentedNetwork::MakeQueueWorker make_queue_worker;
    AugmentedNetwork::MakeRingWorker make_ring_worker;  // empty: these workers cannot use a ring
    std::shared_ptr<Queue<std::string>> queue;          // empty: a PipeQueue

    // Are batches made while others are trained on?
    bool works_ahead() const { return pipeline != BatchPipeline::whole_epoch; }
    bool uses_ring() const {
        return pipeline == BatchPipeline::shared_ring || pipeline == BatchPipeline::threads;
    }

    int max_workers() const { return workers.value_or(std::max(2, num_workers())); }

    // Workers are started when they are needed: two make batches faster than a network of this size
    // is trained, and starting one takes as long as training on twenty batches.
    static constexpr int few = 2;
    int first_workers() const { return workers || !works_ahead() ? max_workers() : few; }
};

}  // namespace lanes::augmented
