#include "lanes/mlp/augmented_network.hpp"

#include "lanes/base/error.hpp"
#include "mlp/augmented/settings.hpp"
#include "mlp/augmented/worker_batches.hpp"
#include "mlp/batch_source.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <utility>

namespace lanes {

using augmented::WorkerBatches;

const char* name_of(BatchPipeline pipeline) {
    switch (pipeline) {
        case BatchPipeline::whole_epoch:
            return "whole epoch";
        case BatchPipeline::pipeline:
            return "pipeline";
        case BatchPipeline::shared_ring:
            return "shared ring";
        case BatchPipeline::threads:
            return "threads";
    }
    return "";
}

struct AugmentedNetwork::State {
    augmented::Settings settings;
    std::uint64_t next_job = 0;        // never used twice: it selects the random numbers of a batch
    WorkerBatches* running = nullptr;  // while fit runs
    std::vector<std::string> deaths;
};

AugmentedNetwork::AugmentedNetwork(Sizes sizes, TrainingOptions options, NetworkParts parts)
    : NeuralNetwork(std::move(sizes), options, std::move(parts)),
      state_(std::make_unique<State>()) {
    use_worker<Worker>();
}

AugmentedNetwork::AugmentedNetwork(AugmentedNetwork&&) noexcept = default;
AugmentedNetwork& AugmentedNetwork::operator=(AugmentedNetwork&&) noexcept = default;
AugmentedNetwork::~AugmentedNetwork() = default;

void AugmentedNetwork::set_pipeline(BatchPipeline pipeline) {
    state_->settings.pipeline = pipeline;
}

void AugmentedNetwork::set_num_workers(int workers) {
    LANES_REQUIRE(workers > 0, "AugmentedNetwork::set_num_workers: ", workers,
                  " workers. Ask for at least 1.");
    state_->settings.workers = workers;
}

void AugmentedNetwork::set_bounds(const AugmentationBounds& bounds) {
    state_->settings.bounds = [bounds](std::size_t) { return bounds; };
}

void AugmentedNetwork::set_bounds(std::function<AugmentationBounds(std::size_t)> schedule) {
    LANES_REQUIRE(schedule,
                  "AugmentedNetwork::set_bounds: an empty function. Give one that returns the "
                  "bounds of an epoch.");
    state_->settings.bounds = std::move(schedule);
}

void AugmentedNetwork::use_makers(MakeQueueWorker queue, MakeRingWorker ring) {
    state_->settings.make_queue_worker = std::move(queue);
    state_->settings.make_ring_worker = std::move(ring);
}

void AugmentedNetwork::use_worker(MakeProcess make) {
    LANES_REQUIRE(make,
                  "AugmentedNetwork::use_worker: an empty function. Give one that makes a worker.");
    use_makers(
        [make = std::move(make)](const WorkerArguments& a, Queue<std::string>& result) {
            return make(a.jobs, result, a.images);
        },
        {});
}

void AugmentedNetwork::set_result_queue(std::shared_ptr<Queue<std::string>> queue) {
    state_->settings.queue = std::move(queue);
}

const std::vector<std::string>& AugmentedNetwork::worker_failures() const { return state_->deaths; }

// The rows that a plain network would be trained on, as jobs.
std::vector<BatchJob> AugmentedNetwork::jobs_of_epoch(const Data& training, std::size_t epoch) {
    const AugmentationBounds bounds = state_->settings.bounds(epoch);
    std::vector<BatchJob> jobs;
    for (const Batch& batch : NeuralNetwork::create_batches(training)) {
        LANES_REQUIRE(batch.is_of(training),
                      "AugmentedNetwork: your create_batches makes new images, which the workers "
                      "do not have. Leave parts.create_batches empty.");
        Matrix labels(std::array<std::size_t, 2>{batch.size(), batch.classes()});
        for (std::size_t i = 0; i < batch.size(); ++i)
            std::copy_n(batch.y(i), batch.classes(), labels.data() + i * batch.classes());
        jobs.push_back({state_->next_job++,
                        {batch.rows().begin(), batch.rows().end()},
                        std::move(labels),
                        bounds});
    }
    return jobs;
}

std::vector<Batch> AugmentedNetwork::create_batches(const Data& training) {
    const std::size_t epoch = history().size() + 1;
    if (state_->running) return state_->running->make(jobs_of_epoch(training, epoch));
    WorkerBatches workers(
        state_->settings, training, options().seed(),
        {{}, state_->next_job, options().batch_size(), 1, {}},
        [this](const WorkerBatches& ended) { state_->deaths = ended.worker_failures(); });
    return workers.make(jobs_of_epoch(training, epoch));
}

std::unique_ptr<detail::BatchSource<float>> AugmentedNetwork::make_batch_source(
    const Data& training, std::size_t epochs, bool print) {
    const augmented::Settings& settings = state_->settings;
    if (print) {
        const int first = settings.first_workers();
        const int most = settings.max_workers();
        std::cout << "Starting " << first << (first < most ? " of " + std::to_string(most) : "")
                  << (settings.pipeline == BatchPipeline::threads ? " threads" : " workers")
                  << "...\n"
                  << std::flush;
    }
    state_->deaths.clear();
    auto workers = std::make_unique<WorkerBatches>(
        settings, training, options().seed(),
        WorkerBatches::Jobs{
            [this, &training](std::size_t epoch) { return jobs_of_epoch(training, epoch); },
            state_->next_job, options().batch_size(), epochs,
            [this, &training] { return create_batches(training); }},
        [this](const WorkerBatches& ended) {
            state_->deaths = ended.worker_failures();
            state_->running = nullptr;
        });
    state_->running = workers.get();
    return workers;
}

}  // namespace lanes
