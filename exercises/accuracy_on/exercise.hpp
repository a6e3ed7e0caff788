// Lesson 08: the share of right answers over all batches, on any device.
#pragma once

#include "lanes/data/data_loader.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(AccuracyOn, accuracy_on,
               "double accuracy_on(lanes::Module& model, lanes::DataLoader<2>& batches, const "
               "lanes::Device& device)",
               double, Module&, DataLoader<2>&, const Device&)

}  // namespace lanes::exercises
