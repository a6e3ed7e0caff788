// Lesson 00: a sum on all cores.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(SumParallel, sum_parallel, "double sum_parallel(const std::vector<float>& numbers)",
               double, const std::vector<float>&)

}  // namespace lanes::exercises
