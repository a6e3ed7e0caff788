// Puzzle 3, guard: more threads than elements.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int threads = puzzle.integer(33, 64);
    const int n = puzzle.integer(20, threads - 1);
    puzzle.launch({1, 8}).in<float>(6).out<float>(6).number(6);
    puzzle.launch({1, 32}).in<float>(1).out<float>(1).number(1);
    puzzle.launch({1, 16}).in<float>(16).out<float>(16).number(16);
    puzzle.launch({1, threads}).in<float>(n).out<float>(n).number(n);
}

CudaPuzzle add_ten_guard() {
    static const auto spec =
        notebook::PuzzleSpec("add_ten_guard", "const float* a, float* out, int n", lanes_launches)
            .reference([](const LaunchConfig&, const float* a, float* out, int n) {
                for (int i = 0; i < n; ++i) out[i] = a[i] + 10;
            })
            .mistake("The elements of a are copied: who adds the 10?",
                     [](const LaunchConfig&, const float* a, float* out, int n) {
                         for (int i = 0; i < n; ++i) out[i] = a[i];
                     })
            .hint("Threads whose number is n or more have no element: if (i < n).");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
