#include "kernels.hpp"

namespace lanes::tensor {

Kernels& kernels_of(const Device& device) {
    return device.is_cpu() ? cpu_kernels() : cuda_kernels(device);
}

// Defaults; a back-end with a fused kernel overrides them.

void Kernels::scaled_sum(const Tensor& x, const ReductionShape& lines, float scale, Tensor& y) {
    sum(x, lines, y);
    affine(y, scale, 0, y);
}

void Kernels::linear_gradient(const Tensor& gradient, const Tensor& y, Activation activation,
                              Tensor& dz, Tensor& dbias) {
    if (activation == Activation::relu) binary(Binary::relu_gradient, gradient, y, dz);
    if (activation == Activation::sigmoid) binary(Binary::sigmoid_gradient, gradient, y, dz);
    sum(dz, {1, dz.shape()[0], dz.shape()[1]}, dbias);
}

}  // namespace lanes::tensor
