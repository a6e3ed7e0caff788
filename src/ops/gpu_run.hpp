// What the GPU versions share: find the CUDA kernel, copy there, launch, copy back, and note what
// each of them took.
#pragma once

#include "kept_programs.hpp"

#include "lanes/base/timer.hpp"
#include "lanes/gpu.hpp"
#include "lanes/ops/gpu_report.hpp"

#include <string>
#include <utility>
#include <vector>

namespace lanes::ops {

// start(cuda_kernel, buffers of the inputs…, buffer of the result) launches, and gives the
// LaunchReport.
template <class Start, class Array, class... Inputs>
void run_on(KeptProgram& program, const std::string& name, const Device& device, GpuReport& report,
            Start start, Array& result, const Inputs&... inputs) {
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

inline KeptProgram& timed_program(const Device& device, const std::string& file, GpuReport& report,
                                  const std::vector<std::string>& flags = {}) {
    const Timer timer;
    KeptProgram& program = KeptProgram::of(device, file, flags);
    report.program_seconds += timer.seconds();
    return program;
}

inline std::size_t up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

}  // namespace lanes::ops
