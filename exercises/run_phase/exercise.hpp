// Lesson 09: one phase of an epoch, training or validation.
#pragma once

#include "lanes/data/data_loader.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/nn/train_model.hpp"
#include "lanes/notebook/exercise.hpp"

namespace lanes::exercises {

LANES_EXERCISE(RunPhase, run_phase,
               "lanes::PhaseResult run_phase(lanes::Module& model, lanes::DataLoader<2>& batches, "
               "lanes::Optimizer* optimizer)",
               PhaseResult, Module&, DataLoader<2>&, Optimizer*)

}  // namespace lanes::exercises
