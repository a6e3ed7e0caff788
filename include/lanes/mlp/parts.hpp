// The functions that a network is made of. Each can be replaced by your own; an empty one is the
// library's.
//
//   lanes::NetworkParts parts;
//   parts.sigmoid = [](const lanes::Matrix& x) {
//       return lanes::Matrix(0.5f + 0.5f * xt::tanh(0.5f * x));
//   };
//   parts.add_elementwise = [](const auto& a, const auto& b) {
//       return lanes::add_elementwise(a, b);  // for weights and for biases
//   };
//   lanes::NeuralNetwork network({784, 128, 64, 10}, {}, parts);
#pragma once

#include "lanes/mlp/functions.hpp"

#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

namespace lanes {

template <class T>
using BasicMatmul =
    std::function<xt::xtensor<T, 2>(const xt::xtensor<T, 2>&, const xt::xtensor<T, 2>&)>;
using Matmul = BasicMatmul<float>;

// add_elementwise for lists of matrices (weights) and for lists of vectors (biases).
template <class T>
class AddElementwise {
public:
    AddElementwise() = default;

    template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, AddElementwise>>>
    // NOLINTNEXTLINE(google-explicit-constructor): assigned from a lambda
    AddElementwise(F function) : weights_(function), biases_(function) {}

    // A function template is named twice: parts.add_elementwise = {add_elementwise,
    // add_elementwise};
    using ForWeights = Weights<T> (*)(const Weights<T>&, const Weights<T>&);
    using ForBiases = Biases<T> (*)(const Biases<T>&, const Biases<T>&);
    AddElementwise(ForWeights weights, ForBiases biases) : weights_(weights), biases_(biases) {}

    Weights<T> operator()(const Weights<T>& a, const Weights<T>& b) const { return weights_(a, b); }
    Biases<T> operator()(const Biases<T>& a, const Biases<T>& b) const { return biases_(a, b); }
    explicit operator bool() const { return static_cast<bool>(weights_); }

    const std::function<Weights<T>(const Weights<T>&, const Weights<T>&)>& for_weights() const {
        return weights_;
    }
    const std::function<Biases<T>(const Biases<T>&, const Biases<T>&)>& for_biases() const {
        return biases_;
    }

private:
    std::function<Weights<T>(const Weights<T>&, const Weights<T>&)> weights_;
    std::function<Biases<T>(const Biases<T>&, const Biases<T>&)> biases_;
};

template <class T>
struct BasicNetworkParts {
    std::function<xt::xtensor<T, 2>(const xt::xtensor<T, 2>&)> sigmoid;
    std::function<xt::xtensor<T, 2>(const xt::xtensor<T, 2>&)> sigmoid_prime;
    std::function<Weights<T>(const Sizes&, Rng&)> random_weights;
    std::function<Weights<T>(const Sizes&)> zeros_weights;
    std::function<Biases<T>(const Sizes&)> zeros_biases;
    std::function<std::vector<BasicDataset<T>>(const xt::xtensor<T, 2>&, const xt::xtensor<T, 2>&,
                                               std::size_t)>
        create_batches;
    AddElementwise<T> add_elementwise;
    BasicMatmul<T> matmul;
};
using NetworkParts = BasicNetworkParts<float>;

}  // namespace lanes
