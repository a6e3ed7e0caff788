// Puzzle 22, the second fault: a barrier that not all threads reach.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(9, 31);
    puzzle.launch({1, 8}).in<float>(6).out<float>(6).number(6);
    puzzle.launch({1, 4}).in<float>(4).out<float>(4).number(4);
    puzzle.launch({1, 32}).in<float>(n).out<float>(n).number(n);
}

CudaPuzzle fault_2() {
    static const auto spec =
        notebook::PuzzleSpec("fault_2", "const float* a, float* out, int n", lanes_launches)
            .reference([](const LaunchConfig&, const float* a, float* out, int n) {
                for (int i = 0; i < n; ++i) out[i] = a[n - 1 - i];
            })
            .fault(6, "barrier in a branch")
            .hint("Two if statements, and the barrier between them.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
