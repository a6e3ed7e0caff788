// Lesson 10b: the gradient of the whole batch, by one message for all parameters.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstddef>

namespace lanes::exercises {

LANES_EXERCISE(AverageAtOnce, average_at_once,
               "void average_at_once(const lanes::Communicator& comm, lanes::Module& model, "
               "std::size_t examples)",
               void, const Communicator&, Module&, std::size_t)

}  // namespace lanes::exercises
