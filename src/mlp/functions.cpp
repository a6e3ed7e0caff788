#include "lanes/mlp/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanes {

namespace {

using Shape = std::array<std::size_t, 2>;

void require_layers(const char* operation, const Sizes& sizes) {
    LANES_REQUIRE(sizes.size() >= 2, operation, ": sizes ", sizes,
                  ". A network has at least two layers, the first one for the input.");
    for (const std::size_t size : sizes)
        LANES_REQUIRE(size > 0, operation, ": sizes ", sizes,
                      ". Each layer needs at least one neuron.");
}

void fill(Rng& rng, xt::xtensor<float, 2>& array, float limit) {
    rng.fill_uniform(array.data(), array.size(), -limit, limit);
}

void fill(Rng& rng, xt::xtensor<double, 2>& array, double limit) {
    for (double& value : array) value = rng.uniform(-limit, limit);
}

}  // namespace

template <class T>
xt::xtensor<T, 2> xavier_initialization(std::size_t m, std::size_t n, Rng& rng) {
    LANES_REQUIRE(m > 0 && n > 0, "xavier_initialization: ", m, " times ", n,
                  " weights. Both must be at least 1.");
    xt::xtensor<T, 2> weights(Shape{m, n});
    fill(rng, weights, T{1} / std::sqrt(static_cast<T>(m)));
    return weights;
}

template <class T>
Weights<T> random_weights(const Sizes& sizes, Rng& rng) {
    require_layers("random_weights", sizes);
    Weights<T> weights;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
        weights.push_back(xavier_initialization<T>(sizes[i], sizes[i + 1], rng));
    return weights;
}

template <class T>
Weights<T> zeros_weights(const Sizes& sizes) {
    require_layers("zeros_weights", sizes);
    Weights<T> weights;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
        weights.emplace_back(Shape{sizes[i], sizes[i + 1]}, T{0});
    return weights;
}

template <class T>
Biases<T> zeros_biases(const Sizes& sizes) {
    require_layers("zeros_biases", sizes);
    Biases<T> biases;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
        biases.emplace_back(std::array<std::size_t, 1>{sizes[i + 1]}, T{0});
    return biases;
}

template <class T>
std::vector<BasicDataset<T>> create_batches(const xt::xtensor<T, 2>& data,
                                            const xt::xtensor<T, 2>& labels,
                                            std::size_t batch_size) {
    LANES_REQUIRE(data.shape(0) == labels.shape(0), "create_batches: ", data.shape(0),
                  " images but ", labels.shape(0), " labels. Give one label for each image.");
    LANES_REQUIRE(batch_size > 0, "create_batches: batches of 0 images. Give at least 1.");
    const std::size_t count = data.shape(0), width = data.shape(1), classes = labels.shape(1);
    std::vector<BasicDataset<T>> batches;
    for (std::size_t first = 0; first < count; first += batch_size) {
        const std::size_t rows = std::min(batch_size, count - first);
        BasicDataset<T> batch{xt::xtensor<T, 2>(Shape{rows, width}),
                              xt::xtensor<T, 2>(Shape{rows, classes})};
        std::copy_n(data.data() + first * width, rows * width, batch.x.data());
        std::copy_n(labels.data() + first * classes, rows * classes, batch.y.data());
        batches.push_back(std::move(batch));
    }
    return batches;
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type takes none
#define LANES_FOR(T)                                                                     \
    template xt::xtensor<T, 2> xavier_initialization<T>(std::size_t, std::size_t, Rng&); \
    template Weights<T> random_weights<T>(const Sizes&, Rng&);                           \
    template Weights<T> zeros_weights<T>(const Sizes&);                                  \
    template Biases<T> zeros_biases<T>(const Sizes&);                                    \
    template std::vector<BasicDataset<T>> create_batches(const xt::xtensor<T, 2>&,       \
                                                         const xt::xtensor<T, 2>&, std::size_t);
LANES_FOR(float)
LANES_FOR(double)
#undef LANES_FOR
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace lanes
