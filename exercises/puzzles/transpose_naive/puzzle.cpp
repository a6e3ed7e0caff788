// Puzzle 7, blocks of a matrix: a transposed copy.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int size = puzzle.integer(5, 11);
    const int sizes[][4] = {{5, 7, 4, 4}, {1, 1, 4, 4},           {1, 9, 4, 4},
                            {4, 8, 4, 4}, {size, size + 2, 4, 4}, {32, 64, 32, 8}};
    for (const auto& [rows, columns, x, y] : sizes)
        puzzle.launch({{(columns + x - 1) / x, (rows + y - 1) / y}, {x, y}})
            .in<float>(rows * columns)
            .columns(columns)
            .out<float>(rows * columns)
            .columns(rows)
            .number(rows)
            .number(columns);
}

CudaPuzzle transpose_naive() {
    static const auto spec =
        notebook::PuzzleSpec("transpose_naive", "const float* a, float* out, int rows, int columns",
                             lanes_launches)
            .reference([](const LaunchConfig&, const float* a, float* out, int rows, int columns) {
                for (int i = 0; i < rows; ++i)
                    for (int j = 0; j < columns; ++j) out[j * rows + i] = a[i * columns + j];
            })
            .mistake(
                "This is a itself: the element of row i and column j belongs to out[j * rows + i].",
                [](const LaunchConfig&, const float* a, float* out, int rows, int columns) {
                    for (int i = 0; i < rows * columns; ++i) out[i] = a[i];
                })
            .goal({"sectors per request, loads and stores together", 18,
                   "If neither side is coalesced", 32,
                   [](const PuzzleRun& run) { return run.report.sectors_per_request; }})
            .hint(
                "column = blockIdx.x * blockDim.x + threadIdx.x, row the same with y; two guards.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
