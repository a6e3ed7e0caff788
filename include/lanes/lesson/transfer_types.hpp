// What the answers of the notebooks 09_transfer_learning and 09b_residual_network take and give.
//
//   // two weights, before the first step
//   lanes::plates::AdamState state{{1, -2}, {0, 0}, {0, 0}, 0};
//   const lanes::plates::NameSplit split{{"b.jpg", "c.jpg"}, {"a.jpg"}};
#pragma once

#include "lanes/array/types.hpp"

#include <string>
#include <vector>

namespace lanes::plates {

// The names of pictures for training and for validation.
struct NameSplit {
    std::vector<std::string> train;
    std::vector<std::string> val;
};

// Each vector has one number per weight.
struct AdamState {
    std::vector<double> w;  // the weights
    std::vector<double> m;  // running mean of the gradients
    std::vector<double> v;  // running mean of their squares
    int steps = 0;          // so far
};

// What a network says to the pictures of a folder, and how long that took.
struct Predicted {
    Matrix probabilities;  // (pictures, classes)
    double seconds = 0;
};

}  // namespace lanes::plates

namespace lanes::resnet {

// Batch normalisation: one number per channel in each vector.
struct BatchNormState {
    std::vector<float> gamma;  // the learned factor
    std::vector<float> beta;   // the learned offset
    std::vector<float> running_mean;
    std::vector<float> running_var;
};

}  // namespace lanes::resnet
