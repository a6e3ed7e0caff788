// Puzzle 21, matrix product in tiles of 4 x 4.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int size = puzzle.integer(9, 14);
    const int sizes[][3] = {{4, 7, 6}, {1, 1, 1}, {4, 4, 4}, {size, 5, size + 3}, {16, 24, 16}};
    for (const auto& [m, k, n] : sizes)
        puzzle.launch({{(n + 3) / 4, (m + 3) / 4}, {4, 4}})
            .in<float>(m * k)
            .columns(k)
            .in<float>(k * n)
            .columns(n)
            .out<float>(m * n)
            .columns(n)
            .number(m)
            .number(k)
            .number(n);
}

CudaPuzzle matmul_tiled() {
    static const auto spec =
        notebook::PuzzleSpec("matmul_tiled",
                             "const float* a, const float* b, float* c, int m, int k, int n",
                             lanes_launches)
            .reference([](const LaunchConfig&, const float* a, const float* b, float* c, int m,
                          int k, int n) {
                for (int i = 0; i < m; ++i)
                    for (int j = 0; j < n; ++j) {
                        c[i * n + j] = 0;
                        for (int p = 0; p < k; ++p) c[i * n + j] += a[i * k + p] * b[p * n + j];
                    }
            })
            .mistake("Only the first tile of 4 columns of a is used: take a loop over all tiles.",
                     [](const LaunchConfig&, const float* a, const float* b, float* c, int m, int k,
                        int n) {
                         for (int i = 0; i < m; ++i)
                             for (int j = 0; j < n; ++j) {
                                 c[i * n + j] = 0;
                                 for (int p = 0; p < k && p < 4; ++p)
                                     c[i * n + j] += a[i * k + p] * b[p * n + j];
                             }
                     })
            .mistake("The last columns of a are missing: the number of tiles is k / 4, rounded up.",
                     [](const LaunchConfig&, const float* a, const float* b, float* c, int m, int k,
                        int n) {
                         for (int i = 0; i < m; ++i)
                             for (int j = 0; j < n; ++j) {
                                 c[i * n + j] = 0;
                                 for (int p = 0; p < k / 4 * 4; ++p)
                                     c[i * n + j] += a[i * k + p] * b[p * n + j];
                             }
                     })
            .goal({"global loads per product", 0.5, "Without tiles", 2,
                   [](const PuzzleRun& run) {
                       return double(run.report.counters.global_loads) / (16 * 24 * 16);
                   }})
            .arrows_to(9)
            .hint(
                "Per tile: both threads' elements into shared memory (0 outside), barrier, 4 "
                "products, barrier.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
