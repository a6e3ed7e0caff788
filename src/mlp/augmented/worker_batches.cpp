#include "mlp/augmented/worker_batches.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/workers.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lanes::augmented {

namespace {

// If training has waited this long for batches (seconds), the number of workers is doubled.
constexpr double waited_too_long = 0.01;

// Batches per group. Below the minimum, waking the training threads costs more than it gains.
// Large networks get smaller groups: the interrupt button is checked between two groups.
constexpr std::size_t min_group = 16;
constexpr std::size_t max_group = 32;
constexpr double longest_group = 0.1;  // seconds

// How many batches may be under way, including those that are being trained on. With few cores,
// workers and validation take turns; a worker that has its turn should find enough jobs. Large
// batches are limited by memory.
std::size_t max_batches_in_flight(std::size_t batch_bytes, int workers) {
    constexpr std::size_t memory = 8 << 20;
    const std::size_t batches =
        std::clamp(memory / std::max<std::size_t>(1, batch_bytes), 2 * max_group, 4 * max_group);
    return batches + 2 * static_cast<std::size_t>(workers);
}

bool has_few_cores() { return num_workers() < 8; }

std::size_t max_in_flight(const Settings& settings, const Dataset& training,
                          std::size_t largest_batch) {
    const std::size_t floats = largest_batch * (training.x.shape(1) + training.y.shape(1));
    return max_batches_in_flight(floats * sizeof(float), settings.max_workers());
}

std::unique_ptr<BatchMaker> start_workers(const Settings& settings, const Dataset& training,
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
      maker_(start_workers(settings_, training, seed, jobs_, max_in_flight_)),
      group_size_(min_group) {}

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
        const auto last = first + std::min<std::ptrdiff_t>(max_group, jobs.end() - first);
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
    count_ = epoch_sizes_.front();
    epoch_sizes_.pop_front();
    last_group_ = 0;
    timer_.emplace();
    return count_;
}

// Keeps the workers busy, also with jobs of the next epoch: they work while the network is
// validated.
void WorkerBatches::supply_jobs() {
    while (in_flight_ < max_in_flight_) {
        if (planned_.empty()) {
            if (epochs_planned_ == jobs_.epochs) return maker_->no_more();
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

WorkerBatches::Batches WorkerBatches::next(std::size_t first, std::size_t preferred) {
    if (!settings_.works_ahead()) return whole_epoch_.next(first, preferred);
    choose_group_size(first);
    Batches batches;
    const std::size_t most = std::min(count_ - first, group_size_);
    while (batches.size() < most && (batches.size() < min_group || maker_->ready()))
        batches.push_back(take());
    last_group_ = batches.size();
    add_workers();
    supply_jobs();  // many at once: idle workers are then woken once, not for each job
    return batches;
}

void WorkerBatches::choose_group_size(std::size_t first) {
    // At least these batches are done; the last group may still be in training.
    const std::size_t done = first - last_group_;
    if (done == 0 || !timer_) return;
    const double per_second = static_cast<double>(done) / timer_->seconds();
    group_size_ =
        static_cast<std::size_t>(std::clamp<double>(longest_group * per_second, 1, max_group));
}

Batch WorkerBatches::take() {
    const bool must_wait = !maker_->ready();
    const Timer timer;
    Batch batch = maker_->take();
    if (must_wait) waited_ += timer.seconds();
    --in_flight_;
    return batch;
}

void WorkerBatches::add_workers() {
    if (waited_ < waited_too_long || maker_->workers() >= settings_.max_workers()) return;
    maker_->grow_to(std::min(settings_.max_workers(), 2 * maker_->workers()));
    waited_ = 0;
}

// With few cores, training, validation and workers share them. Training threads wait for each
// other, so they should not have to wait for a worker's turn, too. Two threads share the columns of
// a layer evenly, three mostly do not.
std::optional<int> WorkerBatches::training_threads() const {
    if (!settings_.works_ahead() || !has_few_cores()) return {};
    return std::clamp(num_workers() / 2, 1, 2);
}

// Two if they take no core away from training, from the calling thread and from the first workers.
// One thread is enough for a validation to end before the next epoch does.
int WorkerBatches::validation_threads() const {
    if (!settings_.works_ahead()) return 0;
    constexpr int that_train = 4, caller = 1;
    return std::clamp(num_workers() - that_train - caller - Settings::few, 1, 2);
}

// With enough cores, the calling thread receives batches and hands out jobs while other threads
// train. With few cores it would be woken too late, so it trains itself. A batch that comes through
// a pipe has to be copied, which takes half as long as training on it: that always pays.
bool WorkerBatches::is_async() const {
    if (!settings_.works_ahead()) return false;
    return settings_.pipeline == BatchPipeline::pipeline || !has_few_cores();
}

void WorkerBatches::on_wait(const std::function<bool()>& is_done) {
    if (settings_.pipeline == BatchPipeline::pipeline) maker_->collect(is_done);
}

}  // namespace lanes::augmented
