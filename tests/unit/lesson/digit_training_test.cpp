#include "lanes/lesson/digit_training.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using lanes::Communicator;

std::string printed(const std::function<void()>& call) {
    testing::internal::CaptureStdout();
    call();
    return testing::internal::GetCapturedStdout();
}

TEST(DigitTraining, BatchesBeginAgainAfterTheLastOne) {
    const lanes::digits::Batch first = lanes::digits::batch(0, 20000);
    EXPECT_EQ(first.x.shape(1), 784U);
    EXPECT_EQ(first.y.shape(0), 20000U);
    EXPECT_EQ(lanes::digits::batch(1, 7).y.to_vector<int>(), first.y.slice(7, 14).to_vector<int>());
    const auto sets = 50000 / 20000;  // whole batches of the training set
    EXPECT_EQ(lanes::digits::batch(sets, 20000).y.to_vector<int>(), first.y.to_vector<int>());
}

TEST(DigitTraining, WeightsGoIntoANetworkAndComeBack) {
    lanes::Sequential model = lanes::digits::network(8, 2);
    const std::vector<float> weights = lanes::digits::weights_of(model);
    EXPECT_EQ(weights.size(), 784U * 8 + 8 + 8 * 8 + 8 + 8 * 10 + 10);
    EXPECT_EQ(weights, lanes::digits::weights_of(lanes::digits::network(8, 2)));
    lanes::digits::set_weights(model, std::vector<float>(weights.size(), 0.5f));
    EXPECT_EQ(lanes::digits::weights_of(model), std::vector<float>(weights.size(), 0.5f));
}

TEST(DigitTraining, RanksThatDoNotAverageAreSeen) {
    const auto train = [](bool by_rank) {
        return [by_rank](const Communicator& comm, lanes::Sequential& model) {
            std::vector<float> weights = lanes::digits::weights_of(model);
            weights[0] += by_rank ? static_cast<float>(comm.size()) : 1;
            lanes::digits::set_weights(model, weights);
        };
    };
    double difference = 1;
    const std::string same =
        printed([&] { difference = lanes::digits::compare_ranks(train(false)); });
    EXPECT_EQ(difference, 0);
    EXPECT_EQ(same.find("no\n"), std::string::npos) << same;
    const std::string other = printed([&] { lanes::digits::compare_ranks(train(true)); });
    EXPECT_NE(other.find("no\n"), std::string::npos) << other;
}

TEST(DigitTraining, HowFarTheAccuraciesOfFourRanksAndOfOneAreApart) {
    const auto train = [](const Communicator& comm, lanes::Sequential& model) {
        // One rank gets a network that always says 0, four ranks leave it untrained.
        if (comm.size() > 1) return;
        std::vector<float> weights(lanes::digits::weights_of(model).size(), 0);
        weights[weights.size() - 10] = 1;  // the bias of the neuron for 0
        lanes::digits::set_weights(model, weights);
    };
    double difference = 0;
    const std::string text = printed([&] { difference = lanes::digits::compare_ranks(train); });
    const auto accuracy_of = [&](const std::string& row) {
        return std::stod(text.substr(text.find(row) + row.size()));
    };
    EXPECT_GT(difference, 0);
    EXPECT_NEAR(difference, std::abs(accuracy_of("\n    4 ") - accuracy_of("\n    1 ")), 0.1)
        << text;
}

TEST(DigitTraining, TheRankThatWaitsLongestCounts) {
    const auto slow = [](const Communicator& comm, lanes::Module&, std::size_t) {
        if (comm.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    };
    std::vector<double> left(2);
    const std::string text = printed([&] {
        lanes::simulate_ranks(2, [&](const Communicator& comm) {
            left[static_cast<std::size_t>(comm.rank())] =
                lanes::digits::compare_averages(comm, slow, slow);
        });
    });
    EXPECT_EQ(left[0], left[1]);
    const std::string row = "one message per tensor";
    std::istringstream numbers(text.substr(text.find(row) + row.size()));
    double whole = 0, waiting = 0;
    std::string unit;
    numbers >> whole >> unit >> waiting;
    EXPECT_GE(waiting, 50) << text;
    EXPECT_GE(whole, waiting) << text;
}

TEST(DigitTraining, TheTimesOfBothServersAreReturned) {
    std::vector<std::pair<double, double>> seconds(3);
    const std::string text = printed([&] {
        lanes::simulate_ranks(3, [&](const Communicator& comm) {
            seconds[static_cast<std::size_t>(comm.rank())] = lanes::digits::time_slow_worker(
                comm, lanes::spare::serve_synchronous, lanes::spare::serve_asynchronous);
        });
    });
    EXPECT_EQ(seconds[0], seconds[1]);
    EXPECT_EQ(seconds[0], seconds[2]);
    // Worker 1 pauses for 20 ms, 30 times for the synchronous server, 10 times for the other.
    EXPECT_GE(seconds[0].first, 0.6) << text;
    EXPECT_GE(seconds[0].second, 0.2) << text;
    EXPECT_NE(text.find("On this machine: the asynchronous server takes "), std::string::npos)
        << text;
}

TEST(DigitTraining, StalenessIsThatOfTheOtherWorkers) {
    double stale = 0;
    const std::string text = printed([&] {
        stale = lanes::digits::compare_servers(lanes::spare::serve_synchronous,
                                               lanes::spare::serve_asynchronous);
    });
    EXPECT_NEAR(stale, 15, 0.5) << text;
}

TEST(DigitTraining, TheSlowWorkerNeedsThreeRanks) {
    EXPECT_EQ(lanes_test::error_of([] {
                  lanes::simulate_ranks(2, [](const Communicator& comm) {
                      lanes::digits::time_slow_worker(comm, lanes::spare::serve_synchronous,
                                                      lanes::spare::serve_asynchronous);
                  });
              }),
              "time_slow_worker: 2 ranks. Start it with mpirun -n 3.");
}

}  // namespace
