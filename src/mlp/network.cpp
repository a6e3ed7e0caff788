#include "lanes/mlp/network.hpp"

#include "mlp/batch_source.hpp"
#include "mlp/plain_step.hpp"
#include "mlp/training.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace lanes {

namespace {

template <class T>
void require_shapes(const char* operation, const Sizes& sizes, const Weights<T>& weights,
                    const Biases<T>& biases) {
    const std::size_t layers = sizes.size() - 1;
    LANES_REQUIRE(weights.size() == layers && biases.size() == layers, operation, ": ",
                  weights.size(), " arrays of weights and ", biases.size(),
                  " of biases for a network of sizes ", sizes, ". Give ", layers, " of each.");
    for (std::size_t i = 0; i < layers; ++i) {
        LANES_REQUIRE(weights[i].shape(0) == sizes[i] && weights[i].shape(1) == sizes[i + 1],
                      operation, ": weights ", i, " have shape ", weights[i].shape(),
                      ", expected (", sizes[i], ", ", sizes[i + 1], ") in a network of sizes ",
                      sizes, ".");
        LANES_REQUIRE(biases[i].shape(0) == sizes[i + 1], operation, ": biases ", i, " have shape ",
                      biases[i].shape(), ", expected (", sizes[i + 1], ") in a network of sizes ",
                      sizes, ".");
    }
}

template <class T>
std::size_t index_of_largest(const T* values, std::size_t count) {
    return static_cast<std::size_t>(std::max_element(values, values + count) - values);
}

std::vector<std::size_t> part_of(const std::vector<std::size_t>& all, std::size_t first,
                                 std::size_t last) {
    return {all.begin() + static_cast<std::ptrdiff_t>(first),
            all.begin() + static_cast<std::ptrdiff_t>(last)};
}

// Each batch has different images, all equally likely: it is the beginning of a random shuffle.
template <class T>
std::vector<BasicBatch<T>> random_batches(const BasicDataset<T>& training, std::size_t batches,
                                          std::size_t batch_size, Rng& rng) {
    const std::size_t count = training.size();
    LANES_REQUIRE(batch_size <= count, "NeuralNetwork::create_batches: batches of ", batch_size,
                  " different images from ", count, ". Take smaller batches or more images.");
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<BasicBatch<T>> result;
    for (std::size_t number = 0; number < batches; ++number) {
        for (std::size_t i = 0; i < batch_size; ++i) {
            const auto first = static_cast<std::int64_t>(i);
            const auto last = static_cast<std::int64_t>(count) - 1;
            std::swap(order[i], order[static_cast<std::size_t>(rng.integer(first, last))]);
        }
        result.emplace_back(training, part_of(order, 0, batch_size));
    }
    return result;
}

}  // namespace

template <class T>
BasicNeuralNetwork<T>::BasicNeuralNetwork(Sizes sizes, TrainingOptions options, Parts parts)
    : sizes_(std::move(sizes)), options_(options), rng_(Rng(options.seed()).split(1)) {
    LANES_REQUIRE(options_.batch_size() > 0,
                  "NeuralNetwork: batches of 0 images. Set options.batch_size(16), or another "
                  "number from 1 on.");
    LANES_REQUIRE(options_.learning_rate() > 0 && options_.learning_rate() < 1e6,
                  "NeuralNetwork: learning rate ", options_.learning_rate(),
                  ". Set a number above 0, such as options.learning_rate(0.1).");
    LANES_REQUIRE(options_.batches_per_epoch() != 0u,
                  "NeuralNetwork: 0 batches per epoch. Set options.batches_per_epoch to at least "
                  "1, or leave it empty to take every image once per epoch.");
    use(std::move(parts));
}

template <class T>
void BasicNeuralNetwork<T>::use(Parts parts) {
    const Parts all = plain::with_defaults(parts);
    Rng rng = Rng(options_.seed()).split(0);
    Weights<T> weights = all.random_weights(sizes_, rng);
    Biases<T> biases = all.zeros_biases(sizes_);
    require_shapes("NeuralNetwork", sizes_, weights, biases);
    parts_ = std::move(parts);
    weights_ = std::move(weights);
    biases_ = std::move(biases);
    history_.clear();
    from_scratch_ = true;
}

