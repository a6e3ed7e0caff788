#include "exercise.hpp"

#include "../common/needs.hpp"
#include "../common/tiles.hpp"
#include "notebook/exercise/gpu_run.hpp"
#include "notebook/exercise/judge.hpp"

#include <cmath>
#include <string>

namespace lanes::exercises {

namespace {

// Zeros, or what was in the memory, on one side of the diagonal.
bool is_half_written(const Matrix& got, const notebook::Values& expected) {
    const std::size_t n = got.shape(0);
    if (got.shape(1) != n || n < 2 || expected.numbers.size() != n * n) return false;
    bool upper_is_right = true, lower_is_wrong = false;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const double difference = std::fabs(got(i, j) - expected.numbers[i * n + j]);
            const bool is_right = difference <= 1e-3;
            if (i / 32 <= j / 32) upper_is_right = upper_is_right && is_right;
            if (i / 32 > j / 32 && !is_right) lower_is_wrong = true;
        }
    return upper_is_right && lower_is_wrong;
}

void require_no_conflicts(notebook::Judge& judge, const LaunchTrace& trace) {
    for (const TracedLaunch& launch : trace.launches())
        judge.require(launch.report.counters.shared_bank_conflicts == 0,
                      launch.name + " has " +
                          std::to_string(launch.report.counters.shared_bank_conflicts) +
                          " bank conflicts in shared memory.",
                      "The threads of a warp read down a column of a tile: which array is it, and "
                      "what must the distance from row to row be, so that a column lies in all 32 "
                      "banks?");
}

}  // namespace

MatmulTransposeUpper::MatmulTransposeUpper()
    : Exercise(text_of<MatmulTransposeUpper>(
          "matmul_transpose_upper",
          transpose_check::task +
              "On the device lanes::Device::best(), by a CUDA kernel of your own,\nupper_kernel, "
              "with blocks of 32 x 32 threads: tiles below the diagonal are not computed but "
              "mirrored, and shared memory has no bank conflicts.",
          "four lines and a CUDA kernel of nineteen",
          "Blocks with blockIdx.x < blockIdx.y return at once, all their threads. The others store "
          "each sum twice: at (row, column) and at (column, row).")) {}

void MatmulTransposeUpper::check(Answer answer) const {
    using product_check::Size;
    notebook::judge_cases(
        text(), answer, tiles_check::sizes, [&](notebook::Judge& judge, const Size& size) {
            const transpose_check::Case one = tiles_check::with_tile_mistakes(size);
            const LaunchTrace trace;
            notebook::run_on_devices(
                judge, tiles_check::TileRule{size.rows}, [&] { return answer(one.x.values); },
                [&](const Matrix& got) {
                    if (is_half_written(got, one.expected))
                        judge.fail("the upper half is right, the lower half is not.",
                                   "Below the diagonal nothing is written: store the sum at "
                                   "(column, row), too.");
                    one.compare(judge, got);
                    const std::size_t side = tiles_check::tiles_per_side(size.rows);
                    tiles_check::require_few_loads(
                        judge, trace, side * (side + 1) / 2, size, "the upper half needs",
                        "All threads of the blocks below the diagonal must return before they "
                        "load anything.");
                    require_no_conflicts(judge, trace);
                });
        });
}

}  // namespace lanes::exercises
