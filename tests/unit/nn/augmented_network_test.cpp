#include "lanes/nn/augmented_network.hpp"

#include "lanes/base/error.hpp"
#include "lanes/data/mnist.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <thread>

static int interrupt_pressed = 0;
extern "C" __attribute__((visibility("default"))) int xcpp_interrupted() { return interrupt_pressed; }

namespace {

using lanes::AugmentedNetwork;
using lanes::Dataset;
using lanes::Gear;
using lanes::Matrix;

constexpr Gear gears[] = {Gear::whole_epoch, Gear::pipeline, Gear::shared_ring, Gear::threads};
constexpr std::size_t side = 10, classes = 4;

Dataset random_images(std::size_t count, std::uint64_t seed = 4) {
    lanes::Rng rng(seed);
    Dataset data{xt::zeros<float>({count, side * side}), xt::zeros<float>({count, classes})};
    rng.fill_uniform(data.x.data(), data.x.size(), 0, 1);
    for (float& value : data.x) value = value < 0.7f ? 0 : value;
    for (std::size_t i = 0; i < count; ++i) data.y(i, i % classes) = 1;
    return data;
}

AugmentedNetwork small_network(std::size_t batches = 25, std::size_t epochs = 3, std::size_t batch_size = 6) {
    AugmentedNetwork network({side * side, 20, classes}, 0.1, batch_size, batches, epochs, {}, 3);
    network.print_epochs(false);
    return network;
}

struct Trained {
    std::vector<Matrix> weights;
    std::vector<double> accuracies;
};

Trained result_of(const AugmentedNetwork& network) {
    Trained trained{network.weights(), {}};
    for (const auto& epoch : network.history()) trained.accuracies.push_back(epoch.accuracy);
    return trained;
}

void expect_equal(const Trained& a, const Trained& b) {
    ASSERT_EQ(a.weights.size(), b.weights.size());
    for (std::size_t i = 0; i < a.weights.size(); ++i) EXPECT_EQ(a.weights[i], b.weights[i]);
    EXPECT_EQ(a.accuracies, b.accuracies);
}

// No worker runs on, and none is left for somebody else to wait for.
void expect_no_children() { EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1); }

std::string error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

TEST(AugmentedNetwork, is_the_same_for_every_gear_and_number_of_workers) {
    const Dataset data = random_images(60), validation = random_images(50, 9);
    Trained first;
    for (const Gear gear : gears)
        for (const int workers : {1, 2, 5}) {
            SCOPED_TRACE(std::string(lanes::name_of(gear)) + ", " + std::to_string(workers));
            AugmentedNetwork network = small_network();
            network.use_gear(gear);
            network.use_workers(workers);
            network.fit(data, validation);
            if (first.weights.empty()) first = result_of(network);
            expect_equal(result_of(network), first);
            expect_no_children();
        }
    lanes::NeuralNetwork plain({side * side, 20, classes}, 0.1, 6, 25, 3, {}, 3);
    plain.print_epochs(false);
    plain.fit(data, validation);
    EXPECT_NE(plain.weights()[0], first.weights[0]);  // it was trained on other images
}

TEST(AugmentedNetwork, batches_of_more_images_than_a_mask_holds_are_the_same_too) {
    const Dataset data = random_images(200);
    Trained first;
    for (const Gear gear : gears) {
        AugmentedNetwork network = small_network(12, 2, 100);
        network.use_gear(gear);
        network.use_workers(2);
        network.fit(data);
        if (first.weights.empty()) first = result_of(network);
        SCOPED_TRACE(lanes::name_of(gear));
        expect_equal(result_of(network), first);
    }
}

TEST(AugmentedNetwork, all_images_once_an_epoch_work_too) {
    const Dataset data = random_images(50);
    Trained first;
    for (const Gear gear : gears) {
        AugmentedNetwork network = small_network(lanes::all_batches, 2, 16);
        network.use_gear(gear);
        network.use_workers(2);
        network.fit(data);
        if (first.weights.empty()) first = result_of(network);
        SCOPED_TRACE(lanes::name_of(gear));
        expect_equal(result_of(network), first);
    }
}

