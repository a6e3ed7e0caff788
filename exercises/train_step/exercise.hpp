// Lesson 10b: a step of data-parallel training.
#pragma once

#include "lanes/distributed/communicator.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(TrainStep, train_step,
               "void train_step(const lanes::Communicator& comm, lanes::Module& model, "
               "lanes::Optimizer& optimizer, const lanes::Tensor& x, const lanes::Tensor& y)",
               void, const Communicator&, Module&, Optimizer&, const Tensor&, const Tensor&)

}  // namespace lanes::exercises
