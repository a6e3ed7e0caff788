// The CUDA kernels that a student writes in the notebook 03_matmul_transpose, with their launches.
#pragma once

#include "lanes/array/compare.hpp"
#include "lanes/gpu.hpp"
#include "lanes/lesson/product_times.hpp"

#include <string>
#include <vector>

namespace lanes::lesson {

// From NVIDIA's data sheet of the H200 and its white paper on the H100.
struct H200 {
    double multiprocessors = 132;
    double peak = 67000;  // GFLOP/s of all multiprocessors, single precision
    double dram = 4800;   // GB/s
};

struct OwnKernel {
    std::string name, text;

    LaunchConfig shape(int rows) const;
    double tiles(double rows) const;  // that it computes
    double edge(double rows) const;   // of a tile
};

// matmul_kernel, tiled_kernel, upper_kernel
std::vector<OwnKernel> own_kernels(const ProductTimes::Kernels& kernels);

// Mean CUDA kernel time in ms, after its result was compared; 0 without a GPU, or if it is not
// filled in.
double own_ms(const OwnKernel& own, const Matrix& x, const Matrix& expected, int calls,
              const Tolerance& rounding);

// A call from matrix to matrix with a program that is compiled once.
ProductTimes::Version end_to_end(const OwnKernel& own);

}  // namespace lanes::lesson
