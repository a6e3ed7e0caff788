#include "exercise.hpp"

#include "../common/correlation.hpp"
#include "../common/needs.hpp"
#include "notebook/exercise/gpu_run.hpp"
#include "notebook/exercise/judge.hpp"

#include <vector>

namespace lanes::exercises {

CorrelationGpu::CorrelationGpu()
    : Exercise(text_of<CorrelationGpu>(
          "correlation_gpu",
          correlation_check::task +
              "On the device\nlanes::Device::best(), by a CUDA kernel of your own, "
              "correlation_kernel, launched with one block a row and one thread a column.",
          "five lines and a CUDA kernel of nine",
          "correlation_kernel: blockIdx.x is the pixel's row and threadIdx.x its column, and a "
          "neighbour outside the image counts as 0. correlation_gpu: the buffers and numbers of "
          "the launch are in the order of the parameters: filter, image, result, rows, columns, "
          "high, wide; the result has as many elements as the image.")) {}

void CorrelationGpu::check(Answer answer) const {
    using correlation_check::Case;
    const std::vector<Case> cases{{{3, 3}, {4, 6}},  {{5, 3}, {7, 8}}, {{3, 5}, {8, 7}},
                                  {{1, 7}, {1, 9}},  {{5, 5}, {9, 1}}, {{7, 7}, {3, 2}},
                                  {{7, 3}, {33, 40}}};
    notebook::judge_cases(text(), answer, cases, [&](notebook::Judge& judge, const Case& one) {
        correlation_check::Task task(one);
        const notebook::LaunchRule rule{one.image.rows, one.image.columns,
                                        "one block a row and one thread a column are "};
        notebook::run_on_devices(
            judge, rule, [&] { return answer(task.filter, task.image); },
            [&](const Matrix& got) {
                correlation_check::compare(judge, notebook::values_of(got), task);
            });
    });
}

}  // namespace lanes::exercises
