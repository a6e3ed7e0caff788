// Puzzle 6, blocks: more elements than a block has threads.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(65, 128);
    puzzle.launch({3, 4}).in<float>(10).out<float>(10).number(10);
    puzzle.launch({1, 4}).in<float>(1).out<float>(1).number(1);
    puzzle.launch({4, 4}).in<float>(16).out<float>(16).number(16);
    puzzle.launch({(n + 31) / 32, 32}).in<float>(n).out<float>(n).number(n);
}

CudaPuzzle add_ten_blocks() {
    static const auto spec =
        notebook::PuzzleSpec("add_ten_blocks", "const float* a, float* out, int n", lanes_launches)
            .reference([](const LaunchConfig&, const float* a, float* out, int n) {
                for (int i = 0; i < n; ++i) out[i] = a[i] + 10;
            })
            .arrows_to(6)
            .hint("Blocks before this one have blockIdx.x * blockDim.x threads.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
