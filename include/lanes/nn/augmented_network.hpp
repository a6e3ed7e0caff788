// The network of assignment 2, there called IPNeuralNetwork: trained on images that workers make of
// the few that there are. Introduced in the notebook 04_augmentation.
//
//   lanes::AugmentedNetwork network({784, 128, 64, 10}, 0.1, 16, 300, 15);
//   network.use_gear(lanes::Gear::pipeline);
//   network.fit(data.train, data.validation);   // starts the workers, trains, stops them
//
// The weights depend on the seed and the bounds alone, bit by bit: not on the number of workers,
// not on the gear, not on which worker was quicker, and not on workers that were killed on the way.
#pragma once

#include "lanes/data/worker.hpp"
#include "lanes/nn/network.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanes {

enum class Gear {
    whole_epoch,  // as the sheet has it: all batches of an epoch are made, then the network is
                  // trained on them
    pipeline,     // trained on a batch while the workers make the next ones, a bounded number ahead
    shared_ring,  // the same, with the batches in shared memory: no copy, and only a number goes
                  // through the queue
    threads,      // as shared_ring, with threads in place of processes
};

const char* name_of(Gear gear);

class AugmentedNetwork : public NeuralNetwork {
public:
    explicit AugmentedNetwork(Sizes sizes, double learning_rate = 1.0, std::size_t batch_size = 16,
                              std::size_t number_of_batches = 16, std::size_t epochs = 10,
                              Matmul matmul = {}, std::uint64_t seed = 0);
    AugmentedNetwork(AugmentedNetwork&&) noexcept;
    AugmentedNetwork& operator=(AugmentedNetwork&&) noexcept;
    ~AugmentedNetwork() override;

    void use_gear(Gear gear);
    // 0: as num_workers() says, but at least 2; the gears that work ahead then start two, and more
    // up to that number where the network has to wait for batches.
    void use_workers(int workers);

    void use_bounds(const AugmentationBounds& bounds);

    // Bounds that change from epoch to epoch; the first is 1. Found by trial for 15 epochs: weak at
    // first, strong in the middle, with shifts by parts of a cell, and none at the end, where the
    // network sees digits as they are. 88.9 % of the test images, where constant bounds give 88.7
    // %; means of seeds 1 to 3.
    //   network.use_bounds([](std::size_t epoch) {
    //       const double strength = std::min({1.0, (epoch - 1) / 3.0, (15 - epoch) / 2.0});
    //       return lanes::AugmentationBounds{15 * strength, 2 * strength, 0.02, 0.2 * strength,
    //           false};
    //   });
    void use_bounds(std::function<AugmentationBounds(std::size_t epoch)> schedule);

    // Workers of one's own, made as W(jobs, result, images, bounds, seed). W derives from Process,
    // takes batches' jobs and puts to_bytes(batch), for the gears whole_epoch and pipeline; or it
    // derives from Worker and inherits its constructors, for all gears.
    template <class W>
    void use_worker() {
        using Result = Queue<std::string>;
        static_assert(std::is_base_of_v<Process, W> &&
                          std::is_constructible_v<W, Worker::Jobs&, Result&, const Dataset&,
                                                  AugmentationBounds, std::uint64_t>,
                      "use_worker: a worker derives from lanes::Process and is made as "
                      "Worker(jobs, result, images, bounds, seed)");
        MakeRingWorker ring;
        if constexpr (std::is_base_of_v<Worker, W>)
            ring = [](const WorkerArguments& a, SharedRing& result) {
                return std::make_unique<W>(a.jobs, result, a.images, a.bounds, a.seed, a.name);
            };
        use_makers(
            [](const WorkerArguments& a, Result& result) {
                if constexpr (std::is_base_of_v<Worker, W>)
                    return std::make_unique<W>(a.jobs, result, a.images, a.bounds, a.seed, a.name);
                return std::make_unique<W>(a.jobs, result, a.images, a.bounds, a.seed);
            },
            std::move(ring));
    }

    // Any process that takes batches' jobs and puts to_bytes(batch); for the gears whole_epoch and
    // pipeline.
    using MakeProcess = std::function<std::unique_ptr<Process>(
        Worker::Jobs& jobs, Queue<std::string>& result, const Dataset& images)>;
    void use_worker(MakeProcess make);

    // A queue of one's own between workers and network, for the gears whole_epoch and pipeline.
    void use_result_queue(std::shared_ptr<Queue<std::string>> queue);

    void fit(const Data& training, const Data& validation = {}) override;

    // One epoch's batches, from the workers; outside of fit some are started for it.
    std::vector<Batch> create_batches(const Data& training) override;

    const std::vector<std::string>& deaths()
        const;  // workers of the last fit that were killed or crashed, and were replaced

    struct WorkerArguments {
        Worker::Jobs& jobs;
        const Dataset& images;
        AugmentationBounds bounds;
        std::uint64_t seed;
        std::string name;
    };
    using MakeQueueWorker =
        std::function<std::unique_ptr<Process>(const WorkerArguments&, Queue<std::string>&)>;
    using MakeRingWorker =
        std::function<std::unique_ptr<Process>(const WorkerArguments&, SharedRing&)>;

protected:
    double train_epoch(const Data& training, std::size_t epoch) override;
    int threads_behind() const override;  // the gears that work ahead; not where on_epoch wants to
                                          // see the network as it was

private:
    struct State;
    void use_makers(MakeQueueWorker queue, MakeRingWorker ring);
    std::vector<BatchJob> jobs_of_epoch(const Data& training, std::size_t epoch);
    Meanwhile what_is_done_meanwhile() const;

    std::unique_ptr<State> state_;
};

}  // namespace lanes
