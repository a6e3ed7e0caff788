// Puzzle 18, sums along an axis: one block per row.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int sizes[][3] = {
        {3, 10, 8}, {1, 1, 8}, {5, 3, 8}, {5, puzzle.integer(33, 90), 32}, {4, 128, 32}};
    for (const auto& [rows, columns, block] : sizes)
        puzzle.launch({rows, block})
            .in<float>(rows * columns)
            .columns(columns)
            .out<float>(rows)
            .columns(1)
            .number(rows)
            .number(columns);
}

CudaPuzzle row_sums() {
    static const auto spec =
        notebook::PuzzleSpec("row_sums", "const float* a, float* out, int rows, int columns",
                             lanes_launches)
            .reference([](const LaunchConfig&, const float* a, float* out, int rows, int columns) {
                for (int i = 0; i < rows; ++i) {
                    out[i] = 0;
                    for (int j = 0; j < columns; ++j) out[i] += a[i * columns + j];
                }
            })
            .mistake(
                "Only as many columns are added as the block has threads: take a loop.",
                [](const LaunchConfig& shape, const float* a, float* out, int rows, int columns) {
                    for (int i = 0; i < rows; ++i) {
                        out[i] = 0;
                        for (int j = 0; j < columns && j < int(shape.block.x); ++j)
                            out[i] += a[i * columns + j];
                    }
                })
            .goal({"load requests per row", 4, "If one thread reads the whole row", 128,
                   [](const PuzzleRun& run) {
                       return double(run.report.counters.global_load_requests) / 4;
                   }})
            .goal({"sectors per load request", 4, "If each thread takes four neighbouring columns",
                   16, [](const PuzzleRun& run) { return run.report.load_sectors_per_request; }})
            .arrows_to(1)
            .hint("Thread t adds columns t, t + blockDim.x, ...; then the tree of puzzle 11.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
