#include "mlp/augmented/worker_batches.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lanes::augmented {

namespace {

// If training has waited this long for batches (seconds), the number of workers is doubled.
constexpr double waited_too_long = 0.01;

// Jobs are handed to the workers so many at a time: idle workers are then woken once, not for each
// job.
constexpr std::size_t jobs_at_once = 16;

// How many batches may be under way, including the one that is being trained on. With few
// cores, workers and training take turns; a worker that has its turn should find enough jobs. Large
// batches are limited by memory.
std::size_t max_batches_in_flight(std::size_t batch_bytes, int workers) {
    constexpr std::size_t memory = 8 << 20;
    const std::size_t batches = std::clamp(memory / std::max<std::size_t>(1, batch_bytes),
                                           4 * jobs_at_once, 8 * jobs_at_once);
    return batches + 2 * static_cast<std::size_t>(workers);
}

std::size_t max_in_flight(const Settings& settings, const Dataset& training,
                          std::size_t largest_batch) {
    const std::size_t floats = largest_batch * (training.x.shape(1) + training.y.shape(1));
    return max_batches_in_flight(floats * sizeof(float), settings.max_workers());
}

std::unique_ptr<WorkerStream> start_workers(const Settings& settings, const Dataset& training,
                                            std::uint64_t seed, const WorkerBatches::Jobs& jobs,
                                            std::size_t in_flight) {
    LANES_REQUIRE(!settings.uses_ring() || settings.make_ring_worker,
                  "AugmentedNetwork: workers that put batches into a queue cannot run the pipeline "
                  "'",
                  name_of(settings.pipeline),
                  "'. Derive them from lanes::Worker, or use BatchPipeline::pipeline.");
    // One more slot per worker than batches in flight: a worker that waits for a job holds a slot.
    const Plan plan{settings,
                    training,
                    seed,
                    jobs.first,
                    jobs.largest_batch,
                    in_flight + static_cast<std::size_t>(settings.max_workers())};
    if (settings.pipeline == BatchPipeline::threads) return make_by_threads(plan);
    return settings.uses_ring() ? make_by_ring(plan) : make_by_queue(plan);
}

}  // namespace

WorkerBatches::WorkerBatches(const Settings& settings, const Dataset& training, std::uint64_t seed,
                             Jobs jobs, OnEnd on_end)
    : settings_(settings),
      jobs_(std::move(jobs)),
      on_end_(std::move(on_end)),
      whole_epoch_(jobs_.create_epoch),
      max_in_flight_(max_in_flight(settings, training, jobs_.largest_batch)),
      maker_(start_workers(settings_, training, seed, jobs_, max_in_flight_)) {}

WorkerBatches::~WorkerBatches() {
    if (on_end_) on_end_(*this);
}

std::vector<Batch> WorkerBatches::make(std::vector<BatchJob> jobs) {
    std::vector<Batch> batches;
    batches.reserve(jobs.size());
    const auto take_next = [&] {
        Batch batch = maker_->take();
        // A ring has fewer slots than an epoch has batches: copy the batch out of its slot.
        batches.push_back(settings_.uses_ring() ? Batch(batch.gather()) : std::move(batch));
    };
    for (auto first = jobs.begin(); first != jobs.end();) {
        const auto last = first + std::min<std::ptrdiff_t>(jobs_at_once, jobs.end() - first);
        maker_->put({std::make_move_iterator(first), std::make_move_iterator(last)});
        while (batches.size() < jobs.size() && maker_->ready()) take_next();
        first = last;
    }
    while (batches.size() < jobs.size()) take_next();
    return batches;
}

std::size_t WorkerBatches::start_epoch(std::size_t epoch) {
    maker_->replace_dead_workers();
    if (!settings_.works_ahead()) return whole_epoch_.start_epoch(epoch);
    supply_jobs();
    const std::size_t count = epoch_sizes_.front();
    epoch_sizes_.pop_front();
    return count;
}

// Keeps the workers busy, also with jobs of the next epoch: they work while the network is
// validated.
void WorkerBatches::supply_jobs() {
    while (in_flight_ < max_in_flight_) {
        if (planned_.empty()) {
            if (epochs_planned_ == jobs_.epochs) return maker_->close_jobs();
            plan_epoch();
        }
        const auto first = planned_.begin();
        const auto last = first + static_cast<std::ptrdiff_t>(
                                      std::min(planned_.size(), max_in_flight_ - in_flight_));
        const std::vector<BatchJob> jobs(std::make_move_iterator(first),
                                         std::make_move_iterator(last));
        planned_.erase(first, last);
        maker_->put(jobs);
        in_flight_ += jobs.size();
    }
}

void WorkerBatches::plan_epoch() {
    std::vector<BatchJob> jobs = jobs_.of_epoch(++epochs_planned_);
    epoch_sizes_.push_back(jobs.size());
    std::move(jobs.begin(), jobs.end(), std::back_inserter(planned_));
}

Batch WorkerBatches::next() {
    if (!settings_.works_ahead()) return whole_epoch_.next();
    const bool must_wait = !maker_->ready();
    const Timer timer;
    Batch batch = maker_->take();
    if (must_wait) waited_ += timer.seconds();
    --in_flight_;
    add_workers();
    if (in_flight_ + jobs_at_once <= max_in_flight_) supply_jobs();
    return batch;
}

void WorkerBatches::add_workers() {
    if (waited_ < waited_too_long || maker_->workers() >= settings_.max_workers()) return;
    maker_->grow_to(std::min(settings_.max_workers(), 2 * maker_->workers()));
    waited_ = 0;
}

}  // namespace lanes::augmented
