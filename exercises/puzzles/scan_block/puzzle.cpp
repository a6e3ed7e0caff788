// Puzzle 17, first part: running sums inside each block.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int sizes[][2] = {{8, 8}, {1, 8}, {13, 8}, {32, 32}, {puzzle.integer(65, 120), 32}};
    for (const auto& [n, block] : sizes)
        puzzle.launch({(n + block - 1) / block, block})
            .in<float>(n)
            .out<float>(n)
            .out<float>((n + block - 1) / block)
            .number(n);
}

CudaPuzzle scan_block() {
    static const auto spec =
        notebook::PuzzleSpec("scan_block", "const float* a, float* out, float* sums, int n",
                             lanes_launches)
            .reference(
                [](const LaunchConfig& shape, const float* a, float* out, float* sums, int n) {
                    const int block = shape.block.x;
                    for (int i = 0; i < n; ++i) {
                        out[i] = a[i] + (i % block > 0 ? out[i - 1] : 0);
                        sums[i / block] = out[i];
                    }
                })
            .mistake("The sum in out[i] ends before a[i]: an inclusive scan contains it.",
                     [](const LaunchConfig& shape, const float* a, float* out, float* sums, int n) {
                         const int block = shape.block.x;
                         for (int i = 0; i < n; ++i) {
                             out[i] = i % block > 0 ? out[i - 1] + a[i - 1] : 0;
                             sums[i / block] = out[i] + a[i];
                         }
                     })
            .mistake("The elements of a are copied: nothing is added.",
                     [](const LaunchConfig& shape, const float* a, float* out, float* sums, int n) {
                         for (int i = 0; i < n; ++i)
                             out[i] = a[i], sums[i / int(shape.block.x)] = a[i];
                     })
            .goal({"barriers per block", 11, "With one step per element", 32,
                   [](const PuzzleRun& run) {
                       return double(run.report.counters.barriers) /
                              double(run.report.config.grid.x);
                   }})
            .hint(
                "In step 1, 2, 4, ...: read tile[t - step], barrier, add it to tile[t], barrier.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
