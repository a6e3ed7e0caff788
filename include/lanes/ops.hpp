// The door of the room `ops`: the tasks that the course makes fast. Each comes as NAME_plain (the
// explanation, and what the others are held against), NAME_fast (all cores and SIMD) and NAME_gpu
// (a CUDA kernel of kernels_src, on a GPU or on the simulator).
#pragma once

#include "lanes/ops/correlation.hpp"
#include "lanes/ops/gpu_report.hpp"
#include "lanes/ops/matmul_transpose.hpp"
#include "lanes/ops/max.hpp"
#include "lanes/ops/sobel.hpp"
