// Lesson 05: percentiles of sorted values.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(PercentileOf, percentile,
               "double percentile(const std::vector<double>& sorted, double p)", double,
               const std::vector<double>&, double)

}  // namespace lanes::exercises
