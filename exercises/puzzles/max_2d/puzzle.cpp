// Lesson 02: the element-wise maximum with blocks of two dimensions.
#include "notebook/puzzle/spec.hpp"

#include <algorithm>

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int side = puzzle.integer(9, 20);
    const int sizes[][4] = {{3, 5, 4, 2}, {1, 1, 4, 4},           {1, 9, 4, 2},   {9, 1, 4, 2},
                            {8, 8, 4, 4}, {side + 3, side, 8, 4}, {16, 64, 32, 8}};
    for (const auto& [rows, columns, x, y] : sizes)
        puzzle.launch({{(columns + x - 1) / x, (rows + y - 1) / y}, {x, y}})
            .in<int>(rows * columns, -99, 99)
            .columns(columns)
            .in<int>(rows * columns, -99, 99)
            .columns(columns)
            .out<int>(rows * columns)
            .columns(columns)
            .number(rows)
            .number(columns);
}

CudaPuzzle max_2d() {
    static const auto spec =
        notebook::PuzzleSpec("max_2d", "const int* a, const int* b, int* c, int rows, int columns",
                             lanes_launches)
            .reference(
                [](const LaunchConfig&, const int* a, const int* b, int* c, int rows, int columns) {
                    for (int i = 0; i < rows * columns; ++i) c[i] = std::max(a[i], b[i]);
                })
            .goal({"sectors per load request", 4, "If x is the row", 32,
                   [](const PuzzleRun& run) { return run.report.load_sectors_per_request; }})
            .hint(
                "column = blockIdx.x * blockDim.x + threadIdx.x, the row likewise with y; the "
                "element is row * columns + column.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
