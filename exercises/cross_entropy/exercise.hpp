// Lesson 08: the loss of a classifier, computed so that it cannot overflow.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(CrossEntropy, cross_entropy,
               "double cross_entropy(const lanes::Matrix& logits, const std::vector<int>& labels)",
               double, const Matrix&, const std::vector<int>&)

}  // namespace lanes::exercises
