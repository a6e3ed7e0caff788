// One training step, written down as in a textbook. For a batch of n images and a layer with
// weights W: (inputs, outputs) and biases b: (outputs):
//
//   forward      z = a_in W + b               (n, outputs)
//                a = sigmoid(z)               (n, outputs), a_in of the next layer
//   loss         sum((a - y)^2) / 2           of the last layer
//   backward     error = (a - y) * sigmoid_prime(z)    (n, outputs), in the last layer
//                dW = a_in^T error            (inputs, outputs)
//                db = sum of error's rows     (outputs)
//                error = (error W^T) * sigmoid_prime(z_in)   (n, inputs), for the layer below
//   update       W -= learning_rate * dW, b -= learning_rate * db
//
// The products are those of the part `matmul`, by default the BLAS.
#include "mlp/plain_step.hpp"

#include "lanes/array/blas.hpp"
#include "lanes/mlp/sigmoid.hpp"

#include <algorithm>
#include <array>

namespace lanes::plain {

namespace {

template <class T>
using Array = xt::xtensor<T, 2>;

// A part that the user has written may return an array of any shape. It is checked before it is
// used, because a wrong shape would lead to a read out of bounds.
template <class T>
void require_shape(const char* part, const Array<T>& array, std::size_t rows, std::size_t columns) {
    LANES_REQUIRE(array.shape(0) == rows && array.shape(1) == columns, "NeuralNetwork: ", part,
                  " gave an array of shape ", array.shape(), ", expected (", rows, ", ", columns,
                  "). Check your function ", part, ".");
}

// a: (m, k), b: (k, n) -> (m, n)
template <class T>
Array<T> times(const BasicNetworkParts<T>& parts, const Array<T>& a, const Array<T>& b) {
    Array<T> product = parts.matmul(a, b);
    require_shape("matmul", product, a.shape(0), b.shape(1));
    return product;
}

// (m, n) -> (n, m), in blocks of rows: whole cache lines are read and written.
template <class T>
Array<T> transposed(const Array<T>& a) {
    const std::size_t rows = a.shape(0);
    const std::size_t columns = a.shape(1);
    Array<T> result(std::array<std::size_t, 2>{columns, rows});
    constexpr std::size_t block = 16;  // a cache line of floats
    for (std::size_t i = 0; i < rows; i += block)
        for (std::size_t j = 0; j < columns; ++j)
            for (std::size_t k = i; k < std::min(rows, i + block); ++k)
                result.data()[j * rows + k] = a.data()[k * columns + j];
    return result;
}

// z: (batch, n) += biases: (n), to each row
template <class T>
void add_to_rows(Array<T>& z, const xt::xtensor<T, 1>& biases) {
    const std::size_t n = z.shape(1);
    for (std::size_t i = 0; i < z.shape(0); ++i)
        for (std::size_t j = 0; j < n; ++j) z.data()[i * n + j] += biases.data()[j];
}

// (m, n) -> (n)
template <class T>
xt::xtensor<T, 1> sum_of_rows(const Array<T>& a) {
    const std::size_t n = a.shape(1);
    xt::xtensor<T, 1> sums(std::array<std::size_t, 1>{n}, T{0});
    for (std::size_t i = 0; i < a.shape(0); ++i)
        for (std::size_t j = 0; j < n; ++j) sums.data()[j] += a.data()[i * n + j];
    return sums;
}

// Element by element; both have the same shape.
template <class T>
void multiply_by(Array<T>& a, const Array<T>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] *= b.data()[i];
}

template <class Arrays, class T>
void descend(Arrays& values, const Arrays& gradients, T learning_rate) {
    LANES_REQUIRE(values.size() == gradients.size(), "NeuralNetwork: ", gradients.size(),
                  " arrays of gradients for ", values.size(),
                  " layers. Check add_elementwise and the zeros that it starts from.");
    for (std::size_t layer = 0; layer < values.size(); ++layer) {
        LANES_REQUIRE(values[layer].shape() == gradients[layer].shape(),
                      "NeuralNetwork: gradients of shape ", gradients[layer].shape(), " for ",
                      values[layer].shape(), " in layer ", layer,
                      ". Check add_elementwise and the zeros that it starts from.");
        for (std::size_t i = 0; i < values[layer].size(); ++i)
            values[layer].data()[i] -= learning_rate * gradients[layer].data()[i];
    }
}

template <class T>
Array<T> weighted_input(const BasicNetworkParts<T>& parts, const Array<T>& a,
                        const Array<T>& weights, const xt::xtensor<T, 1>& biases) {
    Array<T> z = times(parts, a, weights);
    add_to_rows(z, biases);
    return z;
}

template <class T>
Array<T> activation(const BasicNetworkParts<T>& parts, const Array<T>& z) {
    Array<T> a = parts.sigmoid(z);
    require_shape("sigmoid", a, z.shape(0), z.shape(1));
    return a;
}

template <class T>
Array<T> slope(const BasicNetworkParts<T>& parts, const Array<T>& z) {
    Array<T> prime = parts.sigmoid_prime(z);
    require_shape("sigmoid_prime", prime, z.shape(0), z.shape(1));
    return prime;
}

}  // namespace

