// Lesson 00: the brightest images of a data set.
#pragma once

#include "lanes/data/dataset.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstddef>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(Brightest, brightest,
               "std::vector<std::size_t> brightest(const lanes::Dataset& set, std::size_t k)",
               std::vector<std::size_t>, const Dataset&, std::size_t)

}  // namespace lanes::exercises
