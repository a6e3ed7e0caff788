// Puzzle 17, second part: each block adds the sums of the blocks before it.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int sizes[][2] = {{10, 4}, {1, 4}, {16, 4}, {puzzle.integer(65, 120), 32}, {128, 32}};
    for (const auto& [n, block] : sizes)
        puzzle.launch({(n + block - 1) / block, block})
            .in_out<float>(n)
            .in<float>((n + block - 1) / block)
            .number(n);
}

CudaPuzzle scan_offsets() {
    static const auto spec =
        notebook::PuzzleSpec("scan_offsets", "float* out, const float* sums, int n", lanes_launches)
            .reference([](const LaunchConfig& shape, float* out, const float* sums, int n) {
                for (int i = 0; i < n; ++i)
                    for (int b = 0; b < i / int(shape.block.x); ++b) out[i] += sums[b];
            })
            .mistake("The block's own sum is added, too: it is in out already.",
                     [](const LaunchConfig& shape, float* out, const float* sums, int n) {
                         for (int i = 0; i < n; ++i)
                             for (int b = 0; b <= i / int(shape.block.x); ++b) out[i] += sums[b];
                     })
            .mistake("Only the block directly before is added: all before it count.",
                     [](const LaunchConfig& shape, float* out, const float* sums, int n) {
                         for (int i = shape.block.x; i < n; ++i)
                             out[i] += sums[i / int(shape.block.x) - 1];
                     })
            .goal({"global loads per element", 1.1, "If each thread adds up the sums itself", 2.5,
                   [](const PuzzleRun& run) {
                       return double(run.report.counters.global_loads) / 128;
                   }})
            .arrows_to(9)
            .hint(
                "Thread 0 adds up sums[0] to sums[blockIdx.x - 1] in shared memory; after a "
                "barrier all add it.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
