// What a network is made of, each part exchangeable: one's own seven functions and one's own
// matmul. A part that is empty is the library's.
//
//   lanes::NetworkParts parts;
//   parts.sigmoid = my_sigmoid;
//   // a template: once for weights, once for biases
//   parts.add_elementwise = {my_add_elementwise, my_add_elementwise};
//   network.use(parts);
#pragma once

#include "lanes/nn/functions.hpp"

#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

namespace lanes {

template <class T>
using BasicMatmul =
    std::function<xt::xtensor<T, 2>(const xt::xtensor<T, 2>&, const xt::xtensor<T, 2>&)>;
using Matmul = BasicMatmul<float>;

// One function for lists of matrices and for lists of vectors: weights and biases are summed by the
// same code.
template <class T>
class AddElementwise {
public:
    AddElementwise() = default;

    template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, AddElementwise>>>
    AddElementwise(F function)
        : weights_(function),
          biases_(function) {}  // NOLINT(google-explicit-constructor): assigned from a lambda

    // A function template, named twice: parts.add_elementwise = {add_elementwise, add_elementwise};
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
    std::function<xt::xtensor<T, 2>(const xt::xtensor<T, 2>&)> sigmoid, sigmoid_prime;
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
