// Loaders whose workers are killed, crash, throw, call exit or are interrupted: nothing hangs and
// nothing is left behind.
#include "lanes/array/blas.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/data/data_loader.hpp"
#include "lanes/tensor/ops.hpp"
#include "parallel/helpers.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <thread>

namespace {

using lanes::DataLoader;
using lanes::Tensor;

// Example i is the number i; before that, something happens.
struct Numbers {
    std::function<void(std::size_t)> before;
    std::size_t count = 40;
    std::size_t size() const { return count; }
    int get(std::size_t index) const {
        before(index);
        return static_cast<int>(index);
    }
};

class LoaderWorkersTest : public LeavesNothing {
protected:
    LoaderWorkersTest()
        : memory_(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
          shared(static_cast<std::atomic<int>*>(memory_)) {
        for (int i = 0; i < 16; ++i) new (shared + i) std::atomic<int>(0);
    }
    ~LoaderWorkersTest() override { munmap(memory_, 4096); }

private:
    void* memory_;

protected:
    std::atomic<int>* shared;  // with all workers
};

template <class Loader>
std::vector<int> labels_of(Loader& loader) {
    std::vector<int> all;
    for (auto& [y] : loader)
        for (const int label : y.template to_vector<int>()) all.push_back(label);
    return all;
}

std::vector<int> forty() {
    std::vector<int> all(40);
    for (int i = 0; i < 40; ++i) all[static_cast<std::size_t>(i)] = i;
    return all;
}

TEST_F(LoaderWorkersTest, StartsWorkersOnceAndUsesAllOfThem) {
    const int own = getpid();
    DataLoader loader(
        Numbers{[&](std::size_t) {
            if (getpid() == own) return;  // example 0 shows what examples look like
            wait_a_little();
            for (int i = 0; i < 16; ++i) {
                int none = 0;
                if (shared[i] == getpid() || shared[i].compare_exchange_strong(none, getpid()))
                    return;
            }
        }},
        lanes::DataLoaderOptions().batch_size(4).num_workers(3));
    for (int epoch = 0; epoch < 3; ++epoch) EXPECT_EQ(labels_of(loader), forty());
    EXPECT_NE(shared[1], 0);
    EXPECT_NE(shared[2], 0);
    EXPECT_EQ(shared[3], 0);
}

TEST_F(LoaderWorkersTest, PreparesBatchesAheadAlsoOfTheNextEpoch) {
    DataLoader loader(Numbers{[&](std::size_t) { ++shared[0]; }},
                      lanes::DataLoaderOptions().batch_size(4).num_workers(1));
    int batches = 0;
    for ([[maybe_unused]] auto& batch : loader) {
        // one example when the epoch was started, this batch, and two more
        if (++batches == 1) EXPECT_TRUE(comes_true([&] { return shared[0] >= 1 + 3 * 4 - 4; }));
    }
    EXPECT_TRUE(comes_true([&] { return shared[0] >= 1 + 40 + 4; }));
    wait_a_little(20);
    EXPECT_LE(shared[0], 1 + 40 + 8);
}

TEST_F(LoaderWorkersTest, ReplacesAKilledWorkerAndLosesNoBatch) {
    DataLoader loader(Numbers{[&](std::size_t index) {
                          if (index == 17 && shared[0].fetch_add(1) < 2) ::kill(getpid(), SIGKILL);
                      }},
                      lanes::DataLoaderOptions().batch_size(4).num_workers(2));
    EXPECT_EQ(labels_of(loader), forty());
    ASSERT_EQ(loader.worker_failures().size(), 2U);
    EXPECT_NE(loader.worker_failures()[0].find("ended by signal 9 (Killed)"), std::string::npos);
    EXPECT_EQ(labels_of(loader), forty());
}

TEST_F(LoaderWorkersTest, NamesSignalAndExampleIfABatchKillsEveryWorker) {
    DataLoader loader(Numbers{[&](std::size_t index) {
                          if (index == 17 && shared[0] == 0) std::raise(SIGKILL);
                      }},
                      lanes::DataLoaderOptions().batch_size(4).num_workers(2));
    const std::string error = error_of([&] { labels_of(loader); });
    EXPECT_EQ(error.find("DataLoader: worker "), 0U) << error;
    EXPECT_NE(error.find("ended by signal 9 (Killed), the third that this job has ended"),
              std::string::npos)
        << error;
    EXPECT_NE(error.find("It was reading example 17: try get(17) of your dataset in a cell."),
              std::string::npos)
        << error;
    shared[0] = 1;
    EXPECT_EQ(labels_of(loader), forty());  // with new workers
    EXPECT_EQ(loader.worker_failures().size(), 2U);
}

TEST_F(LoaderWorkersTest, ReplacesWorkersThatAreKilledBetweenTwoEpochs) {
    DataLoader loader(Numbers{[&](std::size_t) { shared[0] = getpid(); }},
                      lanes::DataLoaderOptions().batch_size(4).num_workers(1));
    EXPECT_EQ(labels_of(loader), forty());
    wait_a_little(10);  // until the first batches of the next epoch are made
    ::kill(shared[0], SIGKILL);
    EXPECT_EQ(labels_of(loader), forty());
    EXPECT_EQ(loader.worker_failures().size(), 1U);
}

TEST_F(LoaderWorkersTest, PassesOnWhatGetThrewWithExampleAndWorker) {
    DataLoader loader(Numbers{[&](std::size_t index) {
                          if (index == 17 && shared[0] == 0)
                              throw std::invalid_argument("no image");
                      }},
                      lanes::DataLoaderOptions().batch_size(4).num_workers(1));
    std::vector<int> seen;
    const std::string error = error_of([&] {
        for (auto& [y] : loader) seen.push_back(y.to_vector<int>()[0]);
    });
    EXPECT_EQ(error, "DataLoader: get(17) threw in worker 1: std::invalid_argument: no image");
    EXPECT_EQ(seen, (std::vector<int>{0, 4, 8, 12}));
    shared[0] = 1;
    EXPECT_EQ(labels_of(loader), forty());
}

TEST_F(LoaderWorkersTest, PassesOnWhatGetThrewWithoutWorkers) {
    DataLoader loader(Numbers{[&](std::size_t index) {
                          if (index == 17 && shared[0] == 0) throw 4;
                      }},
                      lanes::DataLoaderOptions().batch_size(4));
    EXPECT_EQ(error_of([&] { labels_of(loader); }),
              "DataLoader: get(17) threw: an exception that is no std::exception");
    shared[0] = 1;
    EXPECT_EQ(labels_of(loader), forty());
}

TEST_F(LoaderWorkersTest, AnIteratorEndsWithTheEpochThatFailed) {
    DataLoader loader(Numbers{[](std::size_t index) {
                          if (index == 5) throw std::runtime_error("five");
                      }},
                      lanes::DataLoaderOptions().batch_size(5).num_workers(1));
    auto batch = loader.begin();
    EXPECT_SAYS(++batch, "five");
    EXPECT_SAYS(++batch, "DataLoader: this epoch ended with an error. Start the next one.");
}

TEST_F(LoaderWorkersTest, DoesNotWaitForAWorkerThatCalledExit) {
    for (const int code : {0, 3}) {
        DataLoader loader(Numbers{[&](std::size_t index) {
                              if (index == 17 && shared[0] == 0) std::_Exit(code);
                          }},
                          lanes::DataLoaderOptions().batch_size(4).num_workers(2));
        shared[0] = 0;
        const std::string error = error_of([&] { labels_of(loader); });
        EXPECT_NE(error.find("ended with exit code " + std::to_string(code)), std::string::npos)
            << error;
        EXPECT_NE(error.find("example 17"), std::string::npos) << error;
        shared[0] = 1;
        EXPECT_EQ(labels_of(loader), forty());
    }
}

TEST_F(LoaderWorkersTest, StopsAtTheInterruptButton) {
    for (const int workers : {0, 2}) {
        DataLoader loader(Numbers{[&](std::size_t index) {
                              if (index > 8 && shared[0] == 0) wait_a_little(workers ? 600000 : 5);
                          }},
                          lanes::DataLoaderOptions().batch_size(4).num_workers(workers));
        shared[0] = 0;
        const lanes::Timer timer;
        std::string error;
        {
            std::thread user([] {
                wait_a_little(50);
                interrupt_pressed = 1;
            });
            error = error_of([&] { labels_of(loader); });
            user.join();
            interrupt_pressed = 0;
        }
        EXPECT_EQ(error.find("DataLoader: interrupted"), 0U) << error;
        EXPECT_LT(timer.seconds(), 300);
        shared[0] = 1;
        EXPECT_EQ(labels_of(loader), forty());
    }
}

TEST_F(LoaderWorkersTest, CanBeDestroyedInTheMiddleOfAnEpoch) {
    const lanes::Timer timer;
    for (int time = 0; time < 5; ++time) {
        DataLoader loader(Numbers{[](std::size_t index) {
                              if (index > 20) wait_a_little(600000);
                          }},
                          lanes::DataLoaderOptions().batch_size(4).num_workers(3));
        int batches = 0;
        for ([[maybe_unused]] auto& batch : loader)
            if (++batches == 3) break;
    }
    EXPECT_LT(timer.seconds(), 300);
}

// Threads of OpenMP and OpenBLAS do not exist in a forked process.
TEST_F(LoaderWorkersTest, WorkersCanComputeAfterTheirParentHasUsedThreads) {
    const Tensor large = Tensor::ones({400, 400});
    EXPECT_EQ(lanes::matmul(large, large).at({3, 3}), 400);
    EXPECT_EQ(lanes::sum(large).item(), 160000);
    struct Products {
        Tensor matrix;
        std::size_t size() const { return 20; }
        Tensor get(std::size_t) const { return lanes::sum(lanes::matmul(matrix, matrix), {1}); }
    };
    DataLoader loader(Products{large}, lanes::DataLoaderOptions().batch_size(5).num_workers(2));
    int batches = 0;
    for (auto& [x] : loader) {
        EXPECT_EQ(x.at({4, 7}), 160000);
        EXPECT_EQ(lanes::matmul(large, large).at({1, 2}), 400);
        ++batches;
    }
    EXPECT_EQ(batches, 4);
}

TEST_F(LoaderWorkersTest, CanBeStartedWhileAnotherThreadMakesTensors) {
    std::atomic<bool> done{false};
    std::thread busy([&] {
        while (!done) Tensor::empty({1000});
    });
    for (int time = 0; time < 30; ++time) {
        DataLoader loader(Numbers{[](std::size_t) { Tensor::empty({1000}); }, 8},
                          lanes::DataLoaderOptions().batch_size(4).num_workers(2));
        EXPECT_EQ(labels_of(loader).size(), 8U);
    }
    done = true;
    busy.join();
}

// As a session that is restored from its snapshot after an error.
TEST_F(LoaderWorkersTest, StartsNewWorkersInAForkedProcess) {
    DataLoader loader(Numbers{[](std::size_t) {}},
                      lanes::DataLoaderOptions().batch_size(4).num_workers(2));
    EXPECT_EQ(labels_of(loader), forty());
    auto batch = loader.begin();
    const int child = fork();
    if (child == 0) {
        const bool gone = error_of([&] {
                              for (int i = 0; i < 9; ++i) ++batch;
                          }).find("DataLoader: its workers are gone") == 0;
        _exit(gone && labels_of(loader) == forty() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(labels_of(loader), forty());  // those of this process still work
    EXPECT_TRUE(loader.worker_failures().empty());
}

TEST_F(LoaderWorkersTest, AWorkerOfTheUserMayHaveALoaderOfItsOwn) {
    DataLoader loader(Numbers{[&](std::size_t index) {
                          if (index == 17 && shared[0].fetch_add(1) == 0) ::kill(getpid(), SIGKILL);
                      }},
                      lanes::DataLoaderOptions().batch_size(4).num_workers(2));
    Doing worker([&] { shared[1] = labels_of(loader) == forty() ? 1 : 2; });
    worker.start();
    EXPECT_TRUE(worker.join(30));
    EXPECT_EQ(shared[1], 1);
}

}  // namespace
