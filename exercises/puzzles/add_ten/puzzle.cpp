// Puzzle 1, a map: each thread has one element.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    for (const int threads : {8, 1, 32, puzzle.integer(33, 100)})
        puzzle.launch({1, threads}).in<float>(threads).out<float>(threads);
}

CudaPuzzle add_ten() {
    static const auto spec =
        notebook::PuzzleSpec("add_ten", "const float* a, float* out", lanes_launches)
            .reference([](const LaunchConfig& shape, const float* a, float* out) {
                for (unsigned i = 0; i < shape.block.x; ++i) out[i] = a[i] + 10;
            })
            .mistake("The elements of a are copied: who adds the 10?",
                     [](const LaunchConfig& shape, const float* a, float* out) {
                         for (unsigned i = 0; i < shape.block.x; ++i) out[i] = a[i];
                     })
            .hint("threadIdx.x is the number of the thread: 0 for the first one.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
