// Lesson 08: the backward pass of a linear layer, with samples as columns.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

// Derivatives of the loss with respect to each of the three: of the shapes of W, X and b.
struct LinearGradients {
    Matrix w;
    Matrix x;
    std::vector<float> b;
};

LANES_EXERCISE(LinearBackward, linear_backward,
               "LinearGradients linear_backward(const lanes::Matrix& g, const lanes::Matrix& w, "
               "const lanes::Matrix& x)",
               LinearGradients, const Matrix&, const Matrix&, const Matrix&)

}  // namespace lanes::exercises
