#include "lanes/lesson/spare_network.hpp"

#include "lanes/array/blas.hpp"
#include "lanes/mlp/functions.hpp"
#include "lanes/mlp/network.hpp"
#include "lanes/mlp/sigmoid.hpp"

#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xview.hpp>

#include <algorithm>

namespace lanes::spare {

Matrix sigmoid(const Matrix& x) { return lanes::sigmoid(x); }
Matrix sigmoid_prime(const Matrix& x) { return lanes::sigmoid_prime(x); }
Weights<float> random_weights(const Sizes& sizes, Rng& rng) {
    return lanes::random_weights<float>(sizes, rng);
}
Weights<float> zeros_weights(const Sizes& sizes) { return lanes::zeros_weights<float>(sizes); }
Biases<float> zeros_biases(const Sizes& sizes) { return lanes::zeros_biases<float>(sizes); }

Parameters sum(const Parameters& a, const Parameters& b) {
    return {add_elementwise(a.weights, b.weights), add_elementwise(a.biases, b.biases)};
}

Pass forward(const Matrix& x, const Parameters& network) {
    Pass pass{{}, {x}};
    for (std::size_t l = 0; l < network.weights.size(); ++l) {
        pass.z.emplace_back(lanes::matmul(pass.a[l], network.weights[l]) + network.biases[l]);
        pass.a.push_back(sigmoid(pass.z[l]));
    }
    return pass;
}

double loss(const Matrix& a, const Matrix& y) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double error = static_cast<double>(a.flat(i)) - static_cast<double>(y.flat(i));
        sum += error * error;
    }
    return sum / 2;
}

Parameters backward(const Pass& pass, const Matrix& y, const Weights<float>& weights) {
    Parameters d{Weights<float>(weights.size()), Biases<float>(weights.size())};
    Matrix delta = (pass.a.back() - y) * sigmoid_prime(pass.z.back());
    for (std::size_t l = weights.size(); l-- > 0;) {
        d.weights[l] = lanes::matmul(Matrix(xt::transpose(pass.a[l])), delta);
        d.biases[l] = xt::sum(delta, {0});
        if (l == 0) break;
        const Matrix back = xt::transpose(weights[l]);
        delta = lanes::matmul(delta, back) * sigmoid_prime(pass.z[l - 1]);
    }
    return d;
}

double numerical_gradient(const LossOfWeights& loss_of, Weights<float> weights, std::size_t l,
                          std::size_t i, std::size_t j, float h) {
    const float w = weights[l](i, j);
    weights[l](i, j) = w + h;
    const double more = loss_of(weights);
    weights[l](i, j) = w - h;
    return (more - loss_of(weights)) / (2 * static_cast<double>(h));
}

void descend(Parameters& network, const Parameters& gradients, float rate) {
    for (std::size_t l = 0; l < network.weights.size(); ++l) {
        network.weights[l] -= rate * gradients.weights[l];
        network.biases[l] -= rate * gradients.biases[l];
    }
}

void fit(Parameters& network, const Dataset& training, std::size_t epochs, float rate, Rng& rng) {
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        const Dataset mixed = rows_of(training, rng.permutation(training.size()));
        for (const Dataset& batch : lanes::create_batches(mixed.x, mixed.y, 16)) {
            const Pass pass = forward(batch.x, network);
            descend(network, backward(pass, batch.y, network.weights), rate);
        }
    }
}

namespace {

std::size_t largest(const Matrix& rows, std::size_t i) {  // its column
    std::size_t best = 0;
    for (std::size_t j = 1; j < rows.shape(1); ++j)
        if (rows(i, j) > rows(i, best)) best = j;
    return best;
}

}  // namespace

double accuracy(const Matrix& outputs, const Matrix& labels) {
    std::size_t right = 0;
    for (std::size_t i = 0; i < outputs.shape(0); ++i)
        right += largest(outputs, i) == largest(labels, i) ? 1 : 0;
    return static_cast<double>(right) / static_cast<double>(outputs.shape(0));
}

Matrix confusion(const Matrix& outputs, const Matrix& labels) {
    Matrix counts = xt::zeros<float>({labels.shape(1), labels.shape(1)});
    for (std::size_t i = 0; i < outputs.shape(0); ++i)
        counts(largest(labels, i), largest(outputs, i)) += 1;
    return counts;
}

std::vector<Dataset> create_batches(const Matrix& data, const Matrix& labels,
                                    std::size_t batch_size) {
    return lanes::create_batches(data, labels, batch_size);
}

Matrix matmul(const Matrix& a, const Matrix& b) {
    Matrix c = xt::zeros<float>({a.shape(0), b.shape(1)});
    for (std::size_t i = 0; i < a.shape(0); ++i)
        for (std::size_t k = 0; k < a.shape(1); ++k)
            for (std::size_t j = 0; j < b.shape(1); ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
}

double accuracy_with(double rate, std::uint64_t seed, const Sizes& sizes,
                     const SplitDataset& data) {
    TrainingOptions options;
    options.learning_rate(rate).seed(seed);
    NeuralNetwork net(sizes, options);
    net.fit(slice_of(data.train, 0, std::min<std::size_t>(20000, data.train.size())), 1);
    return net.accuracy(data.validation);
}

}  // namespace lanes::spare
