// Lesson 08b: the loss of each sample and its gradient, a block per sample.
#include "notebook/puzzle/spec.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::puzzles {

static void lanes_launches(PuzzleLaunches& puzzle) {
    const int sizes[][5] = {{2, 6, 4, -3, 3},        {3, 1, 32, -9, 9},
                            {4, 10, 32, -1000, 999}, {2, 9, 64, -1000, -900},
                            {5, 300, 64, -5, 5},     {3, puzzle.integer(33, 90), 32, -9, 9}};
    for (const auto& [samples, classes, block, low, high] : sizes)
        puzzle.launch({samples, block})
            .in<float>(samples * classes, low, high)
            .columns(classes)
            .in<int>(samples, 0, classes - 1)
            .out<float>(samples)
            .out<float>(samples * classes)
            .columns(classes)
            .number(classes);
}

namespace {

struct Variant {               // the right values first, a mistake each
    double at_label = 1;       // subtracted at the label
    bool mean = true;          // the gradient is divided by the number of samples
    bool largest = true;       // the largest logit is in the loss
    bool mean_losses = false;  // the losses are divided, too
    bool from_zero = false;    // the largest logit is 0 if all are below 0
};

// What a block per sample computes, in double, with a mistake or without one.
void compute(const LaunchConfig& shape, const float* z, const int* labels, float* losses,
             float* gradient, int classes, const Variant& variant) {
    const auto samples = static_cast<int>(shape.grid.x);
    for (int s = 0; s < samples; ++s) {
        const float* row = z + s * classes;
        double largest = *std::max_element(row, row + classes);
        if (variant.from_zero) largest = std::max(largest, 0.0);
        double sum = 0;
        for (int j = 0; j < classes; ++j) sum += std::exp(row[j] - largest);
        // The picture of the task tries labels that there are not.
        const double at_label = labels[s] < classes ? row[labels[s]] : 0;
        const double loss = (variant.largest ? largest : 0) + std::log(sum) - at_label;
        losses[s] = static_cast<float>(variant.mean_losses ? loss / samples : loss);
        for (int j = 0; j < classes; ++j) {
            const double g = std::exp(row[j] - largest) / sum - variant.at_label * (j == labels[s]);
            gradient[s * classes + j] = static_cast<float>(variant.mean ? g / samples : g);
        }
    }
}

}  // namespace

CudaPuzzle softmax_cross_entropy() {
    static const auto with = [](const Variant& variant) {
        return [variant](const LaunchConfig& shape, const float* z, const int* labels,
                         float* losses, float* gradient, int classes) {
            compute(shape, z, labels, losses, gradient, classes, variant);
        };
    };
    static const auto spec =
        notebook::PuzzleSpec(
            "softmax_cross_entropy",
            "const float* z, const int* labels, float* losses, float* gradient, int classes",
            lanes_launches)
            .reference(with({1, true, true, false}))
            .mistake(
                "expf(-900) is 0, and expf(900) is infinite: subtract the largest logit first. It "
                "may be below 0: begin with row[0], not with 0.",
                with({1, true, true, false, true}))
            .mistake("The gradient is not divided by the number of samples, which is gridDim.x.",
                     with({1, false, true, false}))
            .mistake("These are the probabilities: subtract 1 at the label before you divide.",
                     with({0, true, true, false}))
            .mistake("The largest logit was subtracted before expf: the loss has to add it again.",
                     with({1, true, false, false}))
            .mistake("The losses are divided by the number of samples: only the gradient is.",
                     with({1, true, true, true}))
            .hint(
                "Two trees in shared memory: the largest logit, then the sum of "
                "expf(z - largest), with a barrier between them.");
    return CudaPuzzle(spec);
}

}  // namespace lanes::puzzles
