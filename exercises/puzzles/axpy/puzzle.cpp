// Puzzle 8, grid-stride loop: right for any launch.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int sizes[][3] = {{20, 2, 4}, {10, 1, 1}, {1, 3, 7},
                            {21, 3, 7}, {50, 3, 7}, {puzzle.integer(90, 150), 9, 32}};
    for (const auto& [n, blocks, threads] : sizes)
        puzzle.launch({blocks, threads}).number(3.0f).in<float>(n).in_out<float>(n).number(n);
}

CudaPuzzle axpy() {
    static const auto spec =
        notebook::PuzzleSpec("axpy", "float s, const float* x, float* y, int n", lanes_launches)
            .reference([](const LaunchConfig&, float s, const float* x, float* y, int n) {
                for (int i = 0; i < n; ++i) y[i] += s * x[i];
            })
            .mistake(
                "Each thread computes one element, and there are more elements than threads: take "
                "a loop.",
                [](const LaunchConfig& shape, float s, const float* x, float* y, int n) {
                    for (int i = 0; i < n && i < int(shape.grid.x * shape.block.x); ++i)
                        y[i] += s * x[i];
                })
            .mistake("y is overwritten: s * x[i] is to be added to it.",
                     [](const LaunchConfig&, float s, const float* x, float* y, int n) {
                         for (int i = 0; i < n; ++i) y[i] = s * x[i];
                     })
            .mistake("This is x + y: x[i] is to be multiplied by s first.",
                     [](const LaunchConfig&, float, const float* x, float* y, int n) {
                         for (int i = 0; i < n; ++i) y[i] += x[i];
                     })
            .arrows_to(13)
            .hint("The grid has gridDim.x * blockDim.x threads: that is the step of the loop.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
