// Pictures and tables of the notebooks 01_mlp and 01a_training: a neuron, the network [2, 3, 1] and
// its passes, digits, mistakes.
//
//   lanes::pictures::neuron();
//   lanes::pictures::network();
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/mlp/pass.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lanes::pictures {

using MatrixFunction = std::function<Matrix(const Matrix&)>;

void neuron();
void sigmoid_curves(const MatrixFunction& sigmoid, const MatrixFunction& sigmoid_prime);
// The activation of a neuron with one input from -8 to 8, as the text of an SVG file.
std::string neuron_curve(const MatrixFunction& sigmoid, double weight, double bias);

// The network [2, 3, 1]: with letters for its weights; after the forward pass of one input; after
// the backward pass. Other sizes and several inputs throw Error.
void network();
void forward_pass(const Pass& pass, const Parameters& network);
void backward_pass(const Matrix& x, const Parameters& gradients);

// The nine weights of the same network: derivatives of the backward pass beside numerical ones.
using NumericalGradient = std::function<double(std::size_t l, std::size_t i, std::size_t j)>;
void gradient_check(const Weights<float>& gradients, const NumericalGradient& numerical);

void losses(const std::vector<double>& losses);  // one per step of gradient descent
// The output of a network with two inputs and one output for each point of the unit square.
void unit_square(const MatrixFunction& output);

void data_sets(const SplitDataset& data);               // a table of their sizes
void digits(const Dataset& images, std::size_t count);  // the first ones, with their labels
// The first images that are read wrongly. outputs: (images, classes), of a network.
void mistakes(const Dataset& images, const Matrix& outputs, std::size_t count);
// A heat map without the diagonal, and the most frequent mistake. counts: (right, said).
void confusion(const Matrix& counts);

}  // namespace lanes::pictures
