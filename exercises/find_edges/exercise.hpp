// Lesson 07: all steps of an edge detector.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(FindEdges, find_edges,
               "lanes::Matrix find_edges(const lanes::Matrix& image, float low, float high)",
               Matrix, const Matrix&, float, float)

}  // namespace lanes::exercises
