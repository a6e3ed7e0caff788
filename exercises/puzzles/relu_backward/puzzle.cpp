// Lesson 08b: the gradient passes a ReLU where its input was positive.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int sizes[][3] = {{10, 3, 4}, {1, 1, 1}, {64, 2, 32}, {puzzle.integer(65, 95), 3, 32}};
    for (const auto& [n, blocks, threads] : sizes)
        puzzle.launch({blocks, threads})
            .in<float>(n, -2, 2)
            .in<float>(n, 3, 9)
            .filled<float>(n, 11)  // what was there before
            .number(n);
}

CudaPuzzle relu_backward() {
    static const auto spec =
        notebook::PuzzleSpec("relu_backward", "const float* z, const float* g, float* out, int n",
                             lanes_launches)
            .reference([](const LaunchConfig&, const float* z, const float* g, float* out, int n) {
                for (int i = 0; i < n; ++i) out[i] = z[i] > 0 ? g[i] : 0;
            })
            .mistake("This is the forward pass, max(z, 0): pass on the gradient g.",
                     [](const LaunchConfig&, const float* z, const float*, float* out, int n) {
                         for (int i = 0; i < n; ++i) out[i] = z[i] > 0 ? z[i] : 0;
                     })
            .mistake("Where z is 0 the gradient is 0, too: z > 0, not z >= 0.",
                     [](const LaunchConfig&, const float* z, const float* g, float* out, int n) {
                         for (int i = 0; i < n; ++i) out[i] = z[i] >= 0 ? g[i] : 0;
                     })
            .mistake(
                "out is not written where z is not positive: every element gets a value, 0 there.",
                [](const LaunchConfig&, const float* z, const float* g, float* out, int n) {
                    for (int i = 0; i < n; ++i)
                        if (z[i] > 0) out[i] = g[i];
                })
            .mistake("The gradient passes everywhere: it must be 0 where z is not positive.",
                     [](const LaunchConfig&, const float*, const float* g, float* out, int n) {
                         for (int i = 0; i < n; ++i) out[i] = g[i];
                     })
            .mistake("The gradient passes where z is negative: it is the other way round, z > 0.",
                     [](const LaunchConfig&, const float* z, const float* g, float* out, int n) {
                         for (int i = 0; i < n; ++i) out[i] = z[i] < 0 ? g[i] : 0;
                     })
            .hint("Element i: g[i] if z[i] > 0, otherwise 0. Threads beyond n do nothing.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
