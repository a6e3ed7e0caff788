// The library's own training step: forward, backward and update in one go, on all cores, without an allocation and without copies of the weights.
//
// Each thread owns some columns of every layer: of its activations, its errors and its weights. So weights are never shared, and threads meet only where
// activations or errors of a whole layer are needed next: four times a step for a network with three sets of weights. The errors of a layer come from a
// transposed copy of the weights, which is updated like the weights. The first layer passes over pixels that are 0 (input.hpp).
#pragma once

#include "barrier.hpp"
#include "input.hpp"
#include "lanes/nn/batch.hpp"
#include "lanes/nn/functions.hpp"
#include "loops.hpp"
#include "packed_set.hpp"
#include "team.hpp"

#include <array>
#include <memory>
#include <vector>

namespace lanes::fused {

// What one step computes, layer by layer; index 0 stays empty, it is the input's.
template <class T>
struct Layers {
    Layers(const Sizes& sizes, std::size_t images);
    std::vector<Padded<T>> activations, primes, errors;
};

template <class T>
class Trainer {
public:
    Trainer(const Sizes& sizes, const Weights<T>& weights, const Biases<T>& biases);
    Trainer(Trainer&&) noexcept;
    ~Trainer();

    // Steps over the batches; gives the summed loss. Where the number
    // of threads is left open (0), one thread and all are tried, and the faster way goes on: on a machine that is busy, threads that wait for each other are
    // slower than one. The weights are the same, bit by bit, for every number of threads.
    double run(const std::vector<BasicBatch<T>>& batches, T learning_rate, int threads);

    // x: (images, pixels) -> (images, classes)
    xt::xtensor<T, 2> predict(const xt::xtensor<T, 2>& x, int threads) const;

    void store(Weights<T>& weights, Biases<T>& biases) const;

private:
    struct Shared;

    double run_on(unsigned threads, const std::vector<BasicBatch<T>>& batches, std::size_t first, std::size_t last, T learning_rate);
    Team& use_team(unsigned threads);
    Columns share(std::size_t layer, unsigned thread, unsigned threads) const;
    unsigned useful_threads(int requested) const;
    void forward(std::size_t layer, const Input<T>& input, Layers<T>& layers, std::size_t images, Columns mine) const;
    double output_errors(const Padded<T>& labels, Layers<T>& layers, std::size_t images, Columns mine) const;
    void errors_below(std::size_t layer, Layers<T>& layers, std::size_t images, Columns mine) const;
    void update(std::size_t layer, const Layers<T>& layers, std::size_t images, Columns mine, T learning_rate);
    void update_transposed(std::size_t layer, const Layers<T>& layers, std::size_t images, Columns mine, T learning_rate);
    void transpose_weights(std::size_t layer);
    void update_first(const Input<T>& input, Layers<T>& layers, std::size_t images, Columns mine, T learning_rate, const T* next);
    void update_biases(std::size_t layer, const Layers<T>& layers, std::size_t images, Columns mine, T learning_rate);
    void work(Shared& shared, unsigned thread);

    Sizes sizes_;
    std::size_t last_layer_;
    std::vector<Panels<T>> weights_;     // [layer]: (sizes[layer - 1], sizes[layer]); index 0 stays empty
    std::vector<Panels<T>> transposed_;  // [layer]: (sizes[layer], sizes[layer - 1]), from layer 2 on
    std::vector<Padded<T>> biases_;      // [layer]: (1, sizes[layer])
    std::unique_ptr<Shared> shared_;     // of the last go: memory that is asked for again and again costs as much as a batch
    std::unique_ptr<Team> team_;         // once more than one thread is wanted
    unsigned chosen_ = 0;                // number of threads that was faster; 0: not tried yet
};

extern template class Trainer<float>;
extern template class Trainer<double>;

}  // namespace lanes::fused
