// What the notebook 08_gpu_training does with the tape that students write: an example whose
// gradients are compared, and a network of two layers that is trained with it.
//
//   const lanes::TapeExample example;
//   const auto loss = [&](const lanes::Matrix& w) { return 0.5 * xt::sum(xt::square(w))(); };
//   lanes::require_gradient("w1", example.w1, loss, example.w1);  // throws if it differs
//   lanes::TapeNetwork network = lanes::TapeNetwork::random({6, 5, 3}, 8);
//   const lanes::Matrix x = xt::ones<float>({2, 6});
//   const double before = lanes::spare::train_with_tape(network, x, {0, 2}, 0.1f);
#pragma once

#include "lanes/array/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lanes {

// Compares a gradient with central differences of f at m; throws Error with the largest difference.
void require_gradient(const std::string& name, const Matrix& gradient,
                      const std::function<double(const Matrix&)>& f, Matrix m);

// The numbers of relu(x w1) w2 w2 and of a classifier relu(x w1 + b) w2, always the same ones.
struct TapeExample {
    TapeExample();

    // x: (3, 4), w1: (4, 5), w2: (5, 5), target: (3, 5), b: (1, 5)
    Matrix x, w1, w2, target, b;
    std::vector<int> labels;  // of three samples, 0 to 4

    // Whether both ways give the same two gradients, in words; without the first one, that an
    // answer is missing.
    using Gradients = std::function<std::vector<Matrix>()>;
    void compare(const Gradients& by_tape, const std::vector<Matrix>& by_library) const;
};

// z = relu(x w1 + b1) w2 + b2, x: (samples, inputs). Biases are matrices of one row.
struct TapeNetwork {
    Matrix w1, b1, w2, b2;

    static TapeNetwork random(const std::array<std::size_t, 3>& sizes, std::uint64_t seed);

    // One step with a batch: changes the network and returns the mean loss before the change.
    using Step = std::function<double(TapeNetwork& network, const Matrix& x,
                                      const std::vector<int>& labels, float rate)>;
    // Trains 784-32-10 with the first 1,000 images of Fashion-MNIST in batches of 50, five epochs,
    // by `step`, or by the library's if it is not filled in; and the same with the library's
    // tensors. Shows both losses, compares the weights and returns the last loss of `step`.
    static double show_training(const Step& step);
};

namespace spare {
// The step by the library's autograd.
double train_with_tape(TapeNetwork& network, const Matrix& x, const std::vector<int>& labels,
                       float rate);
}  // namespace spare

}  // namespace lanes
