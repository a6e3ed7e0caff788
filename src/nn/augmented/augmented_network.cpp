#include "lanes/nn/augmented_network.hpp"

#include "batch_maker.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/base/workers.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>

namespace lanes {

namespace {

// Workers are started when they are needed: two make batches faster than a network of this size is
// trained, and starting one takes as long as training on twenty. Where the network has waited so
// long for batches, in seconds, their number is doubled.
constexpr int workers_at_first = 2;
constexpr double too_long = 0.01;

// Batches of a go: below, starting the training's threads costs more than it brings. Large networks
// take fewer: the interrupt button is looked at between two goes.
constexpr std::size_t fewest_at_once = 16, most_at_once = 32;
constexpr double longest_go = 0.1;  // seconds

// How many batches may be on the way, those that are trained on included. On a machine with few
// cores workers and validation take turns, and whoever has the core makes use of it while there is
// room; large batches need memory, too.
std::size_t batches_ahead(std::size_t batch_bytes, int workers) {
    constexpr std::size_t memory = 8 << 20;
    const std::size_t room = std::clamp(memory / std::max<std::size_t>(1, batch_bytes),
                                        2 * most_at_once, 4 * most_at_once);
    return room + 2 * static_cast<std::size_t>(workers);
}

bool has_few_cores() { return num_workers() < 8; }

// Training, validation and workers share the cores where there are few: threads that wait for each
// other must not wait for a worker's turn, too. Two share the columns of a layer evenly, three
// mostly do not.
int training_threads() { return has_few_cores() ? std::clamp(num_workers() / 2, 1, 2) : 0; }

}  // namespace

const char* name_of(Gear gear) {
    switch (gear) {
        case Gear::whole_epoch:
            return "whole epoch";
        case Gear::pipeline:
            return "pipeline";
        case Gear::shared_ring:
            return "shared ring";
        case Gear::threads:
            return "threads";
    }
    return "";
}

struct AugmentedNetwork::State {
    Gear gear = Gear::whole_epoch;
    int workers = 0;
    std::function<AugmentationBounds(std::size_t)> bounds = [](std::size_t) {
        return AugmentationBounds();
    };
    MakeQueueWorker make_queue_worker;
    MakeRingWorker make_ring_worker;
    std::shared_ptr<Queue<std::string>> queue;

    std::uint64_t next_job =
        0;  // through all epochs and fits: no batch is made with the random arguments of another
    std::unique_ptr<augmented::BatchMaker> maker;
    std::vector<std::string> deaths;

    // Of the gears that work ahead: jobs that are not handed over yet, those that are and have not
    // come back, and what was planned.
    std::deque<BatchJob> planned;
    std::size_t ahead = 0, epochs_planned = 0, most_ahead = 0;
    std::size_t in_one_go = fewest_at_once;  // batches
    double waited = 0;  // seconds, for batches, since the workers were started or became more
    std::deque<std::size_t> epoch_sizes;

    int number_of_workers() const { return workers > 0 ? workers : std::max(2, num_workers()); }
    int number_at_first() const {
        return workers > 0 || gear == Gear::whole_epoch ? number_of_workers() : workers_at_first;
    }

    void start(const Data& training, std::size_t largest_batch, std::uint64_t seed) {
        most_ahead = batches_ahead(
            largest_batch * (training.x.shape(1) + training.y.shape(1)) * sizeof(float),
            number_of_workers());
        // a slot for each worker beside those on the way: a worker that waits for a job has claimed
        // one
        const augmented::Plan plan{number_at_first(),
                                   training,
                                   bounds(1),
                                   seed,
                                   next_job,
                                   largest_batch,
                                   most_ahead + static_cast<std::size_t>(number_of_workers()),
                                   make_queue_worker,
                                   make_ring_worker,
                                   queue,
                                   gear != Gear::whole_epoch};
        const bool by_ring = gear == Gear::shared_ring || gear == Gear::threads;
        LANES_REQUIRE(
            !by_ring || make_ring_worker,
            "AugmentedNetwork: workers that put batches into a queue cannot run the gear ",
            name_of(gear), ". Derive them from lanes::Worker, or use the gear pipeline.");
        maker = gear == Gear::threads ? augmented::make_by_threads(plan)
                : by_ring             ? augmented::make_by_ring(plan)
                                      : augmented::make_by_queue(plan);
    }

