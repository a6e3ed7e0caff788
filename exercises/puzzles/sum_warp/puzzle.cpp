// Puzzle 13, a warp adds up without shared memory.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(65, 127);
    puzzle.launch({1, 32}).in<float>(20).filled<float>(1, 0).number(20);
    puzzle.launch({2, 32}).in<float>(40).filled<float>(1, 0).number(40);
    puzzle.launch({1, 32}).in<float>(1).filled<float>(1, 0).number(1);
    puzzle.launch({1, 64}).in<float>(64).filled<float>(1, 0).number(64);
    puzzle.launch({(n + 63) / 64, 64}).in<float>(n).filled<float>(1, 0).number(n);
    puzzle.launch({2, 64}).in<float>(128).filled<float>(1, 0).number(128);
}

CudaPuzzle sum_warp() {
    static const auto spec =
        notebook::PuzzleSpec("sum_warp", "const float* a, float* out, int n", lanes_launches)
            .reference([](const LaunchConfig&, const float* a, float* out, int n) {
                for (int i = 0; i < n; ++i) out[0] += a[i];
            })
            .goal({"requests to shared memory", 0, "With the tree of puzzle 12", 46,
                   [](const PuzzleRun& run) {
                       return double(run.report.counters.shared_load_requests +
                                     run.report.counters.shared_store_requests);
                   }})
            .goal({"atomic operations on global memory per block", 2, "If each thread adds its own",
                   64, notebook::global_atomics_per_block})
            .hint(
                "value += __shfl_down_sync(0xffffffff, value, step) for step 16, 8, 4, 2, 1; all "
                "32 lanes take part.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
