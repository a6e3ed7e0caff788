// Lesson 02: the largest difference of two arrays with atomicMax.
#include "notebook/puzzle/spec.hpp"

#include <algorithm>
#include <cstdlib>

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(65, 127);
    const int sizes[][2] = {{7, 4}, {1, 8}, {16, 8}, {33, 16}, {n, 32}};
    for (const auto& [count, threads] : sizes)
        puzzle.launch({(count + threads - 1) / threads, threads})
            .in<int>(count, -99, 10)
            .in<int>(count, 0, 99)
            .filled<int>(1, 0)
            .number(count);
}

CudaPuzzle largest_difference() {
    static const auto spec =
        notebook::PuzzleSpec("largest_difference", "const int* a, const int* b, int* out, int n",
                             lanes_launches)
            .reference([](const LaunchConfig&, const int* a, const int* b, int* out, int n) {
                for (int i = 0; i < n; ++i) out[0] = std::max(out[0], std::abs(a[i] - b[i]));
            })
            .mistake("The sign is missing: take the absolute value of a[i] - b[i].",
                     [](const LaunchConfig&, const int* a, const int* b, int* out, int n) {
                         for (int i = 0; i < n; ++i) out[0] = std::max(out[0], a[i] - b[i]);
                     })
            .goal({"atomic operations on global memory per block", 1,
                   "If each thread asks for itself", 32, notebook::global_atomics_per_block})
            .hint(
                "First the largest of the block, in shared memory, by atomicMax; then one thread "
                "of the block calls atomicMax(out, …).");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
