// Augmented training with workers that die, throw or are interrupted, with queues of the library
// and of a user: nothing hangs, nothing is left behind.
#include "augmented_training.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>

static int interrupt_pressed = 0;
extern "C" __attribute__((visibility("default"))) int xcpp_interrupted() {
    return interrupt_pressed;
}

namespace {

using namespace lanes_test;

// How often something happened, counted in all processes.
struct Counter {
    Counter()
        : memory(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
          value(*new(memory) std::atomic<int>(0)) {}
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

TEST(AugmentedFailures, KilledWorkersDoNotChangeTheWeights) {
    const Dataset data = random_images(60);
    AugmentedNetwork undisturbed = small_network();
    undisturbed.set_num_workers(2);
    undisturbed.fit(data, few_epochs);
    for (const BatchPipeline pipeline :
         {BatchPipeline::whole_epoch, BatchPipeline::pipeline, BatchPipeline::shared_ring}) {
        SCOPED_TRACE(lanes::name_of(pipeline));
        images_seen().value = 0;
        AugmentedNetwork network = small_network();
        network.set_pipeline(pipeline);
        network.set_num_workers(3);
        network.use_worker<Dying>();
        network.fit(data, few_epochs);
        expect_equal(result_of(network), result_of(undisturbed));
        ASSERT_EQ(network.worker_failures().size(), 3u);
        EXPECT_NE(network.worker_failures()[0].find("ended by signal 9 (Killed)"),
                  std::string::npos);
        expect_no_children();
    }
}

class Throwing : public lanes::Worker {
public:
    using Worker::Worker;
    Matrix process_image(const Matrix&, lanes::Rng&) const override {
        throw std::runtime_error("no such operator");
    }
};

TEST(AugmentedFailures, ReportsTheExceptionOfAWorker) {
    const Dataset data = random_images(60);
    for (const BatchPipeline pipeline : pipelines) {
        AugmentedNetwork network = small_network();
        network.set_pipeline(pipeline);
        network.set_num_workers(2);
        network.use_worker<Throwing>();
        testing::internal::CaptureStderr();
        // The exception of a thread arrives unchanged.
        const std::string error = error_of<std::exception>([&] { network.fit(data, few_epochs); });
        testing::internal::GetCapturedStderr();
        EXPECT_NE(error.find("no such operator"), std::string::npos)
            << lanes::name_of(pipeline) << ": " << error;
        expect_no_children();
    }
}

// A user's own worker with a common mistake: `if` in place of `while`. Its exit code is 0.
class OneJobWorker : public lanes::Process {
public:
    OneJobWorker(lanes::Worker::Jobs& jobs, lanes::Queue<std::string>& result,
                 const Dataset& images, lanes::AugmentationBounds, std::uint64_t)
        : jobs_(jobs), result_(result), images_(images) {}

    void run() override {
        if (const auto job = jobs_.get()) {
            std::string bytes;
            float* const x = lanes::begin_batch(bytes, job->index, images_.x.shape(1), job->labels);
            std::fill_n(x, job->images.size() * images_.x.shape(1), 0.0f);
            result_.put(bytes);
        }
    }

private:
    lanes::Worker::Jobs& jobs_;
    lanes::Queue<std::string>& result_;
    const Dataset& images_;
};

TEST(AugmentedFailures, ReportsAWorkerThatEndsAfterOneJob) {
    const Dataset data = random_images(60);
    for (const BatchPipeline pipeline : {BatchPipeline::whole_epoch, BatchPipeline::pipeline}) {
        AugmentedNetwork network = small_network();
        network.set_pipeline(pipeline);
        network.set_num_workers(2);
        network.use_worker<OneJobWorker>();
        const std::string error = error_of([&] { network.fit(data, few_epochs); });
        EXPECT_NE(error.find("ended with exit code 0"), std::string::npos)
            << lanes::name_of(pipeline) << ": " << error;
        EXPECT_NE(error.find("while"), std::string::npos) << error;
        expect_no_children();
    }
}

// Puts batches with indices that are not those of their jobs, or puts them twice.
class MislabellingWorker : public lanes::Process {
public:
    enum class Mistake { always_0, far_ahead, twice, dies_after_put };
    MislabellingWorker(Mistake mistake, lanes::Worker::Jobs& jobs,
                       lanes::Queue<std::string>& result, const Dataset& images)
        : mistake_(mistake), jobs_(jobs), result_(result), images_(images) {}

    void run() override {
        while (const auto job = jobs_.get()) {
            const std::vector<std::size_t> rows(job->images.begin(), job->images.end());
            const std::uint64_t index = mistake_ == Mistake::always_0    ? 0
                                        : mistake_ == Mistake::far_ahead ? job->index + 1000
                                                                         : job->index;
            const std::string bytes =
                lanes::to_bytes({index, lanes::rows_of(images_, rows).x, job->labels});
            result_.put(bytes);
            if (mistake_ == Mistake::twice) result_.put(bytes);
            if (mistake_ == Mistake::dies_after_put && images_seen().value.fetch_add(1) < 2)
                ::kill(getpid(), SIGKILL);
        }
    }

private:
    Mistake mistake_;
    lanes::Worker::Jobs& jobs_;
    lanes::Queue<std::string>& result_;
    const Dataset& images_;
};

TEST(AugmentedFailures, ReportsABatchWithAWrongIndex) {
    const Dataset data = random_images(60);
    using Mistake = MislabellingWorker::Mistake;
    const auto error_with = [&](Mistake mistake, BatchPipeline pipeline) {
        AugmentedNetwork network = small_network();
        network.set_pipeline(pipeline);
        network.set_num_workers(1);
        network.use_worker([mistake](auto& jobs, auto& result, const Dataset& images) {
            return std::make_unique<MislabellingWorker>(mistake, jobs, result, images);
        });
        const std::string error = error_of([&] { network.fit(data, few_epochs); });
        expect_no_children();
        return error;
    };
    for (const BatchPipeline pipeline : {BatchPipeline::whole_epoch, BatchPipeline::pipeline}) {
        SCOPED_TRACE(lanes::name_of(pipeline));
        for (const Mistake mistake : {Mistake::always_0, Mistake::twice}) {
            const std::string error = error_with(mistake, pipeline);
            EXPECT_EQ(error.find("AugmentedNetwork: a batch with index 0 arrived twice, although "
                                 "its worker has not died. The workers were given jobs 0 to "),
                      0u)
                << error;
            EXPECT_NE(error.find(", and batch 1 is next. Give each batch the index of its job"),
                      std::string::npos)
                << error;
        }
        const std::string error = error_with(Mistake::far_ahead, pipeline);
        EXPECT_EQ(error.find("AugmentedNetwork: a batch with index 1000 arrived, but no such job "
                             "was given to the workers. The workers were given jobs 0 to "),
                  0u)
            << error;
    }
}

// The job of a dead worker is done once more, although its batch has arrived.
TEST(AugmentedFailures, ABatchMayArriveTwiceIfItsWorkerDiedAfterSendingIt) {
    const Dataset data = random_images(60);
    lanes::NeuralNetwork plain({side * side, 20, classes}, options_of(0.1, 6, 25, 3));
    plain.fit(data, few_epochs);
    for (const BatchPipeline pipeline : {BatchPipeline::whole_epoch, BatchPipeline::pipeline}) {
        images_seen().value = 0;
        AugmentedNetwork network = small_network();
        network.set_pipeline(pipeline);
        network.set_num_workers(2);
        network.use_worker([](auto& jobs, auto& result, const Dataset& images) {
            return std::make_unique<MislabellingWorker>(MislabellingWorker::Mistake::dies_after_put,
                                                        jobs, result, images);
        });
        network.fit(data, few_epochs);
        EXPECT_EQ(network.weights(), plain.weights()) << lanes::name_of(pipeline);
        EXPECT_EQ(network.worker_failures().size(), 2u);
    }
}

// Derived from the library's worker, so that it can be used with every pipeline.
class LazyWorker : public lanes::Worker {
public:
    using Worker::Worker;
    void run() override {}
};

TEST(AugmentedFailures, ReportsAWorkerThatTakesNoJob) {
    const Dataset data = random_images(60);
    for (const BatchPipeline pipeline : pipelines) {
        AugmentedNetwork network = small_network();
        network.set_pipeline(pipeline);
        network.set_num_workers(2);
        network.use_worker<LazyWorker>();
        const std::string error = error_of([&] { network.fit(data, few_epochs); });
        EXPECT_NE(error.find("no more jobs"), std::string::npos)
            << lanes::name_of(pipeline) << ": " << error;
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

TEST(AugmentedFailures, AnInterruptEndsFitAndAllWorkers) {
    const Dataset data = random_images(60);
    for (const BatchPipeline pipeline : pipelines) {
        AugmentedNetwork network = small_network(1000);
        network.set_pipeline(pipeline);
        network.set_num_workers(2);
        network.use_worker<Waiting>();
        interrupt_pressed = 1;
        const std::string error = error_of([&] { network.fit(data, few_epochs); });
        interrupt_pressed = 0;
        EXPECT_NE(error.find("interrupted"), std::string::npos)
            << lanes::name_of(pipeline) << ": " << error;
        expect_no_children();
    }
}

// A user's own worker, written from scratch, and a user's own queue: as at the end of the notebook
// 05_queue, but without a lock, because there is one worker.
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
        // The reader received the message long ago: killing this worker now breaks the queue.
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
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
        for (std::size_t done = 0; done < size;)
            done += static_cast<std::size_t>(
                write(ends_[1], static_cast<const char*>(data) + done, size - done));
    }
    void read_all(void* data, std::size_t size) {
        for (std::size_t done = 0; done < size;)
            done += static_cast<std::size_t>(
                read(ends_[0], static_cast<char*>(data) + done, size - done));
    }
    int ends_[2];
    Counter count_;
};

class OwnWorker : public lanes::Process {
public:
    OwnWorker(lanes::Worker::Jobs& jobs, lanes::Queue<std::string>& result, const Dataset& images)
        : jobs_(jobs), result_(result), images_(images) {}
    void run() override {
        while (const auto job = jobs_.get()) {
            const std::vector<std::size_t> rows(job->images.begin(), job->images.end());
            result_.put(
                lanes::to_bytes({job->index, lanes::rows_of(images_, rows).x, job->labels}));
        }
    }

private:
    lanes::Worker::Jobs& jobs_;
    lanes::Queue<std::string>& result_;
    const Dataset& images_;
};

TEST(AugmentedFailures, AcceptsAUserWrittenWorkerAndQueue) {
    const Dataset data = random_images(60);
    lanes::NeuralNetwork plain({side * side, 20, classes}, options_of(0.1, 6, 25, 3));
    plain.fit(data, few_epochs);
    for (const BatchPipeline pipeline : {BatchPipeline::whole_epoch, BatchPipeline::pipeline}) {
        AugmentedNetwork network = small_network();
        const auto queue = std::make_shared<OwnQueue>();
        network.set_pipeline(pipeline);
        network.set_num_workers(1);
        network.set_result_queue(queue);
        network.use_worker([](auto& jobs, auto& result, const Dataset& images) {
            return std::make_unique<OwnWorker>(jobs, result, images);
        });
        network.fit(data, few_epochs);
        EXPECT_EQ(network.weights(), plain.weights()) << lanes::name_of(pipeline);
        network.fit(data, few_epochs);  // the same queue again
        EXPECT_EQ(queue->length(), 0u);
    }
    AugmentedNetwork network = small_network();
    network.set_pipeline(BatchPipeline::shared_ring);
    network.use_worker([](auto& jobs, auto& result, const Dataset& images) {
        return std::make_unique<OwnWorker>(jobs, result, images);
    });
    EXPECT_NE(error_of([&] {
                  network.fit(data, few_epochs);
              }).find("cannot run the pipeline 'shared ring'"),
              std::string::npos);
}

// Its length() is 0 until somebody has complained about it on std::cerr.
class UncountedQueue : public OwnQueue, public std::stringbuf {
public:
    UncountedQueue() : cerr_(std::cerr.rdbuf(this)) {}
    ~UncountedQueue() override { std::cerr.rdbuf(cerr_); }
    std::size_t length() const override { return counts_ ? OwnQueue::length() : 0; }

private:
    std::streamsize xsputn(const char* text, std::streamsize size) override {
        counts_ = true;
        return std::stringbuf::xsputn(text, size);
    }
    std::streambuf* cerr_;
    std::atomic<bool> counts_{false};
};

TEST(AugmentedFailures, WarnsIfTheLengthOfAUserWrittenQueueStays0) {
    const Dataset data = random_images(60);
    const auto queue = std::make_shared<UncountedQueue>();
    AugmentedNetwork network = small_network();
    network.set_num_workers(1);
    network.set_result_queue(queue);
    network.use_worker([](auto& jobs, auto& result, const Dataset& images) {
        return std::make_unique<OwnWorker>(jobs, result, images);
    });
    network.fit(data, few_epochs);
    EXPECT_NE(queue->str().find("Is length() always 0?"), std::string::npos) << queue->str();
}

class DeafWorker : public OwnWorker {
public:
    using OwnWorker::OwnWorker;
    void run() override { throw std::runtime_error("before any batch"); }
};

// Its queue would wait forever.
TEST(AugmentedFailures, FailingWorkersDoNotBlockAUserWrittenQueue) {
    const Dataset data = random_images(60);
    AugmentedNetwork network = small_network();
    const auto queue = std::make_shared<OwnQueue>();
    network.set_num_workers(1);
    network.set_result_queue(queue);
    network.use_worker([](auto& jobs, auto& result, const Dataset& images) {
        return std::make_unique<DeafWorker>(jobs, result, images);
    });
    testing::internal::CaptureStderr();
    EXPECT_NE(error_of([&] { network.fit(data, few_epochs); }).find("before any batch"),
              std::string::npos);
    testing::internal::GetCapturedStderr();
    EXPECT_EQ(queue->length(), 0u);
}

class SlowOwnWorker : public OwnWorker {
public:
    using OwnWorker::OwnWorker;
    void run() override {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        OwnWorker::run();
    }
};

// While it exists no thread can be started: the default stack is larger than the address space.
class NoNewThreads {
public:
    NoNewThreads() {
        pthread_attr_t attributes;
        pthread_getattr_default_np(&attributes);
        pthread_attr_getstacksize(&attributes, &stack_before_);
        set_stack(std::size_t{1} << 60);
    }
    NoNewThreads(const NoNewThreads&) = delete;
    NoNewThreads& operator=(const NoNewThreads&) = delete;
    ~NoNewThreads() { set_stack(stack_before_); }

private:
    static void set_stack(std::size_t bytes) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, bytes);
        pthread_setattr_default_np(&attributes);
        pthread_attr_destroy(&attributes);
    }
    std::size_t stack_before_ = 0;
};

// Its workers never answer, and the threads needed to shut it down cannot be started.
class UnansweredQueue : public OwnQueue {
public:
    std::size_t length() const override {
        if (!no_new_threads_) no_new_threads_.emplace();
        interrupt_pressed = 1;
        return 0;
    }
    void allow_threads() { no_new_threads_.reset(); }

private:
    mutable std::optional<NoNewThreads> no_new_threads_;
};

TEST(AugmentedFailures, ReportsTheErrorEvenIfTheQueueCannotBeLeftInOrder) {
    const Dataset data = random_images(60);
    AugmentedNetwork network = small_network();
    const auto queue = std::make_shared<UnansweredQueue>();
    network.set_num_workers(1);
    network.set_result_queue(queue);
    network.use_worker([](auto& jobs, auto& result, const Dataset& images) {
        return std::make_unique<SlowOwnWorker>(jobs, result, images);
    });
    EXPECT_NE(error_of([&] { network.fit(data, few_epochs); }).find("interrupted"),
              std::string::npos);
    queue->allow_threads();
    interrupt_pressed = 0;
    expect_no_children();
}

std::size_t entries(const char* folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                  std::filesystem::directory_iterator()));
}

