// Lesson 10b: a parameter server that makes a step with each gradient that arrives.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(ServeAsynchronous, serve_asynchronous,
               "void serve_asynchronous(const lanes::Communicator& comm, std::vector<float>& "
               "weights, int steps, float learning_rate)",
               void, const Communicator&, std::vector<float>&, int, float)

}  // namespace lanes::exercises
