// Puzzle 22, the fourth fault: one element too many.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(33, 90);
    puzzle.launch({3, 4}).in<float>(10).out<float>(10).number(10);
    puzzle.launch({1, 4}).in<float>(1).out<float>(1).number(1);
    puzzle.launch({2, 4}).in<float>(8).out<float>(8).number(8);
    puzzle.launch({3, 32}).in<float>(n).out<float>(n).number(n);
}

CudaPuzzle fault_4() {
    static const auto spec =
        notebook::PuzzleSpec("fault_4", "const float* a, float* out, int n", lanes_launches)
            .reference([](const LaunchConfig&, const float* a, float* out, int n) {
                for (int i = 0; i < n; ++i) out[i] = 2 * a[i];
            })
            .fault(3, "out of bounds")
            .hint("Which is the last element that an array of n elements has?");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
