#include "lanes/lesson/spare_network.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/mlp/network.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::Matrix;
namespace spare = lanes::spare;

lanes::Parameters network_of(const lanes::Sizes& sizes) {
    lanes::Rng rng(7);
    return {spare::random_weights(sizes, rng), spare::zeros_biases(sizes)};
}

const Matrix x{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, y{{0}, {1}, {1}, {0}};

TEST(SpareNetwork, BackwardAgreesWithNumericalGradients) {
    const lanes::Parameters network = network_of({2, 3, 4, 1});
    const lanes::Parameters d = spare::backward(spare::forward(x, network), y, network.weights);
    const auto loss_of = [&](const lanes::Weights<float>& weights) {
        return spare::loss(spare::forward(x, {weights, network.biases}).a.back(), y);
    };
    for (std::size_t l = 0; l < network.weights.size(); ++l)
        EXPECT_NEAR(d.weights[l](1, 0),
                    spare::numerical_gradient(loss_of, network.weights, l, 1, 0, 0.01f), 1e-4);
}

TEST(SpareNetwork, GradientsOfRowsAddUp) {
    const lanes::Parameters network = network_of({2, 3, 1});
    lanes::Parameters total{spare::zeros_weights({2, 3, 1}), spare::zeros_biases({2, 3, 1})};
    for (std::size_t i = 0; i < 4; ++i) {
        const lanes::Dataset row = lanes::slice_of(lanes::Dataset{x, y}, i, i + 1);
        total = spare::sum(total,
                           spare::backward(spare::forward(row.x, network), row.y, network.weights));
    }
    const lanes::Parameters d = spare::backward(spare::forward(x, network), y, network.weights);
    EXPECT_TRUE(lanes::all_close(total.weights[0], d.weights[0]));
    EXPECT_TRUE(lanes::all_close(total.biases[1], d.biases[1]));
}

TEST(SpareNetwork, LearnsAsTheNetworkOfTheLibraryDoes) {
    lanes::Parameters network = network_of({2, 3, 1});
    lanes::TrainingOptions options;
    options.learning_rate(0.5).batch_size(16);
    lanes::NeuralNetwork library({2, 3, 1}, options);
    library.set_weights(network.weights, network.biases);
    library.fit(lanes::Dataset{x, y}, 20);  // one batch: the order does not matter
    lanes::Rng rng(1);
    spare::fit(network, {x, y}, 20, 0.5f, rng);
    EXPECT_TRUE(lanes::all_close(spare::forward(x, network).a.back(), library.predict(x)));
}

TEST(SpareNetwork, AccuracyAndConfusionCountTheLargestOutputs) {
    const Matrix outputs{{0.1f, 0.3f}, {0.2f, 0.1f}, {0.5f, 0.5f}}, labels{{0, 1}, {0, 1}, {1, 0}};
    EXPECT_DOUBLE_EQ(spare::accuracy(outputs, labels), 2.0 / 3);
    EXPECT_TRUE(lanes::all_close(spare::confusion(outputs, labels), Matrix{{1, 0}, {1, 1}}));
    EXPECT_TRUE(lanes::all_close(spare::matmul(x, Matrix{{1}, {2}}), Matrix{{0}, {2}, {1}, {3}}));
}

}  // namespace