    // The next batch; where it has to be waited for, that is counted.
    Batch take() {
        const bool waits = !maker->ready();
        const Timer timer;
        Batch batch = maker->take();
        if (waits) waited += timer.seconds();
        --ahead;
        return batch;
    }

    void start_more_workers() {
        if (waited < too_long || maker->workers() >= number_of_workers()) return;
        maker->grow_to(std::min(number_of_workers(), 2 * maker->workers()));
        waited = 0;
    }

    void stop() {
        if (maker) deaths = maker->deaths();
        maker.reset();
        planned.clear();
        epoch_sizes.clear();
        ahead = epochs_planned = 0;
        in_one_go = fewest_at_once;
        waited = 0;
    }
};

AugmentedNetwork::AugmentedNetwork(Sizes sizes, double learning_rate, std::size_t batch_size,
                                   std::size_t number_of_batches, std::size_t epochs, Matmul matmul,
                                   std::uint64_t seed)
    : NeuralNetwork(std::move(sizes), learning_rate, batch_size, number_of_batches, epochs,
                    std::move(matmul), seed),
      state_(std::make_unique<State>()) {
    use_worker<Worker>();
}

AugmentedNetwork::AugmentedNetwork(AugmentedNetwork&&) noexcept = default;
AugmentedNetwork& AugmentedNetwork::operator=(AugmentedNetwork&&) noexcept = default;
AugmentedNetwork::~AugmentedNetwork() = default;

void AugmentedNetwork::use_gear(Gear gear) { state_->gear = gear; }

void AugmentedNetwork::use_workers(int workers) {
    LANES_REQUIRE(workers >= 0, "AugmentedNetwork::use_workers: ", workers,
                  " workers. Ask for at least 1, or for 0 to let the machine decide.");
    state_->workers = workers;
}

void AugmentedNetwork::use_bounds(const AugmentationBounds& bounds) {
    state_->bounds = [bounds](std::size_t) { return bounds; };
}

void AugmentedNetwork::use_bounds(std::function<AugmentationBounds(std::size_t)> schedule) {
    LANES_REQUIRE(schedule,
                  "AugmentedNetwork::use_bounds: an empty function. Give one that makes bounds of "
                  "the epoch's number.");
    state_->bounds = std::move(schedule);
}

void AugmentedNetwork::use_makers(MakeQueueWorker queue, MakeRingWorker ring) {
    state_->make_queue_worker = std::move(queue);
    state_->make_ring_worker = std::move(ring);
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

void AugmentedNetwork::use_result_queue(std::shared_ptr<Queue<std::string>> queue) {
    state_->queue = std::move(queue);
}

const std::vector<std::string>& AugmentedNetwork::deaths() const { return state_->deaths; }

// The rows that a plain network would be trained on, as jobs.
std::vector<BatchJob> AugmentedNetwork::jobs_of_epoch(const Data& training, std::size_t epoch) {
    const AugmentationBounds bounds = state_->bounds(epoch);
    std::vector<BatchJob> jobs;
    for (const Batch& batch : NeuralNetwork::create_batches(training)) {
        LANES_REQUIRE(batch.is_of(training),
                      "AugmentedNetwork: a create_batches of one's own makes new images, which the "
                      "workers do not have. Leave it to the network.");
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
    const bool outside = !state_->maker;
    struct Stop {
        State* state;
        ~Stop() {
            if (state) state->stop();
        }
    } const stop{outside ? state_.get() : nullptr};
    if (outside) state_->start(training, std::max(batch_size(), std::size_t{1}), seed());
    std::vector<BatchJob> jobs = jobs_of_epoch(training, history().size() + 1);
    std::vector<Batch> batches;
    batches.reserve(jobs.size());
    const bool in_ring =
        state_->gear == Gear::shared_ring ||
        state_->gear == Gear::threads;  // whose slots are fewer than an epoch's batches
    const auto take = [&] {
        Batch batch = state_->maker->take();
        batches.push_back(in_ring ? Batch(batch.gather()) : std::move(batch));
    };
    for (auto first = jobs.begin(); first != jobs.end();) {
        const auto last = first + std::min<std::ptrdiff_t>(most_at_once, jobs.end() - first);
        state_->maker->put({std::make_move_iterator(first), std::make_move_iterator(last)});
        while (batches.size() < jobs.size() && state_->maker->ready()) take();
        first = last;
    }
    while (batches.size() < jobs.size()) take();
    return batches;
}

// Where there are cores enough, batches are taken in and jobs handed over while threads of their
// own train. Where there are few, whoever does it would be woken too late, and trains too. Through
// the pipe batches come as copies, each of which takes half as long as training on it: there it
// pays in any case.
NeuralNetwork::Meanwhile AugmentedNetwork::what_is_done_meanwhile() const {
    if (state_->gear == Gear::pipeline)
        return [this](const std::function<bool()>& is_done) { state_->maker->collect(is_done); };
    if (has_few_cores()) return {};
    return [](const std::function<bool()>&) {};
}

double AugmentedNetwork::train_epoch(const Data& training, std::size_t epoch) {
    State& state = *state_;
    state.maker->look_after_workers();
    if (state.gear == Gear::whole_epoch) return NeuralNetwork::train_epoch(training, epoch);
    // Keeps the workers busy, into the next epoch: they work while the network is validated.
    const auto hand_over = [&] {
        while (state.ahead < state.most_ahead) {
            if (state.planned.empty()) {
                if (state.epochs_planned == epochs()) return state.maker->no_more();
                std::vector<BatchJob> jobs = jobs_of_epoch(training, ++state.epochs_planned);
                state.epoch_sizes.push_back(jobs.size());
                std::move(jobs.begin(), jobs.end(), std::back_inserter(state.planned));
            }
            const auto first = state.planned.begin(),
                       last = first + static_cast<std::ptrdiff_t>(std::min(
                                          state.planned.size(), state.most_ahead - state.ahead));
            const std::vector<BatchJob> jobs(std::make_move_iterator(first),
                                             std::make_move_iterator(last));
            state.planned.erase(first, last);
            state.maker->put(jobs);
            state.ahead += jobs.size();
        }
    };
    hand_over();
    const std::size_t count = state.epoch_sizes.front();
    state.epoch_sizes.pop_front();
    const Timer timer;
    std::size_t last = 0;  // batches of the last go
    return train(
        count,
        [&](std::size_t done) {
            std::vector<Batch> batches;
            const std::size_t through = done - last;  // at least: the last go may still run
            if (through > 0)
                state.in_one_go = static_cast<std::size_t>(std::clamp<double>(
                    longest_go * static_cast<double>(through) / timer.seconds(), 1, most_at_once));
            const std::size_t most = std::min(count - done, state.in_one_go);
            while (batches.size() < most &&
                   (batches.size() < fewest_at_once || state.maker->ready()))
                batches.push_back(state.take());
            last = batches.size();
            state.start_more_workers();
            hand_over();  // all at once: workers that have nothing to do are woken for many jobs,
                          // not for each
            return batches;
        },
        epoch, training_threads(), what_is_done_meanwhile());
}

// Two where they take no core from training, from whoever collects the batches and from the first
// workers: threads that train wait for each other, and so all of them for the one that has lost its
// core. One is enough for a validation to end before the next epoch does.
int AugmentedNetwork::threads_behind() const {
    if (state_->gear == Gear::whole_epoch) return 0;
    constexpr int that_train = 4, caller = 1;
    return std::clamp(num_workers() - that_train - caller - workers_at_first, 1, 2);
}

void AugmentedNetwork::fit(const Data& training, const Data& validation) {
    LANES_REQUIRE(training.size() > 0 && training.x.shape(0) == training.y.shape(0),
                  "AugmentedNetwork::fit: ", training.x.shape(0), " images and ",
                  training.y.shape(0), " labels. Give at least one image, and one label for each.");
    struct Stop {
        State& state;
        ~Stop() { state.stop(); }
    } const stop{*state_};
    state_->deaths.clear();
    if (prints_epochs() && validation.size() > 0) {
        const int at_first = state_->number_at_first(), all = state_->number_of_workers();
        std::cout << "Starting " << at_first << (at_first < all ? " of " + std::to_string(all) : "")
                  << (state_->gear == Gear::threads ? " threads" : " workers") << "...\n"
                  << std::flush;
    }
    state_->start(training, batch_size(), seed());
    NeuralNetwork::fit(training, validation);
}

}  // namespace lanes
