// Puzzle 12, a sum over many blocks.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(65, 127);
    puzzle.launch({3, 8}).in<float>(20).filled<float>(1, 0).number(20);
    puzzle.launch({1, 8}).in<float>(1).filled<float>(1, 0).number(1);
    puzzle.launch({2, 8}).in<float>(16).filled<float>(1, 0).number(16);
    puzzle.launch({(n + 31) / 32, 32}).in<float>(n).filled<float>(1, 0).number(n);
}

CudaPuzzle sum() {
    static const auto spec =
        notebook::PuzzleSpec("sum", "const float* a, float* out, int n", lanes_launches)
            .reference([](const LaunchConfig&, const float* a, float* out, int n) {
                for (int i = 0; i < n; ++i) out[0] += a[i];
            })
            .mistake(
                "This is the sum of the first block: the blocks overwrite each other, or only one "
                "adds.",
                [](const LaunchConfig& shape, const float* a, float* out, int n) {
                    for (int i = 0; i < n && i < int(shape.block.x); ++i) out[0] += a[i];
                })
            .mistake(
                "Each block adds the first elements of a: read a[i], with the i of all blocks.",
                [](const LaunchConfig& shape, const float* a, float* out, int n) {
                    const int threads = int(shape.block.x);
                    for (int i = 0; i < n; ++i) out[0] += a[i % threads];
                })
            .goal({"atomic operations on global memory per block", 1, "If each thread adds its own",
                   32, notebook::global_atomics_per_block})
            .hint(
                "The tree of the last puzzle, in each block; then thread 0 adds the block's sum to "
                "out[0].");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
