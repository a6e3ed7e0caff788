// The functions of assignment 1, except sigmoid and sigmoid_prime. Introduced in the notebook
// 01_mlp.
//
//   lanes::Rng rng(1);
//   const lanes::Sizes sizes{784, 128, 64, 10};  // neurons per layer
//   lanes::Weights<float> weights = lanes::random_weights(sizes, rng);
//   weights = lanes::add_elementwise(weights, lanes::zeros_weights(sizes));
//   const lanes::Biases<float> biases = lanes::zeros_biases(sizes);
//
// Four sizes give three matrices of weights, here (784, 128), (128, 64) and (64, 10).
#pragma once

#include "lanes/base/error.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/data/dataset.hpp"
#include "lanes/mlp/layer_arrays.hpp"

#include <cstddef>
#include <vector>

namespace lanes {

// (m, n), uniform in [-1/sqrt(m), 1/sqrt(m)). m is the number of inputs of each neuron.
template <class T = float>
xt::xtensor<T, 2> xavier_initialization(std::size_t m, std::size_t n, Rng& rng);

// One matrix (sizes[i], sizes[i + 1]) per pair of neighbouring layers, filled by
// xavier_initialization.
template <class T = float>
Weights<T> random_weights(const Sizes& sizes, Rng& rng);

// The same shapes, all 0.
template <class T = float>
Weights<T> zeros_weights(const Sizes& sizes);

// One vector (sizes[i + 1]) per layer, except the first; all 0.
template <class T = float>
Biases<T> zeros_biases(const Sizes& sizes);

// Splits images (n, pixels) and labels (n, classes) into batches of consecutive rows; the last
// batch may be smaller. Throws Error if there are more images than labels, or fewer.
template <class T>
std::vector<BasicDataset<T>> create_batches(const xt::xtensor<T, 2>& data,
                                            const xt::xtensor<T, 2>& labels,
                                            std::size_t batch_size);

// The same for views and other expressions of xtensor.
template <class X, class Y>
auto create_batches(const xt::xexpression<X>& data, const xt::xexpression<Y>& labels,
                    std::size_t batch_size) {
    using Array = xt::xtensor<typename X::value_type, 2>;
    return create_batches(Array(data.derived_cast()), Array(labels.derived_cast()), batch_size);
}

// The sum of two lists of arrays, array by array. Throws Error if the lists have different lengths
// or the arrays different shapes.
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
