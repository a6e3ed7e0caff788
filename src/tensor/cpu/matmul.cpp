#include "cpu_kernels.hpp"
#include "small_matmul.hpp"

#include "array/gemm.hpp"

#include <cmath>

namespace lanes::tensor {

void CpuKernels::matmul(const Product& product, const Tensor& a, const Tensor& b, Tensor& c) {
    const std::size_t n = product.n;
    float* const to = floats(c);
    if (is_small(product))
        small_matmul(product, floats(a), floats(b), to);
    else
        gemm(product.transpose_a, product.transpose_b, product.m, n, product.k, floats(a),
             floats(b), to, product.accumulate);
    if (product.bias == nullptr && product.activation == Activation::none) return;
    const float* const bias = product.bias == nullptr ? nullptr : floats(*product.bias);
    const Activation activation = product.activation;
    const std::size_t cost = activation == Activation::sigmoid ? 10 * n : n;
    parallel_for(product.m, cost, [=](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) {
            float* const line = to + row * n;
            if (bias)
                for (std::size_t i = 0; i < n; ++i) line[i] += bias[i];
            if (activation == Activation::relu)
                for (std::size_t i = 0; i < n; ++i) line[i] = line[i] < 0 ? 0 : line[i];
            if (activation == Activation::sigmoid)
                for (std::size_t i = 0; i < n; ++i) line[i] = 1 / (1 + std::exp(-line[i]));
        }
    });
}

}  // namespace lanes::tensor
