// What the tests of augmented training have in common: small random images, a small network, and
// what a training leaves.
#pragma once

#include "error_of.hpp"
#include "lanes/nn/augmented_network.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lanes_test {

using lanes::AugmentedNetwork;
using lanes::Dataset;
using lanes::Gear;
using lanes::Matrix;

constexpr Gear gears[] = {Gear::whole_epoch, Gear::pipeline, Gear::shared_ring, Gear::threads};
constexpr std::size_t side = 10, classes = 4;

inline Dataset random_images(std::size_t count, std::uint64_t seed = 4) {
    lanes::Rng rng(seed);
    Dataset data{xt::zeros<float>({count, side * side}), xt::zeros<float>({count, classes})};
    rng.fill_uniform(data.x.data(), data.x.size(), 0, 1);
    for (float& value : data.x) value = value < 0.7f ? 0 : value;
    for (std::size_t i = 0; i < count; ++i) data.y(i, i % classes) = 1;
    return data;
}

inline AugmentedNetwork small_network(std::size_t batches = 25, std::size_t epochs = 3,
                                      std::size_t batch_size = 6) {
    AugmentedNetwork network({side * side, 20, classes}, 0.1, batch_size, batches, epochs, {}, 3);
    network.print_epochs(false);
    return network;
}

struct Trained {
    std::vector<Matrix> weights;
    std::vector<double> accuracies;
};

inline Trained result_of(const AugmentedNetwork& network) {
    Trained trained{network.weights(), {}};
    for (const auto& epoch : network.history()) trained.accuracies.push_back(epoch.accuracy);
    return trained;
}

inline void expect_equal(const Trained& a, const Trained& b) {
    ASSERT_EQ(a.weights.size(), b.weights.size());
    for (std::size_t i = 0; i < a.weights.size(); ++i) EXPECT_EQ(a.weights[i], b.weights[i]);
    EXPECT_EQ(a.accuracies, b.accuracies);
}

// No worker runs on, and none is left for somebody else to wait for.
inline void expect_no_children() { EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1); }

}  // namespace lanes_test
