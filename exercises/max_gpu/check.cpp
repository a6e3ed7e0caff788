#include "exercise.hpp"

#include "../common/max.hpp"
#include "../common/needs.hpp"
#include "notebook/exercise/gpu_run.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

MaxGpu::MaxGpu()
    : Exercise(text_of<MaxGpu>(
          "max_gpu",
          max_check::task + "On the device lanes::Device::best(), by a CUDA kernel of\nyour own, "
                            "max_kernel, always launched as <<<1000, 1000>>>. Matrices of up to "
                            "1000x1000 must work, smaller ones too.",
          "six lines and a CUDA kernel of two",
          "max_kernel: i = blockIdx.x * blockDim.x + threadIdx.x counts from 0 to 999,999, and "
          "only threads with i < n have an element. max_gpu: one line for each step of the "
          "lesson's "
          "table, with a buffer each for a, b and the result; launch takes them in the order of "
          "max_kernel's parameters.")) {}

void MaxGpu::check(Answer answer) const {
    using max_check::Case;
    const std::vector<Case> cases{{3, 5}, {9, 1}, {1, 9}, {37, 21}, {1000, 1000}};
    notebook::Judge judge(text());
    judge.look_at(answer);
    double sectors = 0;  // per request, the most of a launch
    for (const Case& one : cases) {
        judge.begin(max_check::words(one));
        const max_check::Given of = max_check::given(one);
        const LaunchTrace trace;
        notebook::run_on_devices(
            judge, {1000, 1000}, [&] { return answer(of.a, of.b); },
            [&](const Integers& got) { max_check::compare(judge, got, of); });
        for (const TracedLaunch& launch : trace.launches())
            sectors = std::max(sectors, launch.report.load_sectors_per_request);
    }
    // threadIdx.x * blockDim.x + blockIdx.x is right for as many blocks as threads, and slow.
    judge.pass_with(std::to_string(cases.size()) + " cases" +
                    (sectors <= 16
                         ? ""
                         : ". Neighbouring threads load numbers that are far apart, " +
                               to_text(std::round(sectors)) +
                               " sectors per load request. With i = blockIdx.x * blockDim.x + "
                               "threadIdx.x their numbers are neighbours, too: 4 sectors"));
}

}  // namespace lanes::exercises
