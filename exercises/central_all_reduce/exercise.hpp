// Lesson 10: the sum over all ranks, collected by one of them.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(CentralAllReduce, central_all_reduce,
               "void central_all_reduce(const lanes::Communicator& comm, "
               "std::vector<float>& values)",
               void, const Communicator&, std::vector<float>&)

}  // namespace lanes::exercises
