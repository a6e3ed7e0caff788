// Pictures of a launch on the simulator: which thread read and wrote which element, step by step
// between barriers. LaunchReport::show draws the counters.
//
//   #include "lanes/gpu.hpp"
//   const lanes::Device device = lanes::Device::simulator();
//   lanes::Program program(device, R"(
//       __global__ void shift(const int* a, int* b) { b[threadIdx.x] = a[threadIdx.x + 1]; })");
//   const lanes::Buffer<int> a(device, std::vector<int>{1, 2, 3, 4, 5}), b(device, 4);
//   const lanes::LaunchReport report = lanes::launch(program.kernel("shift"), {1, 4}, a, b);
//   report.show("A100");
//   lanes::show_accesses(report, {{"a", {1, 5}}});  // a as one row of five columns
//
// After a launch that threw, the next cell shows what it did until then:
// lanes::show_accesses(lanes::last_report()). A program catches lanes::CudaKernelFault and calls
// fault.report().
#pragma once

#include "lanes/gpu/report.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <string>

namespace lanes {

// Rows and columns of arrays that are matrices, by name. Other arrays are drawn as a row of boxes.
using ArrayShapes = std::map<std::string, std::array<std::size_t, 2>>;

// The picture as a front end gets it. html has a button for each thread, svg shows all of them.
struct AccessPicture {
    std::string text, svg, html;
};

// Throws Error if the launch was not recorded (LaunchReport::recorded_threads), or if a shape does
// not fit its array.
AccessPicture draw_accesses(const LaunchReport& report, const ArrayShapes& shapes = {});

// Draws it below the cell; a plain program prints the text: who accesses what, step by step.
void show_accesses(const LaunchReport& report, const ArrayShapes& shapes = {});

}  // namespace lanes
