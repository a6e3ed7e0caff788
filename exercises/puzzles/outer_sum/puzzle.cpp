// Puzzle 5, broadcast: an element of the column meets each element of the row.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int side = puzzle.integer(3, 7);
    const int sizes[][4] = {{4, 5, 8, 6},
                            {1, 1, 4, 4},
                            {1, 9, 16, 2},
                            {9, 1, 2, 16},
                            {side + 2, side, side + 2, side + 3}};
    for (const auto& [rows, columns, x, y] : sizes)
        puzzle.launch({1, {x, y}})
            .in<float>(rows)
            .columns(1)
            .in<float>(columns)
            .columns(columns)
            .out<float>(rows * columns)
            .columns(columns)
            .number(rows)
            .number(columns);
}

CudaPuzzle outer_sum() {
    static const auto spec =
        notebook::PuzzleSpec(
            "outer_sum", "const float* column, const float* row, float* out, int rows, int columns",
            lanes_launches)
            .reference([](const LaunchConfig&, const float* column, const float* row, float* out,
                          int rows, int columns) {
                for (int i = 0; i < rows; ++i)
                    for (int j = 0; j < columns; ++j) out[i * columns + j] = column[i] + row[j];
            })
            .arrows_to(12)
            .hint("Row i of the result takes column[i], column j of the result takes row[j].");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
