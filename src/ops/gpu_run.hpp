// Shared by the GPU versions: find the CUDA kernel, copy to the device, launch, copy back, and time
// each step.
#pragma once

#include "gpu/cached_program.hpp"

#include "base/math.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/gpu.hpp"
#include "lanes/ops/gpu_report.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanes::ops {

using gpu::CachedProgram;

// start(cuda_kernel, buffers of the inputs…, buffer of the result) launches it and returns the
// LaunchReport.
template <class Start, class Array, class... Inputs>
void run_on(CachedProgram& program, const std::string& name, const Device& device,
            GpuReport& report, Start start, Array& result, const Inputs&... inputs) {
    const Timer finding;
    const CudaKernel cuda_kernel = program.kernel(name);
    report.program_seconds += finding.seconds();
    const Timer whole;
    [&](auto... buffers) {
        Buffer<typename Array::value_type> to(device, result.size());
        report.upload_seconds = whole.seconds();
        report.launch = start(cuda_kernel, buffers..., to);
        const Timer back;
        to.download(result);
        report.download_seconds = back.seconds();
        report.end_to_end_seconds = whole.seconds();
    }(Buffer<typename Inputs::value_type>(device, inputs)...);
}

inline CachedProgram& timed_program(const Device& device, const std::string& file,
                                    GpuReport& report, const std::vector<std::string>& flags = {}) {
    const Timer timer;
    CachedProgram& program = CachedProgram::of(device, file, flags);
    report.program_seconds += timer.seconds();
    return program;
}

// rung: 1 for NAME_v1 of kernels_src/FILE, 2 for NAME_v2, …
inline void require_rung(const char* operation, std::optional<int> rung, int rungs,
                         const char* file) {
    LANES_REQUIRE(!rung || (*rung >= 1 && *rung <= rungs), operation, ": rung ", rung.value_or(0),
                  ", kernels_src/", file, " has 1 to ", rungs,
                  ". Give one of them, or none for the fastest.");
}

}  // namespace lanes::ops
