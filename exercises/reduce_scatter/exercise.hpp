// Lesson 10: the first half of a ring all-reduce, after which each rank has the sum of one part.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(ReduceScatter, reduce_scatter,
               "void reduce_scatter(const lanes::Communicator& comm, std::vector<float>& values)",
               void, const Communicator&, std::vector<float>&)

}  // namespace lanes::exercises
