// Checkpoints: all that a training needs to go on as if it had not been interrupted, bit for bit.
//
//   lanes::Sequential model{lanes::Linear(784, 10), lanes::Dropout()};
//   lanes::Adam optimizer(model.parameters());
//   lanes::save_checkpoint("training.safetensors", model, optimizer, 2);
//   const std::size_t epoch = lanes::load_checkpoint("training.safetensors", model, optimizer);
//
// A file holds the parameters and buffers ("model.0.weight"), the optimizer's state and learning
// rate with the position of its schedule, the number of the epoch, and the state of the generator
// of manual_seed, which dropout uses.
#pragma once

#include "lanes/nn/module.hpp"
#include "lanes/nn/optim.hpp"

#include <cstddef>
#include <string>

namespace lanes {

// epoch: how many are done. The path ends with .npz or .safetensors.
void save_checkpoint(const std::string& path, const Module& model, const Optimizer& optimizer,
                     std::size_t epoch);

// Returns the epoch. Model and optimizer must be built as they were when they were saved, on any
// device; otherwise an Error is thrown with the path, and nothing is changed.
std::size_t load_checkpoint(const std::string& path, Module& model, Optimizer& optimizer);

}  // namespace lanes
