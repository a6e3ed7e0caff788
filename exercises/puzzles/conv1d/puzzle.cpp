// Puzzle 16, convolution in one dimension: a tile with a halo.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int sizes[][3] = {{10, 3, 4},
                            {1, 1, 4},
                            {2, 4, 4},
                            {16, 4, 4},
                            {puzzle.integer(40, 90), puzzle.integer(2, 7), 32},
                            {96, 5, 32}};
    for (const auto& [n, k, block] : sizes)
        puzzle.launch({(n + block - 1) / block, block})
            .in<float>(n)
            .in<float>(k)
            .out<float>(n)
            .number(n)
            .number(k);
}

CudaPuzzle conv1d() {
    static const auto spec =
        notebook::PuzzleSpec("conv1d", "const float* a, const float* f, float* out, int n, int k",
                             lanes_launches)
            .reference(
                [](const LaunchConfig&, const float* a, const float* f, float* out, int n, int k) {
                    for (int i = 0; i < n; ++i) {
                        out[i] = 0;
                        for (int j = 0; j < k && i + j < n; ++j) out[i] += f[j] * a[i + j];
                    }
                })
            .mistake(
                "The halo is missing: at the end of a block, elements of the next one are needed, "
                "too.",
                [](const LaunchConfig& shape, const float* a, const float* f, float* out, int n,
                   int k) {
                    for (int i = 0; i < n; ++i) {
                        out[i] = 0;
                        for (int j = 0;
                             j < k && i + j < n && i % int(shape.block.x) + j < int(shape.block.x);
                             ++j)
                            out[i] += f[j] * a[i + j];
                    }
                })
            .mistake(
                "f is applied backwards: f[0] belongs to a[i].",
                [](const LaunchConfig&, const float* a, const float* f, float* out, int n, int k) {
                    for (int i = 0; i < n; ++i) {
                        out[i] = 0;
                        for (int j = 0; j < k && i + j < n; ++j) out[i] += f[k - 1 - j] * a[i + j];
                    }
                })
            .goal({"global loads per element", 1.5, "If each thread reads all it needs", 9.8,
                   [](const PuzzleRun& run) {
                       return double(run.report.counters.global_loads) / 96;
                   }})
            .arrows_to(3)
            .hint(
                "The tile holds blockDim.x + k - 1 elements; the first k - 1 threads fetch the "
                "halo, and k threads fetch f.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
