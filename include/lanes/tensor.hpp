// The module `tensor`: arrays that know on which device they live, operations on them, and their
// gradients.
//
//   const auto x = lanes::Tensor::randn({16, 784});
//   auto w = lanes::Tensor::randn({784, 10}).requires_grad_();
//   const auto labels = lanes::Tensor::from(std::vector<int>(16, 3));
//   auto loss = lanes::cross_entropy(lanes::matmul(x, w), labels);
//   loss.backward();
//   const lanes::NoGrad no_grad;
//   w.add_(w.grad(), -0.1f);
#pragma once

#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/captured_step.hpp"
#include "lanes/tensor/devices.hpp"
#include "lanes/tensor/ops.hpp"
#include "lanes/tensor/shape.hpp"
#include "lanes/tensor/tensor.hpp"
#include "lanes/tensor/update.hpp"