template <class T>
bool BasicNeuralNetwork<T>::uses_fast_step() const {
    return !parts_.matmul && !parts_.sigmoid && !parts_.sigmoid_prime && !parts_.zeros_weights &&
           !parts_.zeros_biases && !parts_.add_elementwise;
}

template <class T>
void BasicNeuralNetwork<T>::require_fits(const char* operation, const Data& data) const {
    LANES_REQUIRE(data.x.shape(0) == data.y.shape(0), operation, ": ", data.x.shape(0),
                  " images but ", data.y.shape(0), " labels. Give one label for each image.");
    LANES_REQUIRE(data.x.shape(1) == sizes_.front() && data.y.shape(1) == sizes_.back(), operation,
                  ": images ", data.x.shape(), " and labels ", data.y.shape(),
                  " for a network of sizes ", sizes_, ". Images need ", sizes_.front(),
                  " columns, labels ", sizes_.back(), ".");
}

template <class T>
std::vector<BasicBatch<T>> BasicNeuralNetwork<T>::create_batches(const Data& training) {
    const std::size_t count = training.size();
    const std::size_t batch_size = options_.batch_size();
    if (const auto batches = options_.batches_per_epoch())
        return random_batches(training, *batches, batch_size, rng_);

    std::vector<BasicBatch<T>> batches;
    const std::vector<std::size_t> order = rng_.permutation(count);
    if (parts_.create_batches) {
        const Data shuffled = rows_of(training, order);
        for (Data& batch : parts_.create_batches(shuffled.x, shuffled.y, batch_size)) {
            require_fits("NeuralNetwork::create_batches", batch);
            batches.emplace_back(std::move(batch));
        }
        return batches;
    }
    for (std::size_t first = 0; first < count; first += batch_size)
        batches.emplace_back(training, part_of(order, first, std::min(count, first + batch_size)));
    return batches;
}

template <class T>
std::unique_ptr<detail::BatchSource<T>> BasicNeuralNetwork<T>::make_batch_source(
    const Data& training, std::size_t /*epochs*/, bool /*print*/) {
    return std::make_unique<detail::EpochBatches<T>>(
        [this, &training] { return create_batches(training); });
}

template <class T>
void BasicNeuralNetwork<T>::fit(const Data& training, std::size_t epochs) {
    fit(training, {}, epochs);
}

template <class T>
void BasicNeuralNetwork<T>::fit(const Data& training, const Data& validation, std::size_t epochs) {
    require_fits("NeuralNetwork::fit", training);
    LANES_REQUIRE(training.size() > 0, "NeuralNetwork::fit: no images. Give at least one.");
    if (validation.x.size() > 0 || validation.y.size() > 0)
        require_fits("NeuralNetwork::fit, validation", validation);
    detail::Training<T>(*this, training, validation, epochs).run();
}

template <class T>
typename BasicNeuralNetwork<T>::Array BasicNeuralNetwork<T>::predict(const Array& x) const {
    LANES_REQUIRE(x.shape(1) == sizes_.front(), "NeuralNetwork::predict: images ", x.shape(),
                  " for a network of sizes ", sizes_, ". They need ", sizes_.front(), " columns.");
    return plain::forward(plain::with_defaults(parts_), weights_, biases_, x);
}

template <class T>
double BasicNeuralNetwork<T>::accuracy(const Data& data) const {
    require_fits("NeuralNetwork::accuracy", data);
    LANES_REQUIRE(data.size() > 0, "NeuralNetwork::accuracy: no images. Give at least one.");
    const Array y_hat = predict(data.x);
    const std::size_t classes = sizes_.back();
    std::size_t right = 0;
    for (std::size_t i = 0; i < data.size(); ++i)
        right += index_of_largest(y_hat.data() + i * classes, classes) ==
                 index_of_largest(data.y.data() + i * classes, classes);
    return static_cast<double>(right) / static_cast<double>(data.size());
}

template <class T>
void BasicNeuralNetwork<T>::set_weights(Weights<T> weights, Biases<T> biases) {
    require_shapes("NeuralNetwork::set_weights", sizes_, weights, biases);
    weights_ = std::move(weights);
    biases_ = std::move(biases);
    history_.clear();
    from_scratch_ = false;
}

template class BasicNeuralNetwork<float>;
template class BasicNeuralNetwork<double>;

}  // namespace lanes
