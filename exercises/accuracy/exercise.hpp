// Lesson 01a: the share of images that are read correctly.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(Accuracy, accuracy,
               "double accuracy(const lanes::Matrix& outputs, const lanes::Matrix& labels)", double,
               const Matrix&, const Matrix&)

}  // namespace lanes::exercises
