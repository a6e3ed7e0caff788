// Lesson 08: one epoch of training, on any device.
#pragma once

#include "lanes/data/data_loader.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(TrainEpoch, train_epoch,
               "double train_epoch(lanes::Module& model, lanes::Optimizer& optimizer, "
               "lanes::DataLoader<2>& batches, const lanes::Device& device)",
               double, Module&, Optimizer&, DataLoader<2>&, const Device&)

}  // namespace lanes::exercises
