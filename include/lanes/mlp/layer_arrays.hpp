// The arrays of a network's layers: Sizes, Weights and Biases. Introduced in the notebook 01_mlp.
//
//   const lanes::Sizes sizes{784, 128, 64, 10};  // neurons per layer
//   lanes::Weights<float> weights;               // one matrix per pair of neighbouring layers
//
// Names: Weights<T> and Biases<T> are lists of xtensor arrays and, like these, name their type of
// numbers. A class that exists for float and double is BasicName<T>, and Name is the one for float.
#pragma once

#include <xtensor/xtensor.hpp>

#include <cstddef>
#include <vector>

namespace lanes {

using Sizes = std::vector<std::size_t>;

template <class T>
using Weights = std::vector<xt::xtensor<T, 2>>;
template <class T>
using Biases = std::vector<xt::xtensor<T, 1>>;

}  // namespace lanes
