// Lesson 00: a sum with four totals, whose additions do not wait for each other.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(FourTotals, four_totals, "double four_totals(const std::vector<float>& numbers)",
               double, const std::vector<float>&)

}  // namespace lanes::exercises