TEST(AugmentedNetwork, without_augmentation_it_is_the_plain_network) {
    const Dataset data = random_images(60);
    lanes::NeuralNetwork plain({side * side, 20, classes}, 0.1, 6, 25, 3, {}, 3);
    plain.fit(data);
    for (const Gear gear : gears) {
        AugmentedNetwork network = small_network();
        network.use_gear(gear);
        network.use_bounds(lanes::AugmentationBounds{0, 0, 0, 0, true});
        network.fit(data);
        EXPECT_EQ(network.weights(), plain.weights()) << lanes::name_of(gear);
    }
}

TEST(AugmentedNetwork, makes_batches_outside_of_fit) {
    const Dataset data = random_images(60);
    std::vector<Dataset> first;
    for (const Gear gear : gears) {
        AugmentedNetwork network = small_network(100);
        network.use_gear(gear);
        network.use_workers(2);
        std::vector<Dataset> batches;
        for (const auto& batch : network.create_batches(data)) batches.push_back(batch.gather());
        ASSERT_EQ(batches.size(), 100u);
        if (first.empty()) first = batches;
        for (std::size_t i = 0; i < batches.size(); ++i) {
            ASSERT_EQ(batches[i].x, first[i].x) << lanes::name_of(gear) << i;
            ASSERT_EQ(batches[i].y, first[i].y);
        }
        expect_no_children();
    }
}

TEST(AugmentedNetwork, bounds_may_follow_a_schedule) {
    const Dataset data = random_images(60);
    Trained first;
    for (const Gear gear : gears) {
        AugmentedNetwork network = small_network();
        std::vector<std::size_t> epochs;
        network.use_gear(gear);
        network.use_bounds([&](std::size_t epoch) {
            epochs.push_back(epoch);
            return lanes::AugmentationBounds{5.0 * static_cast<double>(epoch), 1, 0.02, 0.1, epoch < 3};
        });
        network.fit(data);
        EXPECT_EQ(epochs.back(), 3u);
        if (first.weights.empty()) first = result_of(network);
        SCOPED_TRACE(lanes::name_of(gear));
        expect_equal(result_of(network), first);
    }
}

