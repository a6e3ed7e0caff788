#include "exercise.hpp"

#include "../common/matmul_transpose.hpp"
#include "../common/needs.hpp"
#include "notebook/exercise/gpu_run.hpp"
#include "notebook/exercise/judge.hpp"

#include <vector>

namespace lanes::exercises {

MatmulTransposeGpu::MatmulTransposeGpu()
    : Exercise(text_of<MatmulTransposeGpu>(
          "matmul_transpose_gpu",
          transpose_check::task +
              "On the device lanes::Device::best(), by a CUDA kernel of your own,\nmatmul_kernel, "
              "always launched as <<<1, 1024>>>: any number of rows must work.",
          "three lines and a CUDA kernel of six",
          "1024 threads share rows * rows elements: for (int e = threadIdx.x; e < rows * rows; e "
          "+= blockDim.x).")) {}

void MatmulTransposeGpu::check(Answer answer) const {
    using product_check::Size;
    const std::vector<Size> cases{{2, 3}, {5, 2}, {4, 4}, {1, 7}, {6, 1}, {33, 5}, {50, 37}};
    notebook::judge_cases(text(), answer, cases, [&](notebook::Judge& judge, const Size& size) {
        const transpose_check::Case one(size);
        notebook::run_on_devices(
            judge, {1, 1024}, [&] { return answer(one.x.values); },
            [&](const Matrix& got) { one.compare(judge, got); });
    });
}

}  // namespace lanes::exercises
