// Puzzle 4, map of a matrix: threads with two coordinates.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int side = puzzle.integer(3, 7);
    const int sizes[][4] = {{4, 5, 8, 6},
                            {1, 1, 4, 4},
                            {1, 9, 16, 2},
                            {9, 1, 2, 16},
                            {side + 1, side, side + 2, side + 3},
                            {8, 32, 32, 8}};
    for (const auto& [rows, columns, x, y] : sizes)
        puzzle.launch({1, {x, y}})
            .in<float>(rows * columns)
            .columns(columns)
            .out<float>(rows * columns)
            .columns(columns)
            .number(rows)
            .number(columns);
}

CudaPuzzle add_ten_2d() {
    static const auto spec =
        notebook::PuzzleSpec("add_ten_2d", "const float* a, float* out, int rows, int columns",
                             lanes_launches)
            .reference([](const LaunchConfig&, const float* a, float* out, int rows, int columns) {
                for (int i = 0; i < rows * columns; ++i) out[i] = a[i] + 10;
            })
            .goal({"sectors per load request", 4, "If threadIdx.x is the row", 32,
                   [](const PuzzleRun& run) { return run.report.load_sectors_per_request; }})
            .hint("Row threadIdx.y, column threadIdx.x; the element is a[row * columns + column].");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
