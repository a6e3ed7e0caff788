// The module `gpu`: CUDA kernels compiled at run time and launched on a GPU or, if there
// is none, on a simulator that says what is wrong with them.
//
//   const std::vector<float> values{1, 2, 3};
//   lanes::Device device = lanes::Device::best();
//   lanes::Program program(device, R"(
//       extern "C" __global__ void twice(const float* x, float* y, int n) {
//           int i = blockIdx.x * blockDim.x + threadIdx.x;
//           if (i < n) y[i] = 2 * x[i];
//       })");
//   lanes::Buffer<float> x(device, values), y(device, values.size());
//   auto report = lanes::launch(program.kernel("twice"), {4, 256}, x, y, int(values.size()));
//   std::vector<float> result = y.download();
#pragma once

#include "lanes/gpu/buffer.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/gpu/finding.hpp"
#include "lanes/gpu/launch.hpp"
#include "lanes/gpu/occupancy.hpp"
#include "lanes/gpu/pinned_buffer.hpp"
#include "lanes/gpu/program.hpp"
#include "lanes/gpu/report.hpp"
#include "lanes/gpu/trace.hpp"
#include "lanes/gpu/whole_program.hpp"
