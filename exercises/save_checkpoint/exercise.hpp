// Lesson 10b: a file with the state of a training, complete at any time.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/notebook/exercise.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(SaveCheckpoint, save_checkpoint,
               "void save_checkpoint(const lanes::Communicator& comm, const std::string& path, "
               "int step, const std::vector<float>& weights)",
               void, const Communicator&, const std::string&, int, const std::vector<float>&)

}  // namespace lanes::exercises
