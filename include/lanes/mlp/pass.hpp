// What a network is made of and what one pass through it leaves, as the functions of the notebook
// 01_mlp take and return them. NeuralNetwork holds the same arrays.
//
//   lanes::Parameters network;  // of the sizes 2, 3, 1
//   network.weights = {lanes::Matrix{{1, 2, -1}, {-1, 0.5, 0}}, lanes::Matrix{{1}, {-2}, {0.5}}};
//   network.biases = {lanes::Vector{0, 1, 2}, lanes::Vector{0}};
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/mlp/layer_arrays.hpp"

#include <vector>

namespace lanes {

// All numbers that training changes. Gradients have the same form: one derivative per number.
struct Parameters {
    Weights<float> weights;
    Biases<float> biases;
};

// Of the forward pass, one row per image.
struct Pass {
    std::vector<Matrix> z;  // [l]: the weighted inputs of layer l + 1
    std::vector<Matrix> a;  // [0]: the input; [l + 1]: the activations of layer l + 1
};

}  // namespace lanes
