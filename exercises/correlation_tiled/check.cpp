#include "exercise.hpp"

#include "../common/correlation.hpp"
#include "../common/needs.hpp"
#include "notebook/exercise/gpu_run.hpp"
#include "notebook/exercise/judge.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Judge;

// One CUDA kernel with blocks of two dimensions. 32 x 16 threads fill a tile of 46 x 30 numbers.
struct TwoDimensions {
    std::size_t rows, columns;
};

void judge_launches(Judge& judge, const LaunchTrace& trace, const TwoDimensions& image) {
    const auto launches = trace.launches();
    if (launches.empty())
        judge.fail(
            "no CUDA kernel was launched.",
            "The work belongs on the device: lanes::launch(program.kernel(\"tiled_kernel\"), "
            "{{blocks in x, blocks in y}, {32, 16}}, …).");
    for (const TracedLaunch& launch : launches) {
        const Dim3 &grid = launch.config.grid, &block = launch.config.block;
        if (block.x != 32 || block.y != 16)
            judge.fail(launch.name + " was launched with blocks of " + std::to_string(block.x) +
                           " x " + std::to_string(block.y) +
                           " threads, the task asks for 32 x 16 (x, y).",
                       "The second pair of the launch shape is the block: {32, 16}.");
        if (grid.x * 32 < image.columns || grid.y * 16 < image.rows)
            judge.fail(std::to_string(grid.x) + " x " + std::to_string(grid.y) +
                           " blocks of 32 x 16 threads do not cover the image.",
                       "Round up: (columns + 31) / 32 blocks in x and (rows + 15) / 16 in y.");
    }
}

// A tile and its halo are loaded once per block; other tiles load the same halo.
void require_few_loads(Judge& judge, const LaunchTrace& trace, const correlation_check::Case& one) {
    if (one.image.rows < 64) return;  // in a small image most of a block has no pixel
    for (const TracedLaunch& launch : trace.launches()) {
        const double loads = static_cast<double>(launch.report.counters.global_loads) /
                             static_cast<double>(one.image.rows * one.image.columns);
        const std::string per_pixel = to_text(std::round(10 * loads) / 10);
        const double products = static_cast<double>(one.filter.rows * one.filter.columns);
        judge.require(loads <= 2 + products / 2,
                      "the threads load " + per_pixel +
                          " numbers per pixel from global memory, a tile with its halo needs less "
                          "than 2.",
                      "After the barrier read the tile, not the image; and take the coefficients "
                      "from constant memory, not from a pointer.");
    }
}

}  // namespace

CorrelationTiled::CorrelationTiled()
    : Exercise(text_of<CorrelationTiled>(
          "correlation_tiled",
          correlation_check::task +
              "On the device\nlanes::Device::best(), by a CUDA kernel of your own, tiled_kernel, "
              "with blocks of 32 x 16 threads that load their part of the image into shared "
              "memory; "
              "the filter is in constant memory.",
          "seven lines and a CUDA kernel of sixteen",
          "The tile has 16 + high - 1 rows and 32 + wide - 1 columns; its corner is the pixel "
          "blockIdx.y * 16 - high / 2, blockIdx.x * 32 - wide / 2. Every thread loads several "
          "numbers of it; pixels outside of the image become 0. Then __syncthreads(); thread (x, "
          "y) reads the tile from [y][x] on. The host uploads the filter to coefficients first.")) {
}

void CorrelationTiled::check(Answer answer) const {
    using correlation_check::Case;
    const std::vector<Case> cases{{{3, 3}, {4, 6}},   {{5, 3}, {7, 8}},    {{3, 5}, {1, 1}},
                                  {{1, 7}, {1, 40}},  {{7, 1}, {33, 2}},   {{5, 3}, {20, 40}},
                                  {{7, 7}, {64, 70}}, {{15, 15}, {18, 35}}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const Case& one) {
        correlation_check::Task task(one);
        const LaunchTrace trace;
        notebook::run_on_devices(
            judge, TwoDimensions{one.image.rows, one.image.columns},
            [&] { return answer(task.filter, task.image); },
            [&](const Matrix& got) {
                correlation_check::compare(judge, notebook::values_of(got), task);
                require_few_loads(judge, trace, one);
            });
    });
}

}  // namespace lanes::exercises
