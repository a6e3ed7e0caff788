// Lesson 02: the element-wise maximum, four numbers per thread with one load.
#include "notebook/puzzle/spec.hpp"

#include <algorithm>

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(201, 299);
    const int sizes[][2] = {{14, 8}, {1, 4}, {4, 4}, {3, 8}, {n, 32}, {n + 3, 32}, {1024, 64}};
    for (const auto& [count, threads] : sizes)
        puzzle.launch({((count + 3) / 4 + threads - 1) / threads, threads})
            .in<int>(count, -99, 99)
            .in<int>(count, -99, 99)
            .out<int>(count)
            .number(count);
}

CudaPuzzle max_four() {
    static const auto spec =
        notebook::PuzzleSpec("max_four", "const int* a, const int* b, int* c, int n",
                             lanes_launches)
            .reference([](const LaunchConfig&, const int* a, const int* b, int* c, int n) {
                for (int i = 0; i < n; ++i) c[i] = std::max(a[i], b[i]);
            })
            .goal({"load requests", 16, "If each load is one number", 64,
                   [](const PuzzleRun& run) {
                       return double(run.report.counters.global_load_requests);
                   }})
            .arrows_to(12)
            .hint(
                "Thread i has the elements 4 i to 4 i + 3: as one int4 if all four exist, "
                "otherwise one by one.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
