// Puzzle 9, shared memory and a barrier: reverse in place.
#include "notebook/puzzle/spec.hpp"

#include <algorithm>

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    for (const int threads : {8, 1, 2, puzzle.integer(9, 31), 64})
        puzzle.launch({1, threads}).in_out<float>(threads);
}

CudaPuzzle reverse_block() {
    static const auto spec =
        notebook::PuzzleSpec("reverse_block", "float* a", lanes_launches)
            .reference(
                [](const LaunchConfig& shape, float* a) { std::reverse(a, a + shape.block.x); })
            .mistake("a is unchanged: thread i writes what thread blockDim.x - 1 - i has stored.",
                     [](const LaunchConfig&, float*) {})
            .goal({"barriers", 1, "With one after each line", 2,
                   [](const PuzzleRun& run) { return double(run.report.counters.barriers); }})
            .arrows_to(2)
            .hint(
                "Each thread stores its element in shared memory; after the barrier it reads that "
                "of another one.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
