// The module `array`: array types, comparison, .npy files, and the only place that picks a BLAS.
//
//   const lanes::Matrix a{{1, 2}, {3, 4}};
//   const lanes::Matrix product = lanes::matmul(a, a);
//   lanes::require_close(product, lanes::Matrix{{7, 10}, {15, 22}});
//   lanes::write_npy("product.npy", product);
#pragma once

#include "lanes/array/blas.hpp"
#include "lanes/array/compare.hpp"
#include "lanes/array/contiguous.hpp"
#include "lanes/array/npy.hpp"
#include "lanes/array/types.hpp"
