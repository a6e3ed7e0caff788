// Lesson 10b: a parameter server that waits for all workers before each step.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(ServeSynchronous, serve_synchronous,
               "void serve_synchronous(const lanes::Communicator& comm, std::vector<float>& "
               "weights, int steps, float learning_rate)",
               void, const Communicator&, std::vector<float>&, int, float)

}  // namespace lanes::exercises
