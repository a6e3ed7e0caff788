// Lesson 10: the sum over all ranks, with messages between neighbours.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(RingAllReduce, ring_all_reduce,
               "void ring_all_reduce(const lanes::Communicator& comm, std::vector<float>& values)",
               void, const Communicator&, std::vector<float>&)

}  // namespace lanes::exercises
