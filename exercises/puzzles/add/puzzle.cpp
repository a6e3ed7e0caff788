// Puzzle 2, zip: two inputs, one thread per element.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    for (const int threads : {8, 1, 32, puzzle.integer(33, 100)})
        puzzle.launch({1, threads}).in<float>(threads).in<float>(threads).out<float>(threads);
}

CudaPuzzle add() {
    static const auto spec =
        notebook::PuzzleSpec("add", "const float* a, const float* b, float* out", lanes_launches)
            .reference([](const LaunchConfig& shape, const float* a, const float* b, float* out) {
                for (unsigned i = 0; i < shape.block.x; ++i) out[i] = a[i] + b[i];
            })
            .mistake("b is not used: a[i] is counted twice.",
                     [](const LaunchConfig& shape, const float* a, const float*, float* out) {
                         for (unsigned i = 0; i < shape.block.x; ++i) out[i] = a[i] + a[i];
                     })
            .mistake("Every thread reads b[0]: b needs the index of the thread, too.",
                     [](const LaunchConfig& shape, const float* a, const float* b, float* out) {
                         for (unsigned i = 0; i < shape.block.x; ++i) out[i] = a[i] + b[0];
                     })
            .hint("Both inputs are read at the same index, threadIdx.x.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
