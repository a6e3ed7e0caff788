#include "networks.hpp"

#include "layer_arrays.hpp"

#include <array>

namespace lanes::exercises::network_check {

using notebook::Judge;
using notebook::Values;

std::string words(const Case& one) {
    return layer_check::words(one.sizes) + ", " + std::to_string(one.rows) +
           (one.rows == 1 ? " row" : " rows");
}

Matrix random_matrix(std::size_t rows, std::size_t columns, Rng& rng, float low, float high) {
    Matrix matrix(std::array<std::size_t, 2>{rows, columns});
    rng.fill_uniform(matrix.data(), matrix.size(), low, high);
    return matrix;
}

Parameters random_parameters(const Sizes& sizes, Rng& rng) {
    Parameters parameters;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        parameters.weights.push_back(random_matrix(sizes[i], sizes[i + 1], rng, -1, 1));
        Vector biases(std::array<std::size_t, 1>{sizes[i + 1]});
        rng.fill_uniform(biases.data(), biases.size(), -1, 1);
        parameters.biases.push_back(biases);
    }
    return parameters;
}

Values all_of(const Parameters& parameters) {
    Values all{{0}, {}};
    const auto add = [&](const auto& list) {
        for (const auto& array : list)
            all.numbers.insert(all.numbers.end(), array.begin(), array.end());
    };
    add(parameters.weights);
    add(parameters.biases);
    all.shape[0] = all.numbers.size();
    return all;
}

void judge_shapes(Judge& judge, const Parameters& got, const Parameters& expected,
                  const std::string& whose) {
    const auto count = [&](std::size_t size, const char* what) {
        judge.same_count(size, expected.weights.size(), std::string(what) + " of " + whose,
                         "One per layer, except the input: as many as network.weights has.");
    };
    count(got.weights.size(), "matrices");
    count(got.biases.size(), "vectors");
    for (std::size_t l = 0; l < expected.weights.size(); ++l) {
        const auto& mine = got.weights[l].shape();
        const auto& right = expected.weights[l].shape();
        const bool turned = mine[0] == right[1] && mine[1] == right[0];
        if (mine != right)
            judge.fail(whose + ".weights[" + std::to_string(l) + "] has shape " +
                           lanes::detail::Part(mine).text() + ", expected " +
                           lanes::detail::Part(right).text() + ".",
                       turned ? "It is transposed: the rows belong to the layer before."
                              : "A gradient has the shape of its weights.");
        const std::size_t length = got.biases[l].shape(0);
        judge.require(length == right[1],
                      whose + ".biases[" + std::to_string(l) + "] has " + std::to_string(length) +
                          " numbers, expected " + std::to_string(right[1]) + ".",
                      "Sum over the rows, one number per neuron: xt::sum(delta, {0}).");
    }
}

}  // namespace lanes::exercises::network_check
