// Lesson 00: a first CUDA kernel, the square of each number.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(101, 199);
    puzzle.launch({2, 4}).in<float>(5).out<float>(5).number(5);
    puzzle.launch({1, 1}).in<float>(1).out<float>(1).number(1);
    puzzle.launch({3, 8}).in<float>(24).out<float>(24).number(24);
    puzzle.launch({(n + 31) / 32, 32}).in<float>(n).out<float>(n).number(n);
}

CudaPuzzle square() {
    static const auto spec =
        notebook::PuzzleSpec("square", "const float* x, float* y, int n", lanes_launches)
            .reference([](const LaunchConfig&, const float* x, float* y, int n) {
                for (int i = 0; i < n; ++i) y[i] = x[i] * x[i];
            })
            .mistake("This is twice the number: its square is x[i] * x[i].",
                     [](const LaunchConfig&, const float* x, float* y, int n) {
                         for (int i = 0; i < n; ++i) y[i] = 2 * x[i];
                     })
            .mistake("The numbers are copied: who multiplies?",
                     [](const LaunchConfig&, const float* x, float* y, int n) {
                         for (int i = 0; i < n; ++i) y[i] = x[i];
                     })
            .hint(
                "i = blockIdx.x * blockDim.x + threadIdx.x; only threads with i < n have a "
                "number.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
