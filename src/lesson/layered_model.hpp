// A network of linear layers with ReLU between them, and labels for it: what the measured training
// steps of lesson 08b consist of.
#pragma once

#include "lanes/nn/layers.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::lesson {

using Sizes = std::vector<std::size_t>;

Sequential layered_model(const Sizes& sizes);

std::string name_of(const Sizes& sizes);  // "784-128-10"

Tensor labels_of(std::size_t count);  // all 0

}  // namespace lanes::lesson
