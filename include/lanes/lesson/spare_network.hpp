// The library's versions of what students write in the notebooks 01_mlp and 01a_training, plain and
// without checks of their arguments: cells go on with them while an answer is missing.
//
//   lanes::Rng rng(1);
//   lanes::Parameters network{lanes::spare::random_weights({2, 3, 1}, rng),
//                             lanes::spare::zeros_biases({2, 3, 1})};
//   const lanes::Pass pass = lanes::spare::forward(lanes::Matrix{{1, 2}}, network);
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/mlp/pass.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace lanes::spare {

Matrix sigmoid(const Matrix& x);
Matrix sigmoid_prime(const Matrix& x);
Weights<float> random_weights(const Sizes& sizes, Rng& rng);
Weights<float> zeros_weights(const Sizes& sizes);
Biases<float> zeros_biases(const Sizes& sizes);
Parameters sum(const Parameters& a, const Parameters& b);  // add_elementwise, twice

Pass forward(const Matrix& x, const Parameters& network);
double loss(const Matrix& a, const Matrix& y);  // half the sum of the squared errors
Parameters backward(const Pass& pass, const Matrix& y, const Weights<float>& weights);

// The central difference of loss_of with respect to weights[l](i, j).
using LossOfWeights = std::function<double(const Weights<float>& weights)>;
double numerical_gradient(const LossOfWeights& loss_of, Weights<float> weights, std::size_t l,
                          std::size_t i, std::size_t j, float h);

void descend(Parameters& network, const Parameters& gradients, float rate);

// Batches of 16 images; rng draws their order, again in each epoch.
void fit(Parameters& network, const Dataset& training, std::size_t epochs, float rate, Rng& rng);

std::vector<Dataset> create_batches(const Matrix& data, const Matrix& labels,
                                    std::size_t batch_size);

double accuracy(const Matrix& outputs, const Matrix& labels);   // 0 to 1
Matrix confusion(const Matrix& outputs, const Matrix& labels);  // (right, said): images
Matrix matmul(const Matrix& a, const Matrix& b);                // three loops

// The validation accuracy of a NeuralNetwork that was trained for one epoch on the first 20,000
// images.
double accuracy_with(double rate, std::uint64_t seed, const Sizes& sizes, const SplitDataset& data);

}  // namespace lanes::spare
