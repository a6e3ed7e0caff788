// Lesson 02: counting with atomicAdd.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(65, 127);
    const int sizes[][2] = {{7, 4}, {1, 8}, {16, 8}, {33, 16}, {n, 32}};
    for (const auto& [count, threads] : sizes)
        puzzle.launch({(count + threads - 1) / threads, threads})
            .in<int>(count, 0, 9)
            .in<int>(count, 0, 9)
            .filled<int>(1, 0)
            .number(count);
}

CudaPuzzle count_larger() {
    static const auto spec =
        notebook::PuzzleSpec("count_larger", "const int* a, const int* b, int* count, int n",
                             lanes_launches)
            .reference([](const LaunchConfig&, const int* a, const int* b, int* count, int n) {
                for (int i = 0; i < n; ++i) count[0] += a[i] > b[i];
            })
            .mistake("Equal numbers are counted, too: is >= meant to be >?",
                     [](const LaunchConfig&, const int* a, const int* b, int* count, int n) {
                         for (int i = 0; i < n; ++i) count[0] += a[i] >= b[i];
                     })
            .mistake("All elements are counted: add 1 only if a[i] > b[i].",
                     [](const LaunchConfig&, const int*, const int*, int* count, int n) {
                         count[0] += n;
                     })
            .mistake("This is the number of elements of a that are smaller than those of b.",
                     [](const LaunchConfig&, const int* a, const int* b, int* count, int n) {
                         for (int i = 0; i < n; ++i) count[0] += a[i] < b[i];
                     })
            .goal({"atomic operations on global memory per block", 1,
                   "If each thread counts in global memory", 16,
                   notebook::global_atomics_per_block})
            .hint(
                "A counter in shared memory: one thread sets it to 0, barrier, all threads "
                "atomicAdd to it, barrier, one thread adds it to count.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
