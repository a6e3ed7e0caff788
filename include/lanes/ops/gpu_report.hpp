// Where the time of a GPU version went. The CUDA kernel's own time and the time from host to host
// are two figures: copies are what makes them differ.
#pragma once

#include "lanes/gpu/report.hpp"

#include <iosfwd>
#include <string>

namespace lanes {

struct GpuReport {
    LaunchReport launch;  // the CUDA kernel, its shape and time, on the simulator its counters; no
                          // name where nothing had to be computed
    double program_seconds = 0;     // compiling or finding the CUDA kernel, the first time in a
                                    // process; no part of the times below
    double upload_seconds = 0;      // device memory and the copies to it
    double download_seconds = 0;    // the copy back
    double end_to_end_seconds = 0;  // from the host's arrays to the host's result

    double kernel_seconds() const { return launch.kernel_seconds; }
    std::string text() const;  // a few lines for a notebook; no times of the simulator, which say
                               // nothing about a GPU
};

std::ostream& operator<<(std::ostream& out, const GpuReport& report);

}  // namespace lanes
