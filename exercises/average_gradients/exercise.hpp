// Lesson 10b: the gradient of the whole batch, from those of the ranks' shares.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstddef>

namespace lanes::exercises {

LANES_EXERCISE(AverageGradients, average_gradients,
               "void average_gradients(const lanes::Communicator& comm, lanes::Module& model, "
               "std::size_t examples)",
               void, const Communicator&, Module&, std::size_t)

}  // namespace lanes::exercises
