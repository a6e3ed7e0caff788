// The training step as the assignment writes it down: layer by layer, made of replaceable parts. It
// explains what mlp/fast_step computes, and the tests compare the two.
#pragma once

#include "lanes/mlp/parts.hpp"

#include <utility>

namespace lanes::plain {

// Of the loss, summed over the batch; the shapes are those of the weights and biases.
template <class T>
struct Gradients {
    Weights<T> weights;
    Biases<T> biases;
    double loss;  // half the squared error, summed over the batch
};

// Fills in the library's function for each empty part.
template <class T>
BasicNetworkParts<T> with_defaults(BasicNetworkParts<T> parts);

// x: (images, sizes.front()) -> (images, sizes.back())
template <class T>
xt::xtensor<T, 2> forward(const BasicNetworkParts<T>& parts, const Weights<T>& weights,
                          const Biases<T>& biases, const xt::xtensor<T, 2>& x);

template <class T>
Gradients<T> gradients(const BasicNetworkParts<T>& parts, const Sizes& sizes,
                       const Weights<T>& weights, const Biases<T>& biases,
                       const BasicDataset<T>& batch);

// One step of gradient descent; returns the loss. On return `gradients` holds the gradients of this
// step. The caller keeps it from step to step: freeing and allocating its memory again in each step
// would cost as much as the products.
template <class T>
double step(const BasicNetworkParts<T>& parts, const Sizes& sizes, Weights<T>& weights,
            Biases<T>& biases, const BasicDataset<T>& batch, T learning_rate,
            Gradients<T>& gradients);

}  // namespace lanes::plain
