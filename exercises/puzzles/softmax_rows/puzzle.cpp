// Puzzle 20, softmax of each row: two reductions.
#include "notebook/puzzle/spec.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int sizes[][5] = {{2, 6, 32, -3, 3},        {2, 1, 32, -9, 9},
                            {2, 20, 32, -1000, 1000}, {2, 9, 32, -1000, -900},
                            {2, 1000, 32, -5, 5},     {3, puzzle.integer(33, 90), 32, -9, 9}};
    for (const auto& [rows, columns, block, low, high] : sizes)
        puzzle.launch({rows, block})
            .in<float>(rows * columns, low, high)
            .columns(columns)
            .out<float>(rows * columns)
            .columns(columns)
            .number(rows)
            .number(columns);
}

CudaPuzzle softmax_rows() {
    static const auto spec =
        notebook::PuzzleSpec("softmax_rows", "const float* z, float* p, int rows, int columns",
                             lanes_launches)
            .reference([](const LaunchConfig&, const float* z, float* p, int rows, int columns) {
                for (int i = 0; i < rows; ++i) {
                    const float* row = z + i * columns;
                    const double largest = *std::max_element(row, row + columns);
                    double sum = 0;
                    for (int j = 0; j < columns; ++j) sum += std::exp(row[j] - largest);
                    for (int j = 0; j < columns; ++j)
                        p[i * columns + j] = static_cast<float>(std::exp(row[j] - largest) / sum);
                }
            })
            .mistake("The numbers of a row do not add up to 1: divide by the sum.",
                     [](const LaunchConfig&, const float* z, float* p, int rows, int columns) {
                         for (int i = 0; i < rows; ++i) {
                             const float* row = z + i * columns;
                             const float largest = *std::max_element(row, row + columns);
                             for (int j = 0; j < columns; ++j)
                                 p[i * columns + j] = std::exp(row[j] - largest);
                         }
                     })
            .arrows_to(8)
            .hint(
                "First the largest of the row, then the sum of expf(z - largest), then the "
                "quotients; "
                "__shfl_xor_sync gives the result to all lanes.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
