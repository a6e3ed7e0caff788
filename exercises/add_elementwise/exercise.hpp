// Lesson 01: the sum of two lists of arrays. One function template for lists of matrices and of
// vectors, so it is given twice: check(add_elementwise, add_elementwise).
#pragma once

#include "lanes/mlp/functions.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

class AddElementwise : public Exercise {
public:
    using Answer = Weights<float> (*)(const Weights<float>&, const Weights<float>&);
    using AnswerForBiases = Biases<float> (*)(const Biases<float>&, const Biases<float>&);
    AddElementwise();
    void check(Answer weights, AnswerForBiases biases) const;
};
inline AddElementwise add_elementwise() { return {}; }

}  // namespace lanes::exercises