TEST(AugmentedFailures, AUserWrittenQueueCanBeUsedAfterAnInterrupt) {
    const Dataset data = random_images(60);
    lanes::NeuralNetwork plain({side * side, 20, classes}, options_of(0.1, 6, 25, 3));
    plain.fit(data, few_epochs);
    const auto queue = std::make_shared<OwnQueue>();
    std::size_t threads = 0, descriptors = 0;
    for (int time = 0; time < 3; ++time) {
        AugmentedNetwork network = small_network();
        network.set_num_workers(1);
        network.set_pipeline(BatchPipeline::pipeline);
        network.set_result_queue(queue);
        network.use_worker([](auto& jobs, auto& result, const Dataset& images) {
            return std::make_unique<SlowOwnWorker>(jobs, result, images);
        });
        interrupt_pressed = 1;
        EXPECT_NE(error_of([&] { network.fit(data, few_epochs); }).find("interrupted"),
                  std::string::npos);
        interrupt_pressed = 0;
        expect_no_children();
        EXPECT_EQ(queue->length(), 0u);
        if (time == 0) {  // OpenMP's threads exist by now
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            threads = entries("/proc/self/task"), descriptors = entries("/proc/self/fd");
        }
        for (int wait = 0; wait < 300 && entries("/proc/self/task") > threads; ++wait)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        EXPECT_LE(entries("/proc/self/task"), threads);
        EXPECT_EQ(entries("/proc/self/fd"), descriptors);
    }
    AugmentedNetwork network = small_network();
    network.set_num_workers(1);
    network.set_result_queue(queue);
    network.use_worker([](auto& jobs, auto& result, const Dataset& images) {
        return std::make_unique<OwnWorker>(jobs, result, images);
    });
    network.fit(data, few_epochs);
    EXPECT_EQ(network.weights(), plain.weights());
}