template <class T>
BasicNetworkParts<T> with_defaults(BasicNetworkParts<T> parts) {
    if (!parts.sigmoid) parts.sigmoid = [](const Array<T>& x) { return sigmoid(x); };
    if (!parts.sigmoid_prime)
        parts.sigmoid_prime = [](const Array<T>& x) { return sigmoid_prime(x); };
    if (!parts.random_weights)
        parts.random_weights = [](const Sizes& sizes, Rng& rng) {
            return random_weights<T>(sizes, rng);
        };
    if (!parts.zeros_biases)
        parts.zeros_biases = [](const Sizes& sizes) { return zeros_biases<T>(sizes); };
    if (!parts.matmul)
        parts.matmul = [](const Array<T>& a, const Array<T>& b) { return matmul(a, b); };
    // Adding the gradients to zeros changes nothing. It is done only if the user has written
    // add_elementwise or zeros_weights.
    if (parts.add_elementwise && !parts.zeros_weights)
        parts.zeros_weights = [](const Sizes& sizes) { return zeros_weights<T>(sizes); };
    if (parts.zeros_weights && !parts.add_elementwise)
        parts.add_elementwise = [](const auto& a, const auto& b) { return add_elementwise(a, b); };
    return parts;
}

template <class T>
xt::xtensor<T, 2> forward(const BasicNetworkParts<T>& parts, const Weights<T>& weights,
                          const Biases<T>& biases, const xt::xtensor<T, 2>& x) {
    Array<T> a;
    for (std::size_t layer = 0; layer < weights.size(); ++layer) {
        const Array<T>& input = layer == 0 ? x : a;
        a = activation(parts, weighted_input(parts, input, weights[layer], biases[layer]));
    }
    return a;
}

template <class T>
Gradients<T> gradients(const BasicNetworkParts<T>& parts, const Sizes& sizes,
                       const Weights<T>& weights, const Biases<T>& biases,
                       const BasicDataset<T>& batch) {
    const std::size_t layers = weights.size();
    std::vector<Array<T>> z;  // [layer]: (n, sizes[layer + 1]), weighted inputs
    std::vector<Array<T>> a;  // [layer]: the same shape, activations
    const auto input = [&](std::size_t layer) -> const Array<T>& {
        return layer == 0 ? batch.x : a[layer - 1];
    };
    for (std::size_t layer = 0; layer < layers; ++layer) {
        z.push_back(weighted_input(parts, input(layer), weights[layer], biases[layer]));
        a.push_back(activation(parts, z[layer]));
    }
    Gradients<T> result{Weights<T>(layers), Biases<T>(layers), 0};
    Array<T> error = a.back() - batch.y;  // (batch, sizes.back())
    for (const T difference : error)
        result.loss += 0.5 * static_cast<double>(difference) * static_cast<double>(difference);
    for (std::size_t layer = layers; layer-- > 0;) {
        multiply_by(error, slope(parts, z[layer]));
        result.weights[layer] = times(parts, transposed(input(layer)), error);
        result.biases[layer] = sum_of_rows(error);
        if (layer > 0) error = times(parts, error, transposed(weights[layer]));
    }
    if (parts.add_elementwise) {
        result.weights = parts.add_elementwise(parts.zeros_weights(sizes), result.weights);
        result.biases = parts.add_elementwise(parts.zeros_biases(sizes), result.biases);
    }
    return result;
}

template <class T>
double step(const BasicNetworkParts<T>& parts, const Sizes& sizes, Weights<T>& weights,
            Biases<T>& biases, const BasicDataset<T>& batch, T learning_rate,
            Gradients<T>& gradients) {
    gradients = plain::gradients(parts, sizes, weights, biases, batch);
    descend(weights, gradients.weights, learning_rate);
    descend(biases, gradients.biases, learning_rate);
    return gradients.loss;
}

#define LANES_FOR(T)                                                                              \
    template BasicNetworkParts<T> with_defaults(BasicNetworkParts<T>);                            \
    template xt::xtensor<T, 2> forward(const BasicNetworkParts<T>&, const Weights<T>&,            \
                                       const Biases<T>&, const xt::xtensor<T, 2>&);               \
    template Gradients<T> gradients(const BasicNetworkParts<T>&, const Sizes&, const Weights<T>&, \
                                    const Biases<T>&, const BasicDataset<T>&);                    \
    template double step(const BasicNetworkParts<T>&, const Sizes&, Weights<T>&, Biases<T>&,      \
                         const BasicDataset<T>&, T, Gradients<T>&);
LANES_FOR(float)
LANES_FOR(double)
#undef LANES_FOR

}  // namespace lanes::plain
