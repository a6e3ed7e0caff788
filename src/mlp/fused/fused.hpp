// The fast training step. make_network is the only way in: no other header of this folder is
// included from outside. The readable version of the same computation is mlp/plain_step.cpp; the
// tests compare the two.
#pragma once

#include "lanes/mlp/batch.hpp"
#include "lanes/mlp/functions.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace lanes::fused {

// Accuracy on one set of images, again and again for changing weights: the set is packed once.
template <class T>
class Validation {
public:
    virtual ~Validation() = default;

    // Copies the weights and starts counting the images that they classify correctly.
    // background_threads > 0: so many threads do it, at low priority, while training goes on.
    // 0: done when start returns.
    virtual void start(const Weights<T>& weights, const Biases<T>& biases,
                       int background_threads) = 0;
    virtual bool is_running() const = 0;  // start was called, and wait was not
    virtual double wait() = 0;            // helps with the rest; the accuracy in percent
};

// A network with sigmoid layers, its weights in a layout made for speed.
//
// threads: empty means that one thread and all of them are tried, and the faster number is kept. On
// a busy machine, threads that wait for each other are slower than one. The weights are the same,
// bit by bit, for every number of threads.
template <class T>
class Network {
public:
    using Batches = std::vector<BasicBatch<T>>;

    virtual ~Network() = default;

    // One step of gradient descent per batch; returns the loss, summed over the images.
    virtual double train(const Batches& batches, T learning_rate, std::optional<int> threads) = 0;

    // The same on separate threads, while the calling thread does something else. The batches must
    // stay in place until wait has returned. A second start may come before the first wait, so that
    // the threads need not pause.
    virtual void start(const Batches& batches, T learning_rate, std::optional<int> threads) = 0;
    virtual bool is_done() const = 0;  // the next wait would return at once
    virtual double wait() = 0;         // for the first of the started groups; its loss

    virtual void store(Weights<T>& weights, Biases<T>& biases) const = 0;

    // x: (images, pixels) -> (images, classes)
    virtual xt::xtensor<T, 2> predict(const xt::xtensor<T, 2>& x,
                                      std::optional<int> threads) const = 0;

    // For images of this network's sizes. It does not refer to the network afterwards, but to
    // `data`.
    virtual std::unique_ptr<Validation<T>> make_validation(const BasicDataset<T>& data,
                                                           std::optional<int> threads) const = 0;
};

// weights[i]: (sizes[i], sizes[i + 1]), biases[i]: (sizes[i + 1]). Both are copied.
template <class T>
std::unique_ptr<Network<T>> make_network(const Sizes& sizes, const Weights<T>& weights,
                                         const Biases<T>& biases);

}  // namespace lanes::fused
