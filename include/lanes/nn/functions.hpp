// The functions of assignment 1 beside sigmoid and sigmoid_prime. Layers are counted by their
// sizes: (784, 128, 64, 10) has three sets of weights, (784, 128), (128, 64) and (64, 10).
// Introduced in the notebook 01_mlp.
#pragma once

#include "lanes/base/error.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/data/dataset.hpp"

#include <cstddef>
#include <vector>

namespace lanes {

using Sizes = std::vector<std::size_t>;

template <class T>
using Weights = std::vector<xt::xtensor<T, 2>>;
template <class T>
using Biases = std::vector<xt::xtensor<T, 1>>;

// (m, n), uniform in [-1/sqrt(m), 1/sqrt(m)): m numbers enter each neuron.
template <class T = float>
xt::xtensor<T, 2> xavier_initialization(std::size_t m, std::size_t n, Rng& rng);

// One matrix (sizes[i], sizes[i + 1]) between each two layers, filled by xavier_initialization.
template <class T = float>
Weights<T> random_weights(const Sizes& sizes, Rng& rng);

// The same shapes, all 0.
template <class T = float>
Weights<T> zeros_weights(const Sizes& sizes);

// One vector (sizes[i + 1]) for each layer but the first, all 0.
template <class T = float>
Biases<T> zeros_biases(const Sizes& sizes);

// Cuts images (n, pixels) and labels (n, classes) into batches of neighbours; the last one gets the
// remainder. Throws Error where they are not equally many.
template <class T>
std::vector<BasicDataset<T>> create_batches(const xt::xtensor<T, 2>& data,
                                            const xt::xtensor<T, 2>& labels,
                                            std::size_t batch_size);

// The sum of two equally long lists of arrays, array by array. Throws Error with the shapes where
// they do not fit.
template <class Array>
std::vector<Array> add_elementwise(const std::vector<Array>& a, const std::vector<Array>& b) {
    LANES_REQUIRE(a.size() == b.size(), "add_elementwise: lists of ", a.size(), " and ", b.size(),
                  " arrays. They must be equally long.");
    std::vector<Array> sums;
    sums.reserve(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        LANES_REQUIRE(a[i].shape() == b[i].shape(), "add_elementwise: array ", i, " has shape ",
                      a[i].shape(), " in the first list and ", b[i].shape(),
                      " in the second. They must be equal.");
        sums.push_back(a[i] + b[i]);
    }
    return sums;
}

}  // namespace lanes
