// Lesson 01: a network of the seven functions that passed their checks in this session, plugged in
// as they are (parts.sigmoid = sigmoid;) and trained from scratch: above 95 % of the 10,000 test
// images of MNIST, which the check reads itself.
#pragma once

#include "lanes/mlp/network.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

class Accuracy : public Exercise {
public:
    Accuracy();
    void check(const NeuralNetwork& network) const;
};
inline Accuracy accuracy() { return {}; }

}  // namespace lanes::exercises
