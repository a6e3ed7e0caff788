// Batches that workers make for one fit. Starts the workers, keeps them supplied with jobs, and
// stops them when it is destroyed.
#pragma once

#include "lanes/base/timer.hpp"
#include "mlp/augmented/settings.hpp"
#include "mlp/augmented/worker_stream.hpp"
#include "mlp/batch_source.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lanes::augmented {

class WorkerBatches : public detail::BatchSource<float> {
public:
    struct Jobs {
        // The jobs of an epoch (1, 2, …). Their indices follow each other, through all epochs.
        std::function<std::vector<BatchJob>(std::size_t epoch)> of_epoch;
        std::uint64_t first;        // index of the first job
        std::size_t largest_batch;  // images
        std::size_t epochs;

        // Creates the batches of an epoch, by make(); used by the pipeline whole_epoch.
        std::function<std::vector<Batch>()> create_epoch;
    };
    using OnEnd = std::function<void(const WorkerBatches&)>;

    WorkerBatches(const Settings& settings, const Dataset& training, std::uint64_t seed, Jobs jobs,
                  OnEnd on_end = {});
    ~WorkerBatches() override;

    // Makes these batches, all at once. `jobs` continue those that were made so far.
    std::vector<Batch> make(std::vector<BatchJob> jobs);

    const std::vector<std::string>& worker_failures() const { return maker_->worker_failures(); }

    std::size_t start_epoch(std::size_t epoch) override;
    Batch next() override;

private:
    void supply_jobs();
    void plan_epoch();
    void add_workers();

    const Settings settings_;
    Jobs jobs_;
    OnEnd on_end_;
    detail::EpochBatches<float> whole_epoch_;
    std::size_t max_in_flight_;  // batches
    std::unique_ptr<WorkerStream> maker_;

    std::deque<BatchJob> planned_;  // not handed to the workers yet
    std::size_t in_flight_ = 0;     // handed to the workers, batch not taken yet
    std::size_t epochs_planned_ = 0;
    std::deque<std::size_t> epoch_sizes_;  // batches, of the epochs that were planned

    double waited_ = 0;  // seconds for batches, since the number of workers changed
};

}  // namespace lanes::augmented
