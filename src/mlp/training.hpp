// One call of NeuralNetwork::fit: the loop over epochs and batches, validation and reports.
#pragma once

#include "lanes/mlp/network.hpp"
#include "mlp/batch_source.hpp"
#include "mlp/fast_step.hpp"
#include "mlp/plain_step.hpp"

#include <cstddef>
#include <memory>

namespace lanes::detail {

template <class T>
class Training {
public:
    using Network = BasicNeuralNetwork<T>;
    using Data = BasicDataset<T>;

    // validation: empty if there is none. All of them must outlive this object.
    Training(Network& network, const Data& training, const Data& validation, std::size_t epochs);

    void run();

private:
    double train_epoch(std::size_t epoch);  // the mean loss per image
    double train_batch(const BasicNetworkParts<T>& parts, const BasicBatch<T>& batch);

    Network& network_;
    const Data& validation_;
    std::size_t epochs_;
    std::unique_ptr<BatchSource<T>> source_;

    // Kept from step to step: allocating their memory again would cost as much as the products.
    FastStep<T> fast_;
    plain::Gradients<T> gradients_{};
};

}  // namespace lanes::detail
