// Lesson 10b: a training goes on from its file, on all ranks.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/notebook/exercise.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(LoadCheckpoint, load_checkpoint,
               "int load_checkpoint(const lanes::Communicator& comm, const std::string& path, "
               "std::vector<float>& weights)",
               int, const Communicator&, const std::string&, std::vector<float>&)

}  // namespace lanes::exercises
