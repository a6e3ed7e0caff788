// The fused training step: forward, backward and update together, on several threads, without
// allocations and without copies of the weights.
//
// How threads share the work. Each thread owns some columns of the first layer: of its activations,
// errors and weights. The layers above are usually small. Then each thread computes all of them
// redundantly, with its own copy of their weights, which stay equal bit by bit. So there is one
// barrier per step, where the threads exchange the activations of the first layer.
//
// If the upper layers are large (computes_upper_redundantly), that would cost more than it saves.
// Then each thread owns columns of every layer. There is a barrier whenever the activations or
// errors of a whole layer are needed next, and before weights are changed that others still read:
// five barriers per step for a network with three layers of weights.
//
// The first layer skips pixels that are 0 (input.hpp).
#pragma once

#include "lanes/mlp/batch.hpp"
#include "lanes/mlp/functions.hpp"
#include "mlp/fused/backprop_product.hpp"
#include "mlp/fused/barrier.hpp"
#include "mlp/fused/fused.hpp"
#include "mlp/fused/input.hpp"
#include "mlp/fused/loops.hpp"
#include "mlp/fused/packed_set.hpp"
#include "mlp/fused/team.hpp"

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace lanes::fused {

// The results of one step, [layer]: (images, sizes[layer]); index 0, the input, stays empty.
template <class T>
struct Layers {
    Layers(const Sizes& sizes, std::size_t images);
    std::vector<Padded<T>> activations;
    std::vector<Padded<T>> primes;  // sigmoid_prime of the weighted inputs
    std::vector<Padded<T>> errors;
};

// What is trained; index 0 stays empty.
template <class T>
struct Parameters {
    std::vector<Panels<T>> weights;  // [layer]: (sizes[layer - 1], sizes[layer])
    std::vector<Padded<T>> biases;   // [layer]: (1, sizes[layer])
};

template <class T>
class Trainer : public Network<T> {
public:
    using typename Network<T>::Batches;

    Trainer(const Sizes& sizes, const Weights<T>& weights, const Biases<T>& biases);
    Trainer(Trainer&&) noexcept;
    ~Trainer() override;

    double train(const Batches& batches, T learning_rate, std::optional<int> threads) override;
    void start(const Batches& batches, T learning_rate, std::optional<int> threads) override;
    bool is_done() const override { return team_->is_done(); }
    double wait() override;
    xt::xtensor<T, 2> predict(const xt::xtensor<T, 2>& x,
                              std::optional<int> threads) const override;

    void store(Weights<T>& weights, Biases<T>& biases) const override;
    std::unique_ptr<Validation<T>> make_validation(const BasicDataset<T>& data,
                                                   std::optional<int> threads) const override;

private:
    struct Shared;

    struct BatchGroup {
        const std::vector<BasicBatch<T>>* batches;
        std::size_t first;  // batches first, …, last - 1
        std::size_t last;
        T learning_rate;
        std::vector<double> losses;  // one per thread
    };

    double run_on(unsigned threads, const std::vector<BasicBatch<T>>& batches, std::size_t first,
                  std::size_t last, T learning_rate);
    Team& use_team(unsigned threads, Caller caller);
    void use_shared(unsigned threads, std::size_t images);
    Columns share(std::size_t layer, unsigned thread, unsigned threads) const;
    unsigned useful_threads(std::optional<int> requested) const;
    bool computes_upper_redundantly(std::size_t images) const;
    void copy_upper_layers(Parameters<T>& to) const;
    void forward(std::size_t layer, const Parameters<T>& parameters, const Input<T>& input,
                 Layers<T>& layers, std::size_t images, Columns mine) const;
    double output_errors(const Padded<T>& labels, Layers<T>& layers, std::size_t images,
                         Columns mine) const;
    void errors_below(std::size_t layer, const Parameters<T>& parameters, Layers<T>& layers,
                      std::size_t images, Columns mine, BackpropProduct<T>& below) const;
    void update(std::size_t layer, Parameters<T>& parameters, const Layers<T>& layers,
                std::size_t images, Columns mine, T learning_rate, Panels<T>& scaled_errors) const;
    void update_first(const Input<T>& input, const Layers<T>& layers, std::size_t images,
                      Columns mine, T learning_rate, Panels<T>& scaled_errors, const T* next);
    void update_biases(std::size_t layer, Parameters<T>& parameters, const Layers<T>& layers,
                       std::size_t images, Columns mine, T learning_rate) const;
    void exchange_first_layer(Shared& shared, unsigned thread, std::size_t turn,
                              std::size_t images) const;
    void work(Shared& shared, BatchGroup& group, unsigned thread);

    Sizes sizes_;
    std::size_t last_layer_;
    Parameters<T> parameters_;

    // Kept from group to group: allocating it again would cost as much as a batch.
    std::unique_ptr<Shared> shared_;

    std::deque<BatchGroup> groups_;  // started and not waited for yet

    std::optional<unsigned> fastest_;  // number of threads; empty: not tried yet

    // Exists once a second thread is needed. Declared last: its threads use the members above.
    std::unique_ptr<Team> team_;
};

extern template class Trainer<float>;
extern template class Trainer<double>;

}  // namespace lanes::fused
