// Lesson 08: a whole training, on any device.
#pragma once

#include "lanes/data/data_loader.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/notebook/exercise.hpp"

#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(TrainOn, train_on,
               "std::vector<double> train_on(lanes::Module& model, lanes::DataLoader<2>& training, "
               "lanes::DataLoader<2>& validation, int epochs, const lanes::Device& device)",
               std::vector<double>, Module&, DataLoader<2>&, DataLoader<2>&, int, const Device&)

}  // namespace lanes::exercises
