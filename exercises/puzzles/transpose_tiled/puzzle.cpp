// Puzzle 19, transpose through a tile: coalesced on both sides.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int size = puzzle.integer(33, 40);
    const int sizes[][2] = {{5, 7}, {1, 1}, {40, 3}, {size, size + 3}, {32, 64}};
    for (const auto& [rows, columns] : sizes)
        puzzle.launch({{(columns + 31) / 32, (rows + 31) / 32}, {32, 32}})
            .in<float>(rows * columns)
            .columns(columns)
            .out<float>(rows * columns)
            .columns(rows)
            .number(rows)
            .number(columns);
}

CudaPuzzle transpose_tiled() {
    static const auto spec =
        notebook::PuzzleSpec("transpose_tiled", "const float* a, float* out, int rows, int columns",
                             lanes_launches)
            .reference([](const LaunchConfig&, const float* a, float* out, int rows, int columns) {
                for (int i = 0; i < rows; ++i)
                    for (int j = 0; j < columns; ++j) out[j * rows + i] = a[i * columns + j];
            })
            .mistake("This is a itself: the tile is read as it was written.",
                     [](const LaunchConfig&, const float* a, float* out, int rows, int columns) {
                         for (int i = 0; i < rows * columns; ++i) out[i] = a[i];
                     })
            .goal({"sectors per request, loads and stores together", 4, "As in puzzle 7", 18,
                   [](const PuzzleRun& run) { return run.report.sectors_per_request; }})
            .goal({"bank conflicts", 0, "With a tile of 32 columns", 1984,
                   [](const PuzzleRun& run) {
                       return double(run.report.counters.shared_bank_conflicts);
                   }})
            .hint(
                "Block (x, y) of a becomes block (y, x) of out, which has `columns` rows and "
                "`rows` "
                "columns: its guard is another one. Inside, read tile[threadIdx.x][threadIdx.y].");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
