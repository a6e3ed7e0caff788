// Lesson 08b: a step of gradient descent with momentum, in place.
#include "notebook/puzzle/spec.hpp"

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int sizes[][3] = {{10, 3, 4}, {1, 1, 1}, {64, 2, 32}, {puzzle.integer(65, 95), 2, 32}};
    for (const auto& [n, blocks, threads] : sizes)
        puzzle.launch({blocks, threads})
            .in_out<float>(n, 10, 20)
            .in_out<float>(n, 1, 4)
            .in<float>(n, 5, 9)
            .number(0.25f)
            .number(0.5f)
            .number(n);
}

CudaPuzzle sgd_update() {
    static const auto spec =
        notebook::PuzzleSpec(
            "sgd_update", "float* w, float* v, const float* g, float rate, float momentum, int n",
            lanes_launches)
            .reference([](const LaunchConfig&, float* w, float* v, const float* g, float rate,
                          float momentum, int n) {
                for (int i = 0; i < n; ++i) {
                    v[i] = momentum * v[i] + g[i];
                    w[i] -= rate * v[i];
                }
            })
            .mistake("v is not changed: the next step needs momentum * v + g.",
                     [](const LaunchConfig&, float* w, float* v, const float* g, float rate,
                        float momentum, int n) {
                         for (int i = 0; i < n; ++i) w[i] -= rate * (momentum * v[i] + g[i]);
                     })
            .mistake("w goes uphill: the step is subtracted, not added.",
                     [](const LaunchConfig&, float* w, float* v, const float* g, float rate,
                        float momentum, int n) {
                         for (int i = 0; i < n; ++i) {
                             v[i] = momentum * v[i] + g[i];
                             w[i] += rate * v[i];
                         }
                     })
            .mistake("w follows g alone: subtract rate times v, which remembers earlier gradients.",
                     [](const LaunchConfig&, float* w, float* v, const float* g, float rate,
                        float momentum, int n) {
                         for (int i = 0; i < n; ++i) {
                             v[i] = momentum * v[i] + g[i];
                             w[i] -= rate * g[i];
                         }
                     })
            .mistake("w follows v as it was before this step: change v first.",
                     [](const LaunchConfig&, float* w, float* v, const float* g, float rate,
                        float momentum, int n) {
                         for (int i = 0; i < n; ++i) {
                             w[i] -= rate * v[i];
                             v[i] = momentum * v[i] + g[i];
                         }
                     })
            .hint(
                "First v[i] = momentum * v[i] + g[i], then w[i] -= rate * v[i], in a grid-stride "
                "loop.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