// As a student writes it: nothing of lanes::Worker.
class FromScratch : public lanes::Process {
public:
    FromScratch(lanes::Worker::Jobs& jobs, lanes::Queue<std::string>& result, const Dataset& images, lanes::AugmentationBounds bounds, std::uint64_t seed)
        : jobs_(jobs), result_(result), images_(images), bounds_(bounds), seed_(seed) {}
    void run() override {
        while (const auto job = jobs_.get()) {
            lanes::ImageBatch batch{job->index, xt::zeros<float>({job->images.size(), images_.x.shape(1)}), job->labels};
            for (std::size_t i = 0; i < job->images.size(); ++i) {
                lanes::Rng rng = lanes::Rng(seed_).split(job->index).split(i);
                const std::size_t pixels = images_.x.shape(1), side = static_cast<std::size_t>(std::lround(std::sqrt(pixels)));
                lanes::process_image(images_.x.data() + job->images[i] * pixels, batch.x.data() + i * pixels, side, side, job->bounds.value_or(bounds_), rng);
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

TEST(AugmentedNetwork, takes_a_worker_that_was_written_from_scratch) {
    const Dataset data = random_images(60);
    AugmentedNetwork ours = small_network();
    ours.use_workers(2);
    ours.fit(data);
    for (const Gear gear : {Gear::whole_epoch, Gear::pipeline}) {
        AugmentedNetwork network = small_network();
        network.use_gear(gear);
        network.use_workers(2);
        network.use_worker<FromScratch>();
        network.fit(data);
        expect_equal(result_of(network), result_of(ours));
    }
    AugmentedNetwork network = small_network();
    network.use_gear(Gear::shared_ring);
    network.use_worker<FromScratch>();
    EXPECT_NE(error_of([&] { network.fit(data); }).find("Derive them from lanes::Worker"), std::string::npos);
}

// How many times something happened, counted by all processes.
struct Counter {
    Counter() : memory(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)), value(*new(memory) std::atomic<int>(0)) {}
    ~Counter() { munmap(memory, 4096); }
    void* memory;
    std::atomic<int>& value;
};
Counter& images_seen() {
    static Counter counter;
    return counter;
}

class Dying : public lanes::Worker {
public:
    using Worker::Worker;
    Matrix process_image(const Matrix& image, lanes::Rng& rng) const override {
        const int seen = images_seen().value.fetch_add(1);
        if (seen == 100 || seen == 107 || seen == 300) ::kill(getpid(), SIGKILL);
        return lanes::process_image(image, {}, rng);
    }
};

TEST(AugmentedNetwork, goes_on_as_if_nothing_had_been_where_workers_are_killed) {
    const Dataset data = random_images(60);
    AugmentedNetwork undisturbed = small_network();
    undisturbed.use_workers(2);
    undisturbed.fit(data);
    for (const Gear gear : {Gear::whole_epoch, Gear::pipeline, Gear::shared_ring}) {
        SCOPED_TRACE(lanes::name_of(gear));
        images_seen().value = 0;
        AugmentedNetwork network = small_network();
        network.use_gear(gear);
        network.use_workers(3);
        network.use_worker<Dying>();
        network.fit(data);
        expect_equal(result_of(network), result_of(undisturbed));
        ASSERT_EQ(network.deaths().size(), 3u);
        EXPECT_NE(network.deaths()[0].find("ended by signal 9 (Killed)"), std::string::npos);
        expect_no_children();
    }
}

class Throwing : public lanes::Worker {
public:
    using Worker::Worker;
    Matrix process_image(const Matrix&, lanes::Rng&) const override { throw std::runtime_error("no such operator"); }
};

TEST(AugmentedNetwork, tells_a_worker_that_threw) {
    const Dataset data = random_images(60);
    for (const Gear gear : gears) {
        AugmentedNetwork network = small_network();
        network.use_gear(gear);
        network.use_workers(2);
        network.use_worker<Throwing>();
        testing::internal::CaptureStderr();
        const std::string error = error_of([&] { network.fit(data); });
        testing::internal::GetCapturedStderr();
        EXPECT_NE(error.find("no such operator"), std::string::npos) << lanes::name_of(gear) << ": " << error;
        expect_no_children();
    }
}

class Waiting : public lanes::Worker {
public:
    using Worker::Worker;
    Matrix process_image(const Matrix& image, lanes::Rng&) const override {
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        return image;
    }
};

TEST(AugmentedNetwork, is_interrupted_and_leaves_nothing_behind) {
    const Dataset data = random_images(60);
    for (const Gear gear : gears) {
        AugmentedNetwork network = small_network(1000);
        network.use_gear(gear);
        network.use_workers(2);
        network.use_worker<Waiting>();
        interrupt_pressed = 1;
        const std::string error = error_of([&] { network.fit(data); });
        interrupt_pressed = 0;
        EXPECT_NE(error.find("interrupted"), std::string::npos) << lanes::name_of(gear) << ": " << error;
        expect_no_children();
    }
}

// A worker of one's own, from scratch, and a queue of one's own: as at the end of the notebook 05_queue, but without a lock, since there is one worker.
class OwnQueue : public lanes::Queue<std::string> {
public:
    OwnQueue() {
        if (pipe(ends_) != 0) throw std::runtime_error("no pipe");
    }
    ~OwnQueue() override {
        close(ends_[0]);
        close(ends_[1]);
    }
    void put(const std::string& message) override {
        const std::size_t size = message.size();
        write_all(&size, sizeof size);
        write_all(message.data(), size);
        ++count_.value;
    }
    std::string get() override {
        std::size_t size = 0;
        read_all(&size, sizeof size);
        std::string message(size, '\0');
        read_all(message.data(), size);
        --count_.value;
        return message;
    }
    std::size_t length() const override { return static_cast<std::size_t>(count_.value); }

private:
    void write_all(const void* data, std::size_t size) {
        for (std::size_t done = 0; done < size;) done += static_cast<std::size_t>(write(ends_[1], static_cast<const char*>(data) + done, size - done));
    }
    void read_all(void* data, std::size_t size) {
        for (std::size_t done = 0; done < size;) done += static_cast<std::size_t>(read(ends_[0], static_cast<char*>(data) + done, size - done));
    }
    int ends_[2];
    Counter count_;
};

class OwnWorker : public lanes::Process {
public:
    OwnWorker(lanes::Worker::Jobs& jobs, lanes::Queue<std::string>& result, const Dataset& images) : jobs_(jobs), result_(result), images_(images) {}
    void run() override {
        while (const auto job = jobs_.get()) {
            const std::vector<std::size_t> rows(job->images.begin(), job->images.end());
            result_.put(lanes::to_bytes({job->index, lanes::rows_of(images_, rows).x, job->labels}));
        }
    }

private:
    lanes::Worker::Jobs& jobs_;
    lanes::Queue<std::string>& result_;
    const Dataset& images_;
};

TEST(AugmentedNetwork, takes_a_worker_and_a_queue_of_ones_own) {
    const Dataset data = random_images(60);
    lanes::NeuralNetwork plain({side * side, 20, classes}, 0.1, 6, 25, 3, {}, 3);
    plain.fit(data);
    for (const Gear gear : {Gear::whole_epoch, Gear::pipeline}) {
        AugmentedNetwork network = small_network();
        const auto queue = std::make_shared<OwnQueue>();
        network.use_gear(gear);
        network.use_workers(1);
        network.use_result_queue(queue);
        network.use_worker([](auto& jobs, auto& result, const Dataset& images) { return std::make_unique<OwnWorker>(jobs, result, images); });
        network.fit(data);
        EXPECT_EQ(network.weights(), plain.weights()) << lanes::name_of(gear);
        network.fit(data);  // the same queue again
        EXPECT_EQ(queue->length(), 0u);
    }
    AugmentedNetwork network = small_network();
    network.use_gear(Gear::shared_ring);
    network.use_worker([](auto& jobs, auto& result, const Dataset& images) { return std::make_unique<OwnWorker>(jobs, result, images); });
    EXPECT_NE(error_of([&] { network.fit(data); }).find("cannot run the gear shared ring"), std::string::npos);
}

class DeafWorker : public OwnWorker {
public:
    using OwnWorker::OwnWorker;
    void run() override { throw std::runtime_error("before any batch"); }
};

// Its queue would wait for ever.
TEST(AugmentedNetwork, does_not_hang_in_a_queue_of_ones_own_where_workers_fail) {
    const Dataset data = random_images(60);
    AugmentedNetwork network = small_network();
    const auto queue = std::make_shared<OwnQueue>();
    network.use_workers(1);
    network.use_result_queue(queue);
    network.use_worker([](auto& jobs, auto& result, const Dataset& images) { return std::make_unique<DeafWorker>(jobs, result, images); });
    testing::internal::CaptureStderr();
    EXPECT_NE(error_of([&] { network.fit(data); }).find("before any batch"), std::string::npos);
    testing::internal::GetCapturedStderr();
    EXPECT_EQ(queue->length(), 0u);
}

std::size_t entries(const char* folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

class SlowOwnWorker : public OwnWorker {
public:
    using OwnWorker::OwnWorker;
    void run() override {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        OwnWorker::run();
    }
};

TEST(AugmentedNetwork, an_interrupt_leaves_a_queue_of_ones_own_as_good_as_new) {
    const Dataset data = random_images(60);
    lanes::NeuralNetwork plain({side * side, 20, classes}, 0.1, 6, 25, 3, {}, 3);
    plain.fit(data);
    const auto queue = std::make_shared<OwnQueue>();
    std::size_t threads = 0, descriptors = 0;
    for (int time = 0; time < 3; ++time) {
        AugmentedNetwork network = small_network();
        network.use_workers(1);
        network.use_gear(Gear::pipeline);
        network.use_result_queue(queue);
        network.use_worker([](auto& jobs, auto& result, const Dataset& images) { return std::make_unique<SlowOwnWorker>(jobs, result, images); });
        interrupt_pressed = 1;
        EXPECT_NE(error_of([&] { network.fit(data); }).find("interrupted"), std::string::npos);
        interrupt_pressed = 0;
        expect_no_children();
        EXPECT_EQ(queue->length(), 0u);
        if (time == 0) {  // OpenMP's are there by now
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            threads = entries("/proc/self/task"), descriptors = entries("/proc/self/fd");
        }
        for (int wait = 0; wait < 300 && entries("/proc/self/task") > threads; ++wait) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        EXPECT_LE(entries("/proc/self/task"), threads);
        EXPECT_EQ(entries("/proc/self/fd"), descriptors);
    }
    AugmentedNetwork network = small_network();
    network.use_workers(1);
    network.use_result_queue(queue);
    network.use_worker([](auto& jobs, auto& result, const Dataset& images) { return std::make_unique<OwnWorker>(jobs, result, images); });
    network.fit(data);
    EXPECT_EQ(network.weights(), plain.weights());
}

// The first writer dies in the middle of its message, with a lock that nobody can take over: the others wait.
class FatalQueue : public OwnQueue {
public:
    void put(const std::string& message) override {
        if (puts_.value++ == 0) raise(SIGKILL);
        if (!rescued_.value) std::this_thread::sleep_for(std::chrono::seconds(100));
        OwnQueue::put(message);
    }
    void rescue() { rescued_.value = 1; }

private:
    Counter puts_, rescued_;
};

TEST(AugmentedNetwork, does_not_hang_where_a_worker_died_inside_put) {
    const Dataset data = random_images(60);
    const auto queue = std::make_shared<FatalQueue>();
    AugmentedNetwork network = small_network();
    network.use_workers(1);
    network.use_result_queue(queue);
    network.use_worker([](auto& jobs, auto& result, const Dataset& images) { return std::make_unique<OwnWorker>(jobs, result, images); });
    const std::string error = error_of([&] { network.fit(data); });
    EXPECT_NE(error.find("no batch has come for 5 s, and worker ended by signal 9 (Killed) before"), std::string::npos) << error;
    expect_no_children();
    EXPECT_NE(error_of([&] { network.fit(data); }).find("Give the network a new one"), std::string::npos);
    queue->rescue();
    queue->put("");  // lets the thread go that waits in it
}

TEST(AugmentedNetwork, says_how_many_workers_it_starts) {
    const Dataset data = random_images(60);
    AugmentedNetwork network({side * side, 20, classes}, 0.1, 6, 5, 1);
    network.use_workers(3);
    testing::internal::CaptureStdout();
    network.fit(data, data);
    EXPECT_EQ(testing::internal::GetCapturedStdout().find("Starting 3 workers...\nEpoch 1, accuracy "), 0u);
    EXPECT_NE(error_of([&] { network.use_workers(-1); }).find("-1 workers"), std::string::npos);
}

TEST(AugmentedNetwork, a_second_fit_has_other_images) {
    const Dataset data = random_images(60);
    AugmentedNetwork network = small_network(5, 1);
    const auto first = network.create_batches(data), second = network.create_batches(data);
    EXPECT_NE(first[0].gather().x, second[0].gather().x);
    EXPECT_EQ(error_of([&] { network.fit(Dataset{xt::zeros<float>({0, 100}), xt::zeros<float>({0, 4})}); }).find("AugmentedNetwork::fit: 0 images"), 0u);
}

}  // namespace
