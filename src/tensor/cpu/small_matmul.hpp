// Products of small matrices, as in a layer of a small network with a batch of 16 to 128 samples.
// BLAS first copies both matrices into an order of its own, which then takes as long as the product
// itself.
#pragma once

#include "tensor/core/kernels.hpp"

namespace lanes::tensor {

// Whether small_matmul computes this product, and faster than BLAS.
bool is_small(const Product& product);

// c = a · b, or c += a · b. Without bias and activation.
void small_matmul(const Product& product, const float* a, const float* b, float* c);

}  // namespace lanes::tensor
