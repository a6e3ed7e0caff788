// Lesson 08: a training step with the student's own tape.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/lesson/own_tape.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(TrainWithTape, train_with_tape,
               "double train_with_tape(lanes::TapeNetwork& net, const lanes::Matrix& x, const "
               "std::vector<int>& labels, float rate)",
               double, TapeNetwork&, const Matrix&, const std::vector<int>&, float)

}  // namespace lanes::exercises
