#include "lanes/mlp/parts.hpp"

#include "lanes/array.hpp"
#include "lanes/mlp/network.hpp"
#include "lanes/mlp/sigmoid.hpp"
#include "mlp/options_of.hpp"

#include <gtest/gtest.h>

#include <map>

namespace {

using lanes::Matrix;

TEST(AddElementwise, OneLambdaServesWeightsAndBiases) {
    const lanes::AddElementwise<float> add = [](const auto& a, const auto& b) {
        return lanes::add_elementwise(a, b);
    };
    EXPECT_TRUE(add);
    EXPECT_FALSE(lanes::AddElementwise<float>());
    EXPECT_EQ(add(lanes::Weights<float>{Matrix{{1}}}, lanes::Weights<float>{Matrix{{2}}})[0](0, 0),
              3);
    EXPECT_EQ(
        add(lanes::Biases<float>{lanes::Vector{1}}, lanes::Biases<float>{lanes::Vector{2}})[0](0),
        3);
}

TEST(Parts, ANetworkCallsEveryReplacedFunction) {
    std::map<std::string, int> calls;
    lanes::NetworkParts parts;
    parts.sigmoid = [&](const Matrix& x) { return ++calls["sigmoid"], lanes::sigmoid(x); };
    parts.sigmoid_prime = [&](const Matrix& x) {
        return ++calls["sigmoid_prime"], lanes::sigmoid_prime(x);
    };
    parts.random_weights = [&](const lanes::Sizes& s, lanes::Rng& rng) {
        return ++calls["random_weights"], lanes::random_weights(s, rng);
    };
    parts.zeros_weights = [&](const lanes::Sizes& s) {
        return ++calls["zeros_weights"], lanes::zeros_weights(s);
    };
    parts.zeros_biases = [&](const lanes::Sizes& s) {
        return ++calls["zeros_biases"], lanes::zeros_biases(s);
    };
    parts.create_batches = [&](const Matrix& x, const Matrix& y, std::size_t n) {
        return ++calls["create_batches"], lanes::create_batches(x, y, n);
    };
    parts.add_elementwise = [&](const auto& a, const auto& b) {
        return ++calls["add_elementwise"], lanes::add_elementwise(a, b);
    };
    parts.matmul = [&](const Matrix& a, const Matrix& b) {
        return ++calls["matmul"], lanes::matmul(a, b);
    };
    const auto options = lanes_test::options_of(0.5, 2, lanes_test::all_images);
    lanes::NeuralNetwork network({2, 3, 1}, options, parts), plain({2, 3, 1}, options);
    const lanes::Dataset data{Matrix{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, Matrix{{0}, {1}, {1}, {0}}};
    network.fit(data, 1);
    plain.fit(data, 1);
    for (const char* name : {"sigmoid", "sigmoid_prime", "random_weights", "zeros_weights",
                             "zeros_biases", "create_batches", "add_elementwise", "matmul"})
        EXPECT_GT(calls[name], 0) << name;
    EXPECT_EQ(calls["create_batches"], 1);
    for (int i = 0; i < 2; ++i) lanes::require_close(plain.weights()[i], network.weights()[i]);
}

TEST(Parts, AnArrayOfWrongShapeIsReported) {
    lanes::NetworkParts parts;
    parts.sigmoid = [](const Matrix&) { return Matrix{{1}}; };
    lanes::NeuralNetwork network({2, 3, 1});
    network.use(parts);
    try {
        network.predict(Matrix{{1, 2}, {3, 4}});
        FAIL();
    } catch (const lanes::Error& error) {
        EXPECT_NE(std::string(error.what())
                      .find("sigmoid gave an array of shape (1, 1), expected (2, 3)"),
                  std::string::npos)
            << error.what();
    }
    parts = {};
    parts.random_weights = [](const lanes::Sizes&, lanes::Rng&) {
        return lanes::zeros_weights({2, 1});
    };
    EXPECT_THROW(network.use(parts), lanes::Error);
    parts = {};
    parts.zeros_weights = [](const lanes::Sizes&) { return lanes::zeros_weights({2, 1}); };
    network.use(parts);
    EXPECT_THROW(network.fit({xt::ones<float>({16, 2}), xt::ones<float>({16, 1})}), lanes::Error);
}

}  // namespace
