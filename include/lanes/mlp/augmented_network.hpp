// The network of assignment 2, there called IPNeuralNetwork. It is trained on images that worker
// processes make from the few given ones: rotated, shifted, tilted, with noise. Introduced in the
// notebook 04b_pipelines.
//
//   #include "lanes/data.hpp"
//   #include <iostream>
//   const auto data = lanes::load_mnist(lanes::MnistSplit::assignment_2);  // 500 images
//   lanes::TrainingOptions options;
//   options.batches_per_epoch(300);
//   lanes::AugmentedNetwork network({784, 128, 64, 10}, options);
//   network.set_pipeline(lanes::BatchPipeline::shared_ring);
//   network.fit(data.train, data.validation, 15);  // starts workers, trains, stops the workers
//   std::cout << 100 * network.accuracy(data.test) << " % of the test images\n";
//
// The weights depend on the seed and the augmentation bounds only, bit by bit. They do not depend
// on the number of workers, the pipeline, the order in which workers finish, or workers that were
// killed and replaced.
#pragma once

#include "lanes/mlp/network.hpp"
#include "lanes/mlp/worker.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanes {

// How batches get from the workers to the network.
enum class BatchPipeline {
    whole_epoch,  // as in the assignment: make all batches of an epoch, then train on them
    pipeline,     // train on a batch while the workers make the next ones
    shared_ring,  // the same with batches in shared memory: no copy, the queue carries indices only
    threads,      // as shared_ring, with threads in place of processes
};

const char* name_of(BatchPipeline pipeline);  // "whole epoch", "pipeline", …

class AugmentedNetwork : public NeuralNetwork {
public:
    explicit AugmentedNetwork(Sizes sizes, TrainingOptions options = {}, NetworkParts parts = {});
    AugmentedNetwork(AugmentedNetwork&&) noexcept;
    AugmentedNetwork& operator=(AugmentedNetwork&&) noexcept;
    ~AugmentedNetwork() override;

    void set_pipeline(BatchPipeline pipeline);  // at first: whole_epoch

    // Exactly this many workers. If it is not called: up to num_workers(), at least 2. All
    // pipelines but whole_epoch then start with 2, and add more while training waits for batches.
    void set_num_workers(int workers);

    void set_bounds(const AugmentationBounds& bounds);

    // Bounds that depend on the epoch; the first is 1. Weak at first, strong in the middle, and
    // none at the end, when the network sees the digits as they are:
    //   network.set_bounds([](std::size_t epoch) {
    //       const double start = (epoch - 1) / 3.0, end = (15 - static_cast<double>(epoch)) / 2;
    //       const double strength = std::max(0.0, std::min({1.0, start, end}));
    //       lanes::AugmentationBounds bounds;  // noise: 0.02
    //       bounds.degrees = 15 * strength;
    //       bounds.cells = 2 * strength;
    //       bounds.tilt = 0.2 * strength;
    //       return bounds;
    //   });
    void set_bounds(std::function<AugmentationBounds(std::size_t epoch)> schedule);

    // Uses workers of class W, constructed as W(jobs, result, images, bounds, seed). For the
    // pipelines whole_epoch and pipeline, W derives from Process, takes jobs and puts
    // to_bytes(batch). For all pipelines, W derives from Worker and inherits its constructors.
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

    // Uses any process that takes jobs and puts to_bytes(batch), for the pipelines whole_epoch and
    // pipeline.
    using MakeProcess = std::function<std::unique_ptr<Process>(
        Worker::Jobs& jobs, Queue<std::string>& result, const Dataset& images)>;
    void use_worker(MakeProcess make);

    // A queue of your own from the workers to the network, for the pipelines whole_epoch and
    // pipeline.
    void set_result_queue(std::shared_ptr<Queue<std::string>> queue);

    // The batches of one epoch, made by workers; outside fit, workers are started for this call.
    std::vector<Batch> create_batches(const Data& training) override;

    // Workers of the last fit that were killed or crashed, and were replaced: one line for each.
    const std::vector<std::string>& worker_failures() const;

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

private:
    struct State;
    std::unique_ptr<detail::BatchSource<float>> make_batch_source(const Data& training,
                                                                  std::size_t epochs,
                                                                  bool print) override;
    void use_makers(MakeQueueWorker queue, MakeRingWorker ring);
    std::vector<BatchJob> jobs_of_epoch(const Data& training, std::size_t epoch);

    std::unique_ptr<State> state_;
};

}  // namespace lanes
