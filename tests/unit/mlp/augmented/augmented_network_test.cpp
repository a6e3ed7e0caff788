// What augmented training computes, with every pipeline. What happens when workers fail is in
// augmented_failures_test.cpp.
#include "lanes/mlp/augmented_network.hpp"

#include "augmented_training.hpp"
#include "lanes/parallel/pipe_queue.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>

namespace {

using namespace lanes_test;

TEST(AugmentedNetwork, GivesTheSameWeightsForEveryPipelineAndNumberOfWorkers) {
    const Dataset data = random_images(60), validation = random_images(50, 9);
    Trained first;
    for (const BatchPipeline pipeline : pipelines)
        for (const int workers : {1, 2, 5}) {
            SCOPED_TRACE(std::string(lanes::name_of(pipeline)) + ", " + std::to_string(workers));
            AugmentedNetwork network = small_network();
            network.set_pipeline(pipeline);
            network.set_num_workers(workers);
            network.fit(data, validation, few_epochs);
            if (first.weights.empty()) first = result_of(network);
            expect_equal(result_of(network), first);
            expect_no_children();
        }
    lanes::NeuralNetwork plain({side * side, 20, classes}, options_of(0.1, 6, 25, 3));
    plain.print_epochs(false);
    plain.fit(data, validation, few_epochs);
    EXPECT_NE(plain.weights()[0], first.weights[0]);  // it was trained on other images
}

// The number of cores decides how many workers there are.
struct Cores {
    explicit Cores(int count) { setenv("SLURM_CPUS_PER_TASK", std::to_string(count).c_str(), 1); }
    ~Cores() { unsetenv("SLURM_CPUS_PER_TASK"); }
    Cores(const Cores&) = delete;
    Cores& operator=(const Cores&) = delete;
};

TEST(AugmentedNetwork, GivesTheSameWeightsForEveryNumberOfCores) {
    const Dataset data = random_images(60), validation = random_images(50, 9);
    Trained first;
    for (const int cores : {2, 5, 8, 12})
        for (const BatchPipeline pipeline : pipelines) {
            SCOPED_TRACE(std::string(lanes::name_of(pipeline)) + ", " + std::to_string(cores));
            const Cores these(cores);
            AugmentedNetwork network({side * side, 96, 40, classes}, options_of(0.1, 6, 37, 3));
            network.print_epochs(false);
            network.set_pipeline(pipeline);
            network.fit(data, validation, few_epochs);
            if (first.weights.empty()) first = result_of(network);
            expect_equal(result_of(network), first);
            expect_no_children();
        }
}

TEST(AugmentedNetwork, KeepsTheTrainedWeightsIfFitThrowsDuringAnEpoch) {
    const Dataset data = random_images(60);
    for (const int cores : {2, 8})
        for (const BatchPipeline pipeline : pipelines) {
            SCOPED_TRACE(std::string(lanes::name_of(pipeline)) + ", " + std::to_string(cores));
            const Cores these(cores);
            AugmentedNetwork network = small_network(300);
            const std::vector<Matrix> before = network.weights();
            network.set_pipeline(pipeline);
            network.on_progress(
                [](const lanes::TrainingProgress&) { throw std::runtime_error("enough"); });
            EXPECT_EQ(error_of<std::exception>([&] { network.fit(data, 1); }), "enough");
            EXPECT_NE(network.weights()[0], before[0]);
            expect_no_children();
        }
}

TEST(AugmentedNetwork, ReportsAnEpochEvenIfTheNextOneFails) {
    const Dataset data = random_images(60), validation = random_images(50, 9);
    for (const BatchPipeline pipeline : pipelines) {
        SCOPED_TRACE(lanes::name_of(pipeline));
        AugmentedNetwork network = small_network(), whole = small_network();
        network.set_pipeline(pipeline);
        network.on_progress([](const lanes::TrainingProgress& progress) {
            if (progress.epoch == 3) throw std::runtime_error("enough");
        });
        EXPECT_EQ(error_of<std::exception>([&] { network.fit(data, validation, few_epochs); }),
                  "enough");
        whole.fit(data, validation, 2);
        EXPECT_EQ(result_of(network).accuracies, result_of(whole).accuracies);
        expect_no_children();
    }
}

TEST(AugmentedNetwork, OnEpochSeesTheWeightsOfItsEpoch) {
    const Dataset data = random_images(60), validation = random_images(50, 9);
    for (const BatchPipeline pipeline : pipelines) {
        AugmentedNetwork network = small_network();
        network.set_pipeline(pipeline);
        network.on_epoch([&](const lanes::EpochReport& report) {
            EXPECT_EQ(report.accuracy, network.accuracy(validation))
                << lanes::name_of(pipeline) << ", epoch " << report.epoch;
        });
        network.fit(data, validation, few_epochs);
        EXPECT_EQ(network.history().size(), 3u);
    }
}

TEST(AugmentedNetwork, GivesTheSameWeightsForBatchesLargerThanABitMask) {
    const Dataset data = random_images(200);
    Trained first;
    for (const BatchPipeline pipeline : pipelines) {
        AugmentedNetwork network = small_network(12, 100);
        network.set_pipeline(pipeline);
        network.set_num_workers(2);
        network.fit(data, few_epochs);
        if (first.weights.empty()) first = result_of(network);
        SCOPED_TRACE(lanes::name_of(pipeline));
        expect_equal(result_of(network), first);
    }
}

TEST(AugmentedNetwork, TrainsOnEveryImageOncePerEpoch) {
    const Dataset data = random_images(50);
    Trained first;
    for (const BatchPipeline pipeline : pipelines) {
        AugmentedNetwork network = small_network(all_images, 16);
        network.set_pipeline(pipeline);
        network.set_num_workers(2);
        network.fit(data, few_epochs);
        if (first.weights.empty()) first = result_of(network);
        SCOPED_TRACE(lanes::name_of(pipeline));
        expect_equal(result_of(network), first);
    }
}

// The thread that puts them must receive results meanwhile, also from a queue that another thread
// reads.
TEST(AugmentedNetwork, DoesNotDeadlockWithMoreJobsThanTheQueueHolds) {
    const auto trained = [](const Dataset& data, std::size_t batches, std::size_t batch_size,
                            BatchPipeline pipeline, bool own_queue) {
        AugmentedNetwork network({data.x.shape(1), 8, data.y.shape(1)},
                                 options_of(0.1, batch_size, batches, 3));
        network.set_pipeline(pipeline);
        network.set_num_workers(2);
        if (own_queue) network.set_result_queue(std::make_shared<lanes::PipeQueue<std::string>>());
        network.fit(data, 1);
        return result_of(network);
    };
    const Dataset small_labels = random_images(60);
    Dataset large_labels{small_labels.x, xt::zeros<float>({60, 2000})};
    for (std::size_t i = 0; i < 60; ++i) large_labels.y(i, i) = 1;
    const Trained of_many_jobs = trained(small_labels, 4000, 6, BatchPipeline::threads, false),
                  of_large_jobs = trained(large_labels, 70, 50, BatchPipeline::threads, false);
    for (const bool own_queue : {false, true}) {
        expect_equal(trained(small_labels, 4000, 6, BatchPipeline::whole_epoch, own_queue),
                     of_many_jobs);
        expect_equal(trained(large_labels, 70, 50, BatchPipeline::pipeline, own_queue),
                     of_large_jobs);
    }
    expect_no_children();
}

TEST(AugmentedNetwork, EqualsThePlainNetworkWithoutAugmentation) {
    const Dataset data = random_images(60);
    lanes::NeuralNetwork plain({side * side, 20, classes}, options_of(0.1, 6, 25, 3));
    plain.fit(data, few_epochs);
    for (const BatchPipeline pipeline : pipelines) {
        AugmentedNetwork network = small_network();
        network.set_pipeline(pipeline);
        network.set_bounds(lanes::AugmentationBounds{0, 0, 0, 0});
        network.fit(data, few_epochs);
        EXPECT_EQ(network.weights(), plain.weights()) << lanes::name_of(pipeline);
    }
}

TEST(AugmentedNetwork, MakesBatchesOutsideOfFit) {
    const Dataset data = random_images(60);
    std::vector<Dataset> first;
    for (const BatchPipeline pipeline : pipelines) {
        AugmentedNetwork network = small_network(100);
        network.set_pipeline(pipeline);
        network.set_num_workers(2);
        std::vector<Dataset> batches;
        for (const auto& batch : network.create_batches(data)) batches.push_back(batch.gather());
        ASSERT_EQ(batches.size(), 100u);
        if (first.empty()) first = batches;
        for (std::size_t i = 0; i < batches.size(); ++i) {
            ASSERT_EQ(batches[i].x, first[i].x) << lanes::name_of(pipeline) << i;
            ASSERT_EQ(batches[i].y, first[i].y);
        }
        expect_no_children();
    }
}

TEST(AugmentedNetwork, BoundsMayDependOnTheEpoch) {
    const Dataset data = random_images(60);
    Trained first;
    for (const BatchPipeline pipeline : pipelines) {
        AugmentedNetwork network = small_network();
        std::vector<std::size_t> epochs;
        network.set_pipeline(pipeline);
        network.set_bounds([&](std::size_t epoch) {
            epochs.push_back(epoch);
            return lanes::AugmentationBounds{5.0 * static_cast<double>(epoch), 1, 0.02, 0.1,
                                             epoch >= 3};
        });
        network.fit(data, few_epochs);
        EXPECT_EQ(epochs.back(), 3u);
        if (first.weights.empty()) first = result_of(network);
        SCOPED_TRACE(lanes::name_of(pipeline));
        expect_equal(result_of(network), first);
    }
}

// As a student writes it, without lanes::Worker.
class FromScratch : public lanes::Process {
public:
    FromScratch(lanes::Worker::Jobs& jobs, lanes::Queue<std::string>& result, const Dataset& images,
                lanes::AugmentationBounds bounds, std::uint64_t seed)
        : jobs_(jobs), result_(result), images_(images), bounds_(bounds), seed_(seed) {}
    void run() override {
        while (const auto job = jobs_.get()) {
            lanes::ImageBatch batch{job->index,
                                    xt::zeros<float>({job->images.size(), images_.x.shape(1)}),
                                    job->labels};
            for (std::size_t i = 0; i < job->images.size(); ++i) {
                lanes::Rng rng = lanes::Rng(seed_).split(job->index).split(i);
                const std::size_t pixels = images_.x.shape(1),
                                  side = static_cast<std::size_t>(std::lround(std::sqrt(pixels)));
                lanes::process_image(images_.x.data() + job->images[i] * pixels,
                                     batch.x.data() + i * pixels, side, side,
                                     job->bounds.value_or(bounds_), rng);
            }
            result_.put(lanes::to_bytes(batch));
        }
    }

private:
    lanes::Worker::Jobs& jobs_;
    lanes::Queue<std::string>& result_;
    const Dataset& images_;
    lanes::AugmentationBounds bounds_;
    std::uint64_t seed_;
};

TEST(AugmentedNetwork, AcceptsAWorkerWrittenFromScratch) {
    const Dataset data = random_images(60);
    AugmentedNetwork ours = small_network();
    ours.set_num_workers(2);
    ours.fit(data, few_epochs);
    for (const BatchPipeline pipeline : {BatchPipeline::whole_epoch, BatchPipeline::pipeline}) {
        AugmentedNetwork network = small_network();
        network.set_pipeline(pipeline);
        network.set_num_workers(2);
        network.use_worker<FromScratch>();
        network.fit(data, few_epochs);
        expect_equal(result_of(network), result_of(ours));
    }
    AugmentedNetwork network = small_network();
    network.set_pipeline(BatchPipeline::shared_ring);
    network.use_worker<FromScratch>();
    EXPECT_NE(
        error_of([&] { network.fit(data, few_epochs); }).find("Derive them from lanes::Worker"),
        std::string::npos);
}

#if defined(__linux__)  // each thread has its own priority
std::atomic<int> niceness_of_worker{-100};

class Curious : public lanes::Worker {
public:
    using Worker::Worker;
    Matrix process_image(const Matrix& image, lanes::Rng& rng) const override {
        niceness_of_worker = getpriority(PRIO_PROCESS, 0);
        return Worker::process_image(image, rng);
    }
};

TEST(AugmentedNetwork, WorkerThreadsHaveALowerPriorityThanTraining) {
    const int own = getpriority(PRIO_PROCESS, 0);
    AugmentedNetwork network = small_network();
    network.set_pipeline(BatchPipeline::threads);
    network.use_worker<Curious>();
    network.fit(random_images(60), random_images(50, 9), few_epochs);
    EXPECT_EQ(niceness_of_worker, std::min(own + 5, 19));
    EXPECT_EQ(getpriority(PRIO_PROCESS, 0), own);
}
#endif

TEST(AugmentedNetwork, PrintsHowManyWorkersItStarts) {
    const Dataset data = random_images(60);
    AugmentedNetwork network({side * side, 20, classes}, options_of(0.1, 6, 5));
    network.set_num_workers(3);
    testing::internal::CaptureStdout();
    network.fit(data, data, 1);
    EXPECT_EQ(
        testing::internal::GetCapturedStdout().find("Starting 3 workers...\nEpoch 1, accuracy "),
        0u);
    EXPECT_NE(error_of([&] { network.set_num_workers(-1); }).find("-1 workers"), std::string::npos);
}

// The processes or threads that have made images, in memory that all of them share.
struct Makers {
    std::array<std::atomic<int>, 64> numbers{};
    void add(int number) {
        for (auto& each : numbers) {
            int free = 0;
            if (each.compare_exchange_strong(free, number) || free == number) return;
        }
    }
    long count() const {
        return std::count_if(numbers.begin(), numbers.end(),
                             [](const auto& each) { return each != 0; });
    }
};
Makers& makers() {
    static Makers& the = *new (mmap(nullptr, sizeof(Makers), PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Makers;
    return the;
}

class Slow : public lanes::Worker {
public:
    using Worker::Worker;
    Matrix process_image(const Matrix& image, lanes::Rng&) const override {
        makers().add(static_cast<int>(syscall(SYS_gettid)));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return image;
    }
};

TEST(AugmentedNetwork, AddsWorkersWhileTrainingWaitsForBatches) {
    const Dataset data = random_images(60);
    const char* const before = std::getenv("SLURM_CPUS_PER_TASK");
    const std::string kept = before ? before : "";
    setenv("SLURM_CPUS_PER_TASK", "5", 1);
    for (const BatchPipeline pipeline : pipelines) {
        SCOPED_TRACE(lanes::name_of(pipeline));
        new (&makers()) Makers;
        AugmentedNetwork network = small_network(60);
        network.set_pipeline(pipeline);
        network.use_worker<Slow>();
        network.print_epochs(true);
        testing::internal::CaptureStdout();
        network.fit(data, data, 2);
        const std::string said = testing::internal::GetCapturedStdout(),
                          what = pipeline == BatchPipeline::threads ? " threads...\n"
                                                                    : " workers...\n";
        EXPECT_EQ(
            said.find((pipeline == BatchPipeline::whole_epoch ? "Starting 5" : "Starting 2 of 5") +
                      what),
            0U)
            << said;
        EXPECT_GT(makers().count(), 2);  // a busy machine may start the last one too late
        EXPECT_LE(makers().count(), 5);
    }
    before ? setenv("SLURM_CPUS_PER_TASK", kept.c_str(), 1) : unsetenv("SLURM_CPUS_PER_TASK");
    new (&makers()) Makers;
    AugmentedNetwork network = small_network(60);
    network.set_pipeline(BatchPipeline::pipeline);
    network.use_worker<Slow>();
    network.set_num_workers(3);
    network.fit(data, 2);
    EXPECT_LE(makers().count(), 3);
}

TEST(AugmentedNetwork, EachCallOfCreateBatchesMakesOtherImages) {
    const Dataset data = random_images(60);
    AugmentedNetwork network = small_network(5);
    const auto first = network.create_batches(data), second = network.create_batches(data);
    EXPECT_NE(first[0].gather().x, second[0].gather().x);
    EXPECT_EQ(error_of([&] {
                  network.fit(Dataset{xt::zeros<float>({0, 100}), xt::zeros<float>({0, 4})});
              }).find("NeuralNetwork::fit: no images"),
              0u);
}

}  // namespace
