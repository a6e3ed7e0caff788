// Shared by the tests of augmented training: small random images, a small network, and the results
// of a training.
#pragma once

#include "error_of.hpp"
#include "lanes/mlp/augmented_network.hpp"
#include "mlp/options_of.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lanes_test {

using lanes::AugmentedNetwork;
using lanes::BatchPipeline;
using lanes::Dataset;
using lanes::Matrix;

constexpr BatchPipeline pipelines[] = {BatchPipeline::whole_epoch, BatchPipeline::pipeline,
                                       BatchPipeline::shared_ring, BatchPipeline::threads};
constexpr std::size_t few_epochs = 3;
constexpr std::size_t side = 10, classes = 4;

inline Dataset random_images(std::size_t count, std::uint64_t seed = 4) {
    lanes::Rng rng(seed);
    Dataset data{xt::zeros<float>({count, side * side}), xt::zeros<float>({count, classes})};
    rng.fill_uniform(data.x.data(), data.x.size(), 0, 1);
    for (float& value : data.x) value = value < 0.7f ? 0 : value;
    for (std::size_t i = 0; i < count; ++i) data.y(i, i % classes) = 1;
    return data;
}

inline AugmentedNetwork small_network(std::optional<std::size_t> batches = 25,
                                      std::size_t batch_size = 6) {
    AugmentedNetwork network({side * side, 20, classes}, options_of(0.1, batch_size, batches, 3));
    network.print_epochs(false);
    return network;
}

struct Trained {
    std::vector<Matrix> weights;
    std::vector<double> accuracies;
};

inline Trained result_of(const AugmentedNetwork& network) {
    Trained trained{network.weights(), {}};
    for (const auto& epoch : network.history())
        if (epoch.accuracy) trained.accuracies.push_back(*epoch.accuracy);
    return trained;
}

inline void expect_equal(const Trained& a, const Trained& b) {
    ASSERT_EQ(a.weights.size(), b.weights.size());
    for (std::size_t i = 0; i < a.weights.size(); ++i) EXPECT_EQ(a.weights[i], b.weights[i]);
    EXPECT_EQ(a.accuracies, b.accuracies);
}

// No worker is still running, and no dead one has to be waited for.
inline void expect_no_children() { EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1); }

}  // namespace lanes_test
