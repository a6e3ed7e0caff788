// Lesson 02: the element-wise maximum with a grid-stride loop.
#include "notebook/puzzle/spec.hpp"

#include <algorithm>

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int sizes[][3] = {{11, 2, 2}, {10, 1, 1}, {1, 3, 7},
                            {21, 3, 7}, {50, 3, 7}, {puzzle.integer(90, 150), 2, 32}};
    for (const auto& [n, blocks, threads] : sizes)
        puzzle.launch({blocks, threads})
            .in<int>(n, -99, 99)
            .in<int>(n, -99, 99)
            .out<int>(n)
            .number(n);
}

CudaPuzzle max_any_grid() {
    static const auto spec =
        notebook::PuzzleSpec("max_any_grid", "const int* a, const int* b, int* c, int n",
                             lanes_launches)
            .reference([](const LaunchConfig&, const int* a, const int* b, int* c, int n) {
                for (int i = 0; i < n; ++i) c[i] = std::max(a[i], b[i]);
            })
            .mistake("This is the smaller of the two numbers.",
                     [](const LaunchConfig&, const int* a, const int* b, int* c, int n) {
                         for (int i = 0; i < n; ++i) c[i] = std::min(a[i], b[i]);
                     })
            .arrows_to(6)
            .hint(
                "Start at blockIdx.x * blockDim.x + threadIdx.x; the step of the loop is the "
                "number of all threads, gridDim.x * blockDim.x.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
