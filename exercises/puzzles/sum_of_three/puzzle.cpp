// Puzzle 10, neighbours share what they read.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int n = puzzle.integer(33, 90);
    puzzle.launch({3, 4}).in<float>(10).out<float>(10).number(10);
    puzzle.launch({1, 4}).in<float>(1).out<float>(1).number(1);
    puzzle.launch({2, 4}).in<float>(8).out<float>(8).number(8);
    puzzle.launch({(n + 31) / 32, 32}).in<float>(n).out<float>(n).number(n);
    puzzle.launch({3, 32}).in<float>(96).out<float>(96).number(96);
}

CudaPuzzle sum_of_three() {
    static const auto spec =
        notebook::PuzzleSpec("sum_of_three", "const float* a, float* out, int n", lanes_launches)
            .reference([](const LaunchConfig&, const float* a, float* out, int n) {
                for (int i = 0; i < n; ++i)
                    out[i] = (i > 0 ? a[i - 1] : 0) + a[i] + (i + 1 < n ? a[i + 1] : 0);
            })
            .mistake(
                "The first thread of a block misses its left neighbour, the last one its right "
                "neighbour: "
                "these two elements belong to other blocks.",
                [](const LaunchConfig& shape, const float* a, float* out, int n) {
                    const int block = shape.block.x;
                    for (int i = 0; i < n; ++i)
                        out[i] = (i % block > 0 ? a[i - 1] : 0) + a[i] +
                                 ((i + 1) % block > 0 && i + 1 < n ? a[i + 1] : 0);
                })
            .mistake("The right neighbour of the last thread of a block is missing.",
                     [](const LaunchConfig& shape, const float* a, float* out, int n) {
                         for (int i = 0; i < n; ++i)
                             out[i] =
                                 (i > 0 ? a[i - 1] : 0) + a[i] +
                                 ((i + 1) % int(shape.block.x) > 0 && i + 1 < n ? a[i + 1] : 0);
                     })
            .mistake(
                "Everything is shifted by one: tile[0] is the left neighbour of the block's first "
                "element.",
                [](const LaunchConfig&, const float* a, float* out, int n) {
                    for (int i = 0; i < n; ++i)
                        out[i] = a[i] + (i + 1 < n ? a[i + 1] : 0) + (i + 2 < n ? a[i + 2] : 0);
                })
            .goal({"global loads per element", 1.1, "If each thread reads all three", 3,
                   [](const PuzzleRun& run) {
                       return double(run.report.counters.global_loads) / 96;
                   }})
            .arrows_to(4)
            .hint("A block of 4 threads needs 6 elements: who fetches the two at the ends?");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
