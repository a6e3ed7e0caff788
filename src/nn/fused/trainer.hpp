// The library's own training step: forward, backward and update in one go, on all cores, without an
// allocation and without copies of the weights.
//
// Each thread owns some columns of the first layer: of its activations, its errors and its weights.
// The layers above it are small, and each thread computes all of them for itself, with weights of
// its own, which are the same bit by bit: so threads meet once a step, to hand over what they have
// of the first layer. Above a certain size (upper_layers_apart) that would cost more than it saves.
// Then each thread owns columns of every layer, and threads meet wherever activations or errors of
// a whole layer are needed next, and before weights are changed that others still read: five times
// a step for a network with three sets of weights.
//
// The first layer passes over pixels that are 0 (input.hpp).
#pragma once

#include "barrier.hpp"
#include "below.hpp"
#include "input.hpp"
#include "lanes/nn/batch.hpp"
#include "lanes/nn/functions.hpp"
#include "loops.hpp"
#include "packed_set.hpp"
#include "team.hpp"

#include <array>
#include <deque>
#include <memory>
#include <vector>

namespace lanes::fused {

// What one step computes, layer by layer; index 0 stays empty, it is the input's.
template <class T>
struct Layers {
    Layers(const Sizes& sizes, std::size_t images);
    std::vector<Padded<T>> activations, primes, errors;
};

// What is trained, layer by layer; index 0 stays empty.
template <class T>
struct Parameters {
    std::vector<Panels<T>> weights;  // [layer]: (sizes[layer - 1], sizes[layer])
    std::vector<Padded<T>> biases;   // [layer]: (1, sizes[layer])
};

template <class T>
class Trainer {
public:
    Trainer(const Sizes& sizes, const Weights<T>& weights, const Biases<T>& biases);
    Trainer(Trainer&&) noexcept;
    ~Trainer();

    // Steps over the batches; gives the summed loss. Where the number of threads is left open (0),
    // one thread and all are tried, and the faster way goes on: on a machine that is busy, threads
    // that wait for each other are slower than one. The weights are the same, bit by bit, for every
    // number of threads.
    double run(const std::vector<BasicBatch<T>>& batches, T learning_rate, int threads);

    // The same while the caller does something else: start, and then wait, which gives the loss. A
    // second start may come before the first wait, so that threads go on without a pause. The
    // batches have to stay where they are until then.
    void start(const std::vector<BasicBatch<T>>& batches, T learning_rate, int threads);
    bool is_done() const { return team_->is_done(); }  // the next wait would be back at once
    double wait();

    // x: (images, pixels) -> (images, classes)
    xt::xtensor<T, 2> predict(const xt::xtensor<T, 2>& x, int threads) const;

    void store(Weights<T>& weights, Biases<T>& biases) const;

private:
    struct Shared;

    struct Go {
        const std::vector<BasicBatch<T>>* batches;
        std::size_t first, last;
        T learning_rate;
        std::vector<double> losses;  // of each thread
    };

    double run_on(unsigned threads, const std::vector<BasicBatch<T>>& batches, std::size_t first,
                  std::size_t last, T learning_rate);
    Team& use_team(unsigned threads, Caller caller);
    void use_shared(unsigned threads, std::size_t images);
    Columns share(std::size_t layer, unsigned thread, unsigned threads) const;
    unsigned useful_threads(int requested) const;
    bool upper_layers_apart(std::size_t images) const;
    void copy_upper_layers(Parameters<T>& to) const;
    void forward(std::size_t layer, const Parameters<T>& parameters, const Input<T>& input,
                 Layers<T>& layers, std::size_t images, Columns mine) const;
    double output_errors(const Padded<T>& labels, Layers<T>& layers, std::size_t images,
                         Columns mine) const;
    void errors_below(std::size_t layer, const Parameters<T>& parameters, Layers<T>& layers,
                      std::size_t images, Columns mine, Below<T>& below) const;
    void update(std::size_t layer, Parameters<T>& parameters, const Layers<T>& layers,
                std::size_t images, Columns mine, T learning_rate, Panels<T>& slopes) const;
    void update_first(const Input<T>& input, const Layers<T>& layers, std::size_t images,
                      Columns mine, T learning_rate, Panels<T>& slopes, const T* next);
    void update_biases(std::size_t layer, Parameters<T>& parameters, const Layers<T>& layers,
                       std::size_t images, Columns mine, T learning_rate) const;
    void hand_over(Shared& shared, unsigned thread, std::size_t turn, std::size_t images) const;
    void work(Shared& shared, Go& go, unsigned thread);

    Sizes sizes_;
    std::size_t last_layer_;
    Parameters<T> parameters_;
    std::unique_ptr<Shared> shared_;  // of the last go: memory that is asked for again and again
                                      // costs as much as a batch
    std::deque<Go> goes_;             // that were started and not waited for
    std::unique_ptr<Team> team_;  // once more than one thread is wanted, or one beside the caller;
                                  // ends before what it works on
    unsigned chosen_ = 0;         // number of threads that was faster; 0: not tried yet
};

extern template class Trainer<float>;
extern template class Trainer<double>;

}  // namespace lanes::fused
