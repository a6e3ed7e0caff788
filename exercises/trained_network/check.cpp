#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/lesson/spare_network.hpp"
#include "notebook/exercise/judge.hpp"

#include <array>
#include <cstdio>

namespace lanes::exercises {

namespace {

using notebook::Judge;

void judge_functions(Judge& judge) {
    for (const char* name : {"create_batches", "fit"})  // the others are of the lesson before
        judge.require(!notebook::passed_functions(name).empty(),
                      std::string(name) + " has not passed its check.",
                      std::string("Run the cell with your ") + name +
                          " and the check below it, then train again.");
}

void judge_shapes(Judge& judge, const Parameters& network) {
    const std::size_t layers = network.weights.size();
    judge.require(layers > 0 && network.biases.size() == layers,
                  std::to_string(layers) + " matrices of weights and " +
                      std::to_string(network.biases.size()) + " vectors of biases.",
                  "Start from {random_weights(sizes, rng), zeros_biases(sizes)}.");
    judge.require(network.weights.front().shape(0) == 784 && network.weights.back().shape(1) == 10,
                  "it has " + std::to_string(network.weights.front().shape(0)) + " inputs and " +
                      std::to_string(network.weights.back().shape(1)) + " outputs.",
                  "Images of MNIST have 784 pixels and 10 classes: {784, 128, 64, 10}.");
    for (std::size_t l = 0; l < layers; ++l) {
        const std::size_t outputs = network.weights[l].shape(1);
        const bool fits = network.biases[l].shape(0) == outputs &&
                          (l + 1 == layers || network.weights[l + 1].shape(0) == outputs);
        judge.require(fits, "layer " + std::to_string(l) + " does not fit the next one.",
                      "All arrays come from the same sizes.");
    }
}

}  // namespace

TrainedNetwork::TrainedNetwork()
    : Exercise(text_of<TrainedNetwork>(
          "trained_network", {"trained_network", "lanes::Parameters network",
                              "Train a network with your functions on the 50,000 training images. "
                              "Above 95 % of the 10,000 test images must be right.",
                              "ten lines",
                              "The learning rate 0.1 and 5 epochs are enough: "
                              "fit(network, mnist.train, 5, 0.1, rng)."})) {}

void TrainedNetwork::check(const Parameters& network) const {
    Judge judge(text());
    judge.begin("its functions");
    judge_functions(judge);
    judge.begin("its shapes");
    judge_shapes(judge, network);
    judge.begin("the 10,000 test images");
    const Dataset test = load_mnist().test;
    const double accuracy = spare::accuracy(spare::forward(test.x, network).a.back(), test.y);
    std::array<char, 32> seen{};
    std::snprintf(seen.data(), seen.size(), "%.2f", 100 * accuracy);
    judge.require(accuracy > 0.95,
                  std::string("accuracy ") + seen.data() + " %, expected above 95 %.",
                  accuracy < 0.2 ? "That is guessing: nothing was learnt. Was the network trained? "
                                   "With a learning rate of 10 it learns nothing, too."
                                 : "Train longer, or look for a better learning rate.");
    judge.pass_with("above 95 %");
}

}  // namespace lanes::exercises
