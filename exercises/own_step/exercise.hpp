// Lesson 08b: a training step in which the student's CUDA kernels work.
#pragma once

#include "lanes/lesson/own_kernels.hpp"
#include "lanes/notebook/exercise.hpp"
#include "lanes/tensor/tensor.hpp"

namespace lanes::exercises {

LANES_EXERCISE(OwnStep, own_step,
               "lanes::Tensor own_step(const lanes::OwnKernels& own, lanes::TwoLayers& net, const "
               "lanes::Tensor& x, const lanes::Tensor& y, float rate, float momentum)",
               Tensor, const OwnKernels&, TwoLayers&, const Tensor&, const Tensor&, float, float)

}  // namespace lanes::exercises
