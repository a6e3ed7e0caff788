// The training step as the sheet writes it down, layer by layer, made of exchangeable parts. It
// explains the fused step and is its oracle.
#pragma once

#include "lanes/nn/parts.hpp"

#include <utility>

namespace lanes::plain {

template <class T>
struct Gradients {
    Weights<T> weights;
    Biases<T> biases;
    double loss;  // half the squared error, summed over the batch
};

// Every part is there from here on: the library's where the caller gave none.
template <class T>
BasicNetworkParts<T> with_defaults(BasicNetworkParts<T> parts);

template <class T>
xt::xtensor<T, 2> forward(const BasicNetworkParts<T>& parts, const Weights<T>& weights,
                          const Biases<T>& biases, xt::xtensor<T, 2> x);

// Of the loss, summed over the batch.
template <class T>
Gradients<T> gradients(const BasicNetworkParts<T>& parts, const Sizes& sizes,
                       const Weights<T>& weights, const Biases<T>& biases,
                       const BasicDataset<T>& batch);

// One step of gradient descent; gives the loss. `slopes` are those of the step before, then of this
// one: kept, because memory that is given back and asked for again in each step comes as fresh
// pages, which cost as much as the products.
template <class T>
double step(const BasicNetworkParts<T>& parts, const Sizes& sizes, Weights<T>& weights,
            Biases<T>& biases, const BasicDataset<T>& batch, T learning_rate, Gradients<T>& slopes);

}  // namespace lanes::plain
