// Where the time of a GPU version went. The time of the CUDA kernel and the time from host memory
// to host memory are two figures: copies make the difference.
//
//   const lanes::Matrix x{{1, 2}, {3, 4}};
//   const auto run = lanes::run_matmul_transpose_gpu(x);
//   std::cout << run.result(0, 1) << '\n' << run.report;
#pragma once

#include "lanes/gpu/report.hpp"

#include <iostream>
#include <string>

namespace lanes {

struct GpuReport {
    // The CUDA kernel, its launch shape and time, and on the simulator its counters. Without a
    // name if nothing had to be computed.
    LaunchReport launch;
    // Compiling or loading the CUDA kernel: once per process, and in none of the times below.
    double program_seconds = 0;
    double upload_seconds = 0;      // allocating device memory and copying to it
    double download_seconds = 0;    // copying the result back
    double end_to_end_seconds = 0;  // from the arrays of the host to the result on the host

    double kernel_seconds() const { return launch.kernel_seconds; }
    // A few lines for a notebook. Without times on the simulator: they say nothing about a GPU.
    std::string text() const;
};

std::ostream& operator<<(std::ostream& out, const GpuReport& report);

// What the functions run_…_gpu return.
template <class Array>
struct GpuResult {
    Array result;
    GpuReport report;
};

}  // namespace lanes
