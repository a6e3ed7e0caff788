// Lesson 10: values go around a ring of ranks, by blocking messages.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(PassAround, pass_around,
               "std::vector<float> pass_around(const lanes::Communicator& comm, "
               "const std::vector<float>& values)",
               std::vector<float>, const Communicator&, const std::vector<float>&)

}  // namespace lanes::exercises
