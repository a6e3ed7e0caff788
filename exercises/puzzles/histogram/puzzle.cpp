// Puzzle 15, histogram: counters of the block first.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(65, 127);
    puzzle.launch({2, 8}).in<unsigned char>(14, 0, 7).filled<int>(8, 0).number(14);
    puzzle.launch({1, 8}).in<unsigned char>(1, 0, 7).filled<int>(8, 0).number(1);
    puzzle.launch({2, 16}).in<unsigned char>(32, 3, 3).filled<int>(8, 0).number(32);
    puzzle.launch({(n + 31) / 32, 32}).in<unsigned char>(n, 0, 7).filled<int>(8, 0).number(n);
    puzzle.launch({2, 64}).in<unsigned char>(128, 0, 7).filled<int>(8, 0).number(128);
}

CudaPuzzle histogram() {
    static const auto spec =
        notebook::PuzzleSpec("histogram", "const unsigned char* a, int* bins, int n",
                             lanes_launches)
            .reference([](const LaunchConfig&, const unsigned char* a, int* bins, int n) {
                for (int i = 0; i < n; ++i) ++bins[a[i]];
            })
            .mistake("Only the first block's elements are counted.",
                     [](const LaunchConfig& shape, const unsigned char* a, int* bins, int n) {
                         for (int i = 0; i < n && i < int(shape.block.x); ++i) ++bins[a[i]];
                     })
            .goal({"atomic operations on global memory per block", 8,
                   "If each thread counts in global memory", 64,
                   notebook::global_atomics_per_block})
            .arrows_to(2)
            .hint(
                "__shared__ int own[8]: set to 0, barrier, count, barrier, then 8 threads add them "
                "to bins.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
