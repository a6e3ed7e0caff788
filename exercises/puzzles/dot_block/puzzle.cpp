// Puzzle 11, dot product in one block: a tree of sums.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    for (const int threads : {8, 1, 2, 1 << puzzle.integer(2, 5), 64})
        puzzle.launch({1, threads}).in<float>(threads).in<float>(threads).out<float>(1);
}

CudaPuzzle dot_block() {
    static const auto spec =
        notebook::PuzzleSpec("dot_block", "const float* a, const float* b, float* out",
                             lanes_launches)
            .reference([](const LaunchConfig& shape, const float* a, const float* b, float* out) {
                out[0] = 0;
                for (unsigned i = 0; i < shape.block.x; ++i) out[0] += a[i] * b[i];
            })
            .mistake("This is the first product alone: the others are not added.",
                     [](const LaunchConfig&, const float* a, const float* b, float* out) {
                         out[0] = a[0] * b[0];
                     })
            .mistake(
                "One product is missing, or one is counted twice: does the last step of the tree "
                "add tile[1] to tile[0]?",
                [](const LaunchConfig& shape, const float* a, const float* b, float* out) {
                    out[0] = 0;
                    for (unsigned i = 0; i < shape.block.x; i += 2) out[0] += a[i] * b[i];
                })
            .goal({"load requests to shared memory", 14, "If one thread adds all products", 64,
                   [](const PuzzleRun& run) {
                       return double(run.report.counters.shared_load_requests);
                   }})
            .goal({"global stores", 1, "If every thread writes the result", 64,
                   [](const PuzzleRun& run) { return double(run.report.counters.global_stores); }})
            .hint(
                "step = blockDim.x / 2, then half of it, until 1: threads below step add what lies "
                "step further.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
