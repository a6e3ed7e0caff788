// Puzzle 22, the first fault: a barrier is missing.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    for (const int threads : {8, 1, puzzle.integer(33, 63), 64})
        puzzle.launch({1, threads}).in<float>(threads).out<float>(threads);
}

CudaPuzzle fault_1() {
    static const auto spec =
        notebook::PuzzleSpec("fault_1", "const float* a, float* out", lanes_launches)
            .reference([](const LaunchConfig& shape, const float* a, float* out) {
                for (unsigned i = 0; i < shape.block.x; ++i) out[i] = a[(i + 1) % shape.block.x];
            })
            .fault(5, "missing barrier")
            .hint("Which thread writes the element that line 5 reads, and has it done so?");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
