// Lesson 10: a message that goes to and fro between two ranks.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(PingPong, ping_pong,
               "void ping_pong(const lanes::Communicator& comm, std::vector<float>& message, "
               "int rounds)",
               void, const Communicator&, std::vector<float>&, int)

}  // namespace lanes::exercises