// The first writer dies in the middle of its message while it holds a lock that nothing can
// release: the others wait.
class FatalQueue : public OwnQueue {
public:
    void put(const std::string& message) override {
        if (puts_.value++ == 0) raise(SIGKILL);
        if (!rescued_.value) std::this_thread::sleep_for(std::chrono::seconds(100));
        OwnQueue::put(message);
    }
    std::size_t length() const override {
        while (puts_.value > 0 && !rescued_.value)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return OwnQueue::length();
    }
    void rescue() { rescued_.value = 1; }

private:
    Counter puts_, rescued_;
};

TEST(AugmentedFailures, DoesNotHangIfAWorkerDiesInsidePut) {
    const Dataset data = random_images(60);
    const auto queue = std::make_shared<FatalQueue>();
    AugmentedNetwork network = small_network();
    network.set_num_workers(1);
    network.set_result_queue(queue);
    network.use_worker([](auto& jobs, auto& result, const Dataset& images) {
        return std::make_unique<OwnWorker>(jobs, result, images);
    });
    const std::string error = error_of([&] { network.fit(data, few_epochs); });
    EXPECT_NE(
        error.find("no batch has arrived for 5 s, and worker ended by signal 9 (Killed) before"),
        std::string::npos)
        << error;
    expect_no_children();
    EXPECT_NE(error_of([&] { network.fit(data, few_epochs); }).find("Give the network a new one"),
              std::string::npos);
    queue->rescue();  // so that the thread that waits in length can end
}

}  // namespace
