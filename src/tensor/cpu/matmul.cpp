#include "cpu_kernels.hpp"

#include "array/gemm.hpp"

#include <cmath>

namespace lanes::tensor {

void CpuKernels::matmul(const MatmulShape& product, const Tensor& a, const Tensor& b, Tensor& c) {
    const std::size_t n = product.n;
    float* const to = floats(c);
    const float* const bias = product.bias == nullptr ? nullptr : floats(*product.bias);
    const Activation activation = product.activation;
    const auto finish = [=](std::size_t top, std::size_t bottom, std::size_t left,
                            std::size_t right) {
        for (std::size_t row = top; row < bottom; ++row) {
            float* const line = to + row * n;
            if (bias)
                for (std::size_t i = left; i < right; ++i) line[i] += bias[i];
            if (activation == Activation::relu)
                for (std::size_t i = left; i < right; ++i) line[i] = line[i] < 0 ? 0 : line[i];
            if (activation == Activation::sigmoid)
                for (std::size_t i = left; i < right; ++i) line[i] = 1 / (1 + std::exp(-line[i]));
        }
    };
    const bool finishes = bias != nullptr || activation != Activation::none;
    gemm(product.transpose_a, product.transpose_b, product.m, n, product.k, floats(a), floats(b),
         to, product.accumulate, finishes ? AfterPart(finish) : AfterPart());
}

}  // namespace lanes::tensor
