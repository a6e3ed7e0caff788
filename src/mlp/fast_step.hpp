// The training step of a network whose parts are all the library's. It computes the same as
// mlp/plain_step, but allocates nothing, updates the weights in place and skips inputs that are 0:
// 81 % of MNIST's pixels are.
#pragma once

#include "lanes/mlp/batch.hpp"
#include "lanes/mlp/layer_arrays.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanes {

// The numbers of a matrix (images, columns) that are not 0, column by column.
template <class T>
class NonzeroColumns {
public:
    struct Column {
        std::size_t count;
        const std::uint32_t* images;  // ascending
        const T* values;
    };

    std::size_t size() const { return ends_.size(); }
    Column operator[](std::size_t column) const {
        const std::size_t begin = column == 0 ? 0 : ends_[column - 1];
        return {ends_[column] - begin, images_.data() + begin, values_.data() + begin};
    }

    // row(i): the numbers of image i
    template <class RowOf>
    void take(std::size_t images, std::size_t columns, const RowOf& row);

private:
    std::vector<std::size_t> ends_;  // of the columns, in images_ and values_
    std::vector<std::uint32_t> images_;
    std::vector<T> values_;
};

template <class T>
class FastStep {
public:
    explicit FastStep(std::size_t layers) : layers_(layers) {}

    // One step of gradient descent; returns half the squared error, summed over the batch.
    double train(const BasicBatch<T>& batch, T learning_rate, Weights<T>& weights,
                 Biases<T>& biases);

private:
    // What a layer with weights (inputs, outputs) computes of a batch of n images.
    struct Layer {
        NonzeroColumns<T> inputs;
        std::vector<T> outputs;  // (n, outputs)
        std::vector<T> slopes;   // sigmoid_prime of the weighted inputs, (n, outputs)
        std::vector<T> errors;   // (n, outputs)
    };

    static void forward(Layer& layer, std::size_t images, const xt::xtensor<T, 2>& weights,
                        const xt::xtensor<T, 1>& biases);
    static double compare(Layer& last, const BasicBatch<T>& batch);
    void errors_below(const Layer& layer, std::size_t images, const xt::xtensor<T, 2>& weights,
                      Layer& below);
    static void update(Layer& layer, std::size_t images, T learning_rate,
                       xt::xtensor<T, 2>& weights, xt::xtensor<T, 1>& biases);

    std::vector<Layer> layers_;
    NonzeroColumns<T> errors_;           // of one layer
    std::vector<T> transposed_weights_;  // (outputs, inputs), of one layer
};

}  // namespace lanes
