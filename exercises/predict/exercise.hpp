// Lesson 09: what a network says to pictures, and how long that takes.
#pragma once

#include "lanes/data/data_loader.hpp"
#include "lanes/lesson/transfer_types.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(
    PredictPictures, predict,
    "lanes::plates::Predicted predict(lanes::Module& model, lanes::DataLoader<2>& pictures)",
    plates::Predicted, Module&, DataLoader<2>&)

}  // namespace lanes::exercises
