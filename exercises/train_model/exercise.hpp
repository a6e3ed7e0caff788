// Lesson 09: the epochs of a training, each with a training and a validation phase.
#pragma once

#include "lanes/data/data_loader.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/nn/train_model.hpp"
#include "lanes/notebook/exercise.hpp"

#include <functional>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(TrainModel, train_model,
               "std::vector<lanes::TrainedEpoch> train_model(lanes::Module& model, "
               "lanes::DataLoader<2>& train, lanes::DataLoader<2>& val, lanes::Optimizer& "
               "optimizer, const std::function<double(int)>& rate, int num_epochs)",
               std::vector<TrainedEpoch>, Module&, DataLoader<2>&, DataLoader<2>&, Optimizer&,
               const std::function<double(int)>&, int)

}  // namespace lanes::exercises
