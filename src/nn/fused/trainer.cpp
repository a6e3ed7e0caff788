#include "trainer.hpp"

#include "dense.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/base/workers.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

namespace lanes::fused {

template <class T>
Layers<T>::Layers(const Sizes& sizes, std::size_t images) : activations(1), primes(1), errors(1) {
    for (std::size_t layer = 1; layer < sizes.size(); ++layer)
        for (auto* buffers : {&activations, &primes, &errors}) buffers->emplace_back(images, sizes[layer]);
}

template <class T>
struct Trainer<T>::Shared {
    // Of one thread alone, though all have the same: what another core has just written comes slower than it is made.
    struct alignas(64) Own {
        Own(const Sizes& sizes, std::size_t images) : input(images, sizes.front()), labels(images, sizes.back()) {}
        Input<T> input;
        Padded<T> labels;
        double loss = 0;
    };

    Shared(const Sizes& sizes, std::size_t images_, unsigned threads)
        : images(images_), barrier(threads), layers{Layers<T>(sizes, images_), Layers<T>(sizes, images_)} {
        own.reserve(threads);
        for (unsigned thread = 0; thread < threads; ++thread) own.emplace_back(sizes, images);
    }
    unsigned threads() const { return static_cast<unsigned>(own.size()); }

    std::size_t images;  // at most, in a batch
    Barrier barrier;
    // Two: a thread may be in the next step while another one still updates its weights.
    std::array<Layers<T>, 2> layers;
    const std::vector<BasicBatch<T>>* batches = nullptr;
    std::size_t first = 0, last = 0;
    T learning_rate{};
    std::vector<Own> own;  // of each thread
};

// what(column, count) for the parts of a row that lie in one panel
template <class T, class What>
void in_pieces(std::size_t columns, const What& what) {
    for (std::size_t column = 0; column < columns; column += Panels<T>::width) what(column, std::min(Panels<T>::width, columns - column));
}

template <class T>
Trainer<T>::Trainer(const Sizes& sizes, const Weights<T>& weights, const Biases<T>& biases)
    : sizes_(sizes), last_layer_(sizes.size() - 1), weights_(1), transposed_(1), biases_(1) {
    for (std::size_t layer = 1; layer <= last_layer_; ++layer) {
        const auto& from = weights[layer - 1];
        const std::size_t rows = sizes[layer - 1], columns = sizes[layer];
        weights_.emplace_back(rows, columns);
        transposed_.emplace_back(layer > 1 ? columns : 0, rows);
        biases_.emplace_back(1, columns);
        for (std::size_t i = 0; i < rows; ++i) {
            const T* const row = from.data() + i * columns;
            in_pieces<T>(columns, [&](std::size_t j, std::size_t count) { std::copy_n(row + j, count, weights_[layer].at(i, j)); });
            for (std::size_t j = 0; layer > 1 && j < columns; ++j) *transposed_[layer].at(j, i) = row[j];
        }
        std::copy(biases[layer - 1].begin(), biases[layer - 1].end(), biases_[layer].row(0));
    }
}

template <class T>
Trainer<T>::Trainer(Trainer&&) noexcept = default;
template <class T>
Trainer<T>::~Trainer() = default;

template <class T>
void Trainer<T>::store(Weights<T>& weights, Biases<T>& biases) const {
    for (std::size_t layer = 1; layer <= last_layer_; ++layer) {
        const std::size_t columns = sizes_[layer];
        for (std::size_t i = 0; i < sizes_[layer - 1]; ++i) {
            T* const row = weights[layer - 1].data() + i * columns;
            in_pieces<T>(columns, [&](std::size_t j, std::size_t count) { std::copy_n(weights_[layer].at(i, j), count, row + j); });
        }
        std::copy_n(biases_[layer].row(0), sizes_[layer], biases[layer - 1].data());
    }
}

template <class T>
Columns Trainer<T>::share(std::size_t layer, unsigned thread, unsigned threads) const {
    const std::size_t units = biases_[layer].stride() / unit<T>;
    return {units * thread / threads * unit<T>, units * (thread + 1) / threads * unit<T>};
}

template <class T>
unsigned Trainer<T>::useful_threads(int requested) const {
    // below two units of the widest layer a thread waits longer for the others than it works
    const std::size_t widest = *std::max_element(sizes_.begin() + 1, sizes_.end());
    return static_cast<unsigned>(std::clamp<std::size_t>(widest / (2 * unit<T>), 1, static_cast<std::size_t>(num_workers(requested))));
}

template <class T>
void Trainer<T>::forward(std::size_t layer, const Input<T>& input, Layers<T>& layers, std::size_t images, Columns mine) const {
    const T* const bias = biases_[layer].row(0);
    const std::size_t size = sizes_[layer];
    const auto activate = [&](std::size_t row, std::size_t column, Unit<T> sums) {
        T *const a = layers.activations[layer].row(row) + column, *const p = layers.primes[layer].row(row) + column;
        const auto s = detail::sigmoid_and_prime<T, Unit<T>>(sums + *units(bias + column));
        *units(a) = s.value;
        *units(p) = s.prime;
        for (std::size_t j = size > column ? size - column : 0; j < unit<T>; ++j) a[j] = p[j] = T{0};  // padding takes no part
    };
    const Panels<T>& w = weights_[layer];
    if (layer > 1) {
        const Padded<T>& below = layers.activations[layer - 1];
        product(images, sizes_[layer - 1], Left<T>{below.row(0), below.stride(), 1}, w, mine, activate);
    } else if (input.rows()) {
        product(images, sizes_[0], Left<T>{input.rows(), sizes_[0], 1}, w, mine, activate);
    } else {
        for (std::size_t first = 0; first < images; first += group)
            in_tiles<T>(mine, [&](std::size_t column, auto width) { sums_of_group<width>(input, first, images, w, column, activate); });
    }
}

template <class T>
double Trainer<T>::output_errors(const Padded<T>& labels, Layers<T>& layers, std::size_t images, Columns mine) const {
    double loss = 0;
    for (std::size_t column = mine.first; column < mine.last; column += unit<T>) {
        Unit<T> squares = {};
        for (std::size_t i = 0; i < images; ++i) {
            const Unit<T> difference = *units(layers.activations[last_layer_].row(i) + column) - *units(labels.row(i) + column);
            *units(layers.errors[last_layer_].row(i) + column) = difference * *units(layers.primes[last_layer_].row(i) + column);
            squares += difference * difference;
        }
        for (std::size_t j = 0; j < unit<T>; ++j) loss += 0.5 * static_cast<double>(squares[j]);
    }
    return loss;
}

template <class T>
void Trainer<T>::errors_below(std::size_t layer, Layers<T>& layers, std::size_t images, Columns mine) const {
    const Padded<T>& above = layers.errors[layer];
    product(images, sizes_[layer], Left<T>{above.row(0), above.stride(), 1}, transposed_[layer], mine, [&](std::size_t row, std::size_t column, Unit<T> sums) {
        *units(layers.errors[layer - 1].row(row) + column) = sums * *units(layers.primes[layer - 1].row(row) + column);
    });
}

template <class T>
void subtract_product(Panels<T>& from, std::size_t rows, std::size_t images, const Padded<T>& a, const Padded<T>& b, Columns mine, T scale) {
    product(rows, images, Left<T>{a.row(0), 1, a.stride()}, b, mine,
            [&](std::size_t row, std::size_t column, Unit<T> sums) { *units(from.at(row, column)) -= scale * sums; });
}

template <class T>
void Trainer<T>::update(std::size_t layer, const Layers<T>& layers, std::size_t images, Columns mine, T learning_rate) {
    subtract_product(weights_[layer], sizes_[layer - 1], images, layers.activations[layer - 1], layers.errors[layer], mine, learning_rate);
}

template <class T>
void Trainer<T>::update_transposed(std::size_t layer, const Layers<T>& layers, std::size_t images, Columns mine, T learning_rate) {
    subtract_product(transposed_[layer], sizes_[layer], images, layers.errors[layer], layers.activations[layer - 1], mine, learning_rate);
}

// The same numbers as by update_transposed, from the weights that are updated already, in a third of the time. For one thread: it reads what others own.
template <class T>
void Trainer<T>::transpose_weights(std::size_t layer) {
    const std::size_t rows = sizes_[layer - 1], columns = sizes_[layer], whole = rows / group * group;
    for (std::size_t column = 0; column < columns; column += unit<T>) {
        const std::size_t here = std::min(unit<T>, columns - column);
        for (std::size_t row = 0; row < whole; row += group) {
            Unit<T> block[group];
#pragma clang loop unroll(full)
            for (std::size_t i = 0; i < group; ++i) block[i] = *units(weights_[layer].at(row + i, column));
            transpose<T>(block);
            T* to = transposed_[layer].at(column, row);
            const std::size_t stride = transposed_[layer].stride(row);
            for (std::size_t j = 0; j < here; ++j, to += stride) std::memcpy(to, reinterpret_cast<const T*>(block) + j * group, group * sizeof(T));
        }
        for (std::size_t row = whole; row < rows; ++row)
            for (std::size_t j = 0; j < here; ++j) *transposed_[layer].at(column + j, row) = *weights_[layer].at(row, column + j);
    }
}

template <class T>
void Trainer<T>::update_biases(std::size_t layer, const Layers<T>& layers, std::size_t images, Columns mine, T learning_rate) {
    T* const bias = biases_[layer].row(0);
    for (std::size_t column = mine.first; column < mine.last; column += unit<T>) {
        Unit<T> sums = {};
        for (std::size_t i = 0; i < images; ++i) sums += *units(layers.errors[layer].row(i) + column);
        *units(bias + column) -= learning_rate * sums;
    }
}

template <class T>
void Trainer<T>::update_first(const Input<T>& input, Layers<T>& layers, std::size_t images, Columns mine, T learning_rate, const T* next) {
    if (input.rows()) {
        Padded<T>& slopes = layers.primes[1];  // of which this thread's columns have served
        for (std::size_t i = 0; i < images; ++i)
            for (std::size_t column = mine.first; column < mine.last; column += unit<T>)
                *units(slopes.row(i) + column) = -learning_rate * *units(layers.errors[1].row(i) + column);
        descend_dense(weights_[1], input.rows(), sizes_[0], slopes, images, mine, next);
        return;
    }
    in_tiles<T>(mine, [&](std::size_t column, auto width) {
        for (std::size_t first = 0; first < images; first += group)
            descend_by_group<width>(weights_[1], input, first, images, layers.errors[1], column, learning_rate);
    });
}

template <class T>
void Trainer<T>::work(Shared& shared, unsigned thread) {
    std::vector<Columns> mine(1);
    for (std::size_t layer = 1; layer <= last_layer_; ++layer) mine.push_back(share(layer, thread, shared.threads()));
    Input<T>& input = shared.own[thread].input;
    Padded<T>& labels = shared.own[thread].labels;
    double loss = 0;
    for (std::size_t number = shared.first; number < shared.last; ++number) {
        const BasicBatch<T>& batch = (*shared.batches)[number];
        Layers<T>& layers = shared.layers[number % 2];
        input.take(batch.size(), [&](std::size_t i) { return batch.x(i); });
        for (std::size_t i = 0; i < batch.size(); ++i) std::copy_n(batch.y(i), sizes_.back(), labels.row(i));
        for (std::size_t layer = 1; layer <= last_layer_; ++layer) {
            forward(layer, input, layers, batch.size(), mine[layer]);
            if (layer == last_layer_) loss += output_errors(labels, layers, batch.size(), mine[layer]);
            shared.barrier.wait();
        }
        if (last_layer_ == 1) shared.barrier.wait();
        for (std::size_t layer = last_layer_; layer > 1; --layer) {
            errors_below(layer, layers, batch.size(), mine[layer - 1]);
            if (layer > 2) shared.barrier.wait();
        }
        for (std::size_t layer = last_layer_; layer > 0; --layer) {
            if (layer > 1) {
                update(layer, layers, batch.size(), mine[layer], shared.learning_rate);
                if (shared.threads() > 1)
                    update_transposed(layer, layers, batch.size(), mine[layer - 1], shared.learning_rate);
                else
                    transpose_weights(layer);
            } else {
                const bool more = number + 1 < shared.last && (*shared.batches)[number + 1].size() >= batch.size();
                update_first(input, layers, batch.size(), mine[1], shared.learning_rate, more ? (*shared.batches)[number + 1].x(0) : nullptr);
            }
            update_biases(layer, layers, batch.size(), mine[layer], shared.learning_rate);
        }
    }
    shared.own[thread].loss = loss;
}

template <class T>
Team& Trainer<T>::use_team(unsigned threads) {
    if (!team_ || team_->size() != threads) team_ = std::make_unique<Team>(threads);
    return *team_;
}

template <class T>
double Trainer<T>::run_on(unsigned threads, const std::vector<BasicBatch<T>>& batches, std::size_t first, std::size_t last, T learning_rate) {
    std::size_t images = 1;
    for (std::size_t number = first; number < last; ++number) images = std::max(images, batches[number].size());
    if (first == last) return 0;
    if (!shared_ || shared_->images < images || shared_->threads() != threads) shared_ = std::make_unique<Shared>(sizes_, images, threads);
    Shared& shared = *shared_;
    shared.batches = &batches;
    shared.first = first;
    shared.last = last;
    shared.learning_rate = learning_rate;
    if (threads == 1)
        work(shared, 0);
    else
        use_team(threads).run([&](unsigned thread) { work(shared, thread); });
    double loss = 0;
    for (const auto& own : shared.own) loss += own.loss;
    return loss;
}

template <class T>
double Trainer<T>::run(const std::vector<BasicBatch<T>>& batches, T learning_rate, int threads) {
    constexpr std::size_t trials = 4, shortest = 8, longest = 50;  // batches of a trial: below, the timer sees little but the threads' start
    const std::size_t last = batches.size(), trial = std::min(longest, last / (3 * trials));
    const unsigned most = useful_threads(threads);
    if (threads > 0 || most == 1) return run_on(most, batches, 0, last, learning_rate);
    if (chosen_ > 0 || trial < shortest) return run_on(chosen_ > 0 ? chosen_ : most, batches, 0, last, learning_rate);
    double loss = 0;
    std::array<double, 2> seconds{};  // of one thread, of all
    std::size_t first = 0;
    use_team(most);
    for (std::size_t i = 0; i < trials; ++i, first += trial) {
        const Timer timer;
        loss += run_on(i % 2 ? most : 1, batches, first, first + trial, learning_rate);
        seconds[i % 2] += timer.seconds();
    }
    const double doubt = trial < longest ? 1.5 : 1;  // few batches say only whether threads are far slower
    chosen_ = seconds[1] < doubt * seconds[0] ? most : 1;
    return loss + run_on(chosen_, batches, first, last, learning_rate);
}

template <class T>
xt::xtensor<T, 2> Trainer<T>::predict(const xt::xtensor<T, 2>& x, int threads) const {
    const std::size_t count = x.shape(0);
    xt::xtensor<T, 2> y_hat(std::array<std::size_t, 2>{count, sizes_.back()});
    on_slices(count, threads, [&](std::size_t first, std::size_t last) {
        Input<T> input(slice, sizes_[0]);
        Layers<T> layers(sizes_, slice);
        for (std::size_t s = first; s < last; ++s) {
            const std::size_t begin = s * slice, images = std::min(slice, count - begin);
            input.take(images, [&](std::size_t i) { return x.data() + (begin + i) * sizes_[0]; });
            for (std::size_t layer = 1; layer <= last_layer_; ++layer) forward(layer, input, layers, images, biases_[layer].all());
            for (std::size_t i = 0; i < images; ++i)
                std::copy_n(layers.activations[last_layer_].row(i), sizes_.back(), y_hat.data() + (begin + i) * sizes_.back());
        }
    });
    return y_hat;
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace lanes::fused
