#include "mlp/fast_step.hpp"

#include "lanes/mlp/sigmoid.hpp"

#include <algorithm>

namespace lanes {

namespace {

template <class T>
using Column = typename NonzeroColumns<T>::Column;

// Calls `call` for pieces of [0, width): with the begin of a piece and, as a constant, its length.
// The loops below keep so many numbers in registers.
template <class T, class Call>
void in_pieces(std::size_t width, const Call& call) {
    constexpr std::size_t wide = 256 / sizeof(T);
    constexpr std::size_t narrow = 32 / sizeof(T);
    std::size_t j = 0;
    for (; j + wide <= width; j += wide) call(j, std::integral_constant<std::size_t, wide>());
    for (; j + narrow <= width; j += narrow) call(j, std::integral_constant<std::size_t, narrow>());
    for (; j < width; ++j) call(j, std::integral_constant<std::size_t, 1>());
}

// sums: (images, width) += column · row
template <class T>
void add_column_times_row(const Column<T>& column, const T* row, std::size_t width, T* sums) {
    if (column.count == 0) return;
    in_pieces<T>(width, [&](std::size_t first, auto length) {
        T piece[length];
        for (std::size_t j = 0; j < length; ++j) piece[j] = row[first + j];
        for (std::size_t n = 0; n < column.count; ++n) {
            const T value = column.values[n];
            T* const to = sums + column.images[n] * width + first;
            for (std::size_t j = 0; j < length; ++j) to[j] += value * piece[j];
        }
    });
}

// row: (width) += columnᵀ · matrix
template <class T>
void add_column_times_matrix(const Column<T>& column, const T* matrix, std::size_t width, T* row) {
    if (column.count == 0) return;
    in_pieces<T>(width, [&](std::size_t first, auto length) {
        T piece[length];
        for (std::size_t j = 0; j < length; ++j) piece[j] = row[first + j];
        for (std::size_t n = 0; n < column.count; ++n) {
            const T value = column.values[n];
            const T* const from = matrix + column.images[n] * width + first;
            for (std::size_t j = 0; j < length; ++j) piece[j] += value * from[j];
        }
        for (std::size_t j = 0; j < length; ++j) row[first + j] = piece[j];
    });
}

}  // namespace

template <class T>
template <class RowOf>
void NonzeroColumns<T>::take(std::size_t images, std::size_t columns, const RowOf& row) {
    ends_.resize(columns);
    images_.resize(images * columns + 1);
    values_.resize(images * columns + 1);
    std::size_t count = 0;
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t i = 0; i < images; ++i) {
            const T value = row(i)[column];
            images_[count] = static_cast<std::uint32_t>(i);
            values_[count] = value;
            count += value != 0;  // otherwise the next number overwrites this one
        }
        ends_[column] = count;
    }
}

template <class T>
void FastStep<T>::forward(Layer& layer, std::size_t images, const xt::xtensor<T, 2>& weights,
                          const xt::xtensor<T, 1>& biases) {
    const std::size_t outputs = biases.size();
    layer.outputs.resize(images * outputs);
    layer.slopes.resize(images * outputs);
    for (std::size_t i = 0; i < images; ++i)
        std::copy_n(biases.data(), outputs, layer.outputs.data() + i * outputs);
    for (std::size_t input = 0; input < layer.inputs.size(); ++input)
        add_column_times_row(layer.inputs[input], weights.data() + input * outputs, outputs,
                             layer.outputs.data());
    for (std::size_t i = 0; i < images * outputs; ++i) {
        const auto [value, prime] = detail::sigmoid_and_prime<T>(layer.outputs[i]);
        layer.outputs[i] = value;
        layer.slopes[i] = prime;
    }
}

template <class T>
double FastStep<T>::compare(Layer& last, const BasicBatch<T>& batch) {
    const std::size_t classes = batch.classes();
    last.errors.resize(last.outputs.size());
    double loss = 0;
    for (std::size_t i = 0; i < batch.size(); ++i)
        for (std::size_t j = 0; j < classes; ++j) {
            const T difference = last.outputs[i * classes + j] - batch.y(i)[j];
            loss += 0.5 * static_cast<double>(difference) * static_cast<double>(difference);
            last.errors[i * classes + j] = difference * last.slopes[i * classes + j];
        }
    return loss;
}

template <class T>
void FastStep<T>::errors_below(const Layer& layer, std::size_t images,
                               const xt::xtensor<T, 2>& weights, Layer& below) {
    const std::size_t inputs = weights.shape(0);
    const std::size_t outputs = weights.shape(1);
    transposed_weights_.resize(weights.size());
    for (std::size_t input = 0; input < inputs; ++input)
        for (std::size_t output = 0; output < outputs; ++output)
            transposed_weights_[output * inputs + input] = weights.data()[input * outputs + output];
    errors_.take(images, outputs, [&](std::size_t i) { return layer.errors.data() + i * outputs; });
    below.errors.assign(images * inputs, 0);
    for (std::size_t output = 0; output < outputs; ++output)
        add_column_times_row(errors_[output], transposed_weights_.data() + output * inputs, inputs,
                             below.errors.data());
    for (std::size_t i = 0; i < below.errors.size(); ++i) below.errors[i] *= below.slopes[i];
}

template <class T>
void FastStep<T>::update(Layer& layer, std::size_t images, T learning_rate,
                         xt::xtensor<T, 2>& weights, xt::xtensor<T, 1>& biases) {
    const std::size_t outputs = biases.size();
    for (T& error : layer.errors) error *= -learning_rate;
    for (std::size_t i = 0; i < images; ++i)
        for (std::size_t j = 0; j < outputs; ++j) biases.data()[j] += layer.errors[i * outputs + j];
    for (std::size_t input = 0; input < layer.inputs.size(); ++input)
        add_column_times_matrix(layer.inputs[input], layer.errors.data(), outputs,
                                weights.data() + input * outputs);
}

template <class T>
double FastStep<T>::train(const BasicBatch<T>& batch, T learning_rate, Weights<T>& weights,
                          Biases<T>& biases) {
    const std::size_t images = batch.size();
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        const std::size_t inputs = weights[l].shape(0);
        layers_[l].inputs.take(images, inputs, [&](std::size_t i) {
            return l == 0 ? batch.x(i) : layers_[l - 1].outputs.data() + i * inputs;
        });
        forward(layers_[l], images, weights[l], biases[l]);
    }
    const double loss = compare(layers_.back(), batch);
    for (std::size_t l = layers_.size(); l-- > 0;) {
        if (l > 0) errors_below(layers_[l], images, weights[l], layers_[l - 1]);
        update(layers_[l], images, learning_rate, weights[l], biases[l]);
    }
    return loss;
}

template class FastStep<float>;
template class FastStep<double>;

}  // namespace lanes
