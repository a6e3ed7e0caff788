// One step of an optimizer for all parameters at once: one loop on the CPU, one CUDA kernel for up
// to 16 parameters on a GPU. The classes SGD and Adam of lanes/nn/optim.hpp call these functions.
//
//   const auto w = lanes::Tensor::ones({3});
//   const auto gradient = lanes::Tensor::full({3}, 2);
//   const auto settings = lanes::Tensor::of({0.1f, 0, 0, 0});  // the learning rate, see below
//   lanes::tensor::sgd_step({{w, gradient, {}, {}}}, {}, settings);  // w is 0.8 now
//
// What changes between steps is kept in `settings`, 4 numbers on the device of the parameters: the
// learning rate, the number of steps so far, and two that adam_step computes from them. CUDA
// kernels read them there, so a captured graph follows when they are changed, and counts steps.
#pragma once

#include "lanes/tensor/tensor.hpp"

#include <vector>

namespace lanes::tensor {

struct Update {
    Tensor parameter;
    Tensor gradient;
    Tensor first;   // SGD: the velocity, needed with momentum; Adam: the mean of the gradients
    Tensor second;  // Adam: the mean of their squares
};

struct SgdRule {
    float momentum = 0;
    float weight_decay = 0;
    bool nesterov = false;
};

struct AdamRule {
    double beta1 = 0.9;
    double beta2 = 0.999;
    float eps = 1e-8f;
    float weight_decay = 0;
};

// The tensors of an update have one shape and live on the device of the settings. All but the
// gradients are changed in place.
void sgd_step(const std::vector<Update>& updates, const SgdRule& rule, const Tensor& settings);
void adam_step(const std::vector<Update>& updates, const AdamRule& rule, Tensor& settings);

}  // namespace lanes::tensor
