#include "mlp/fused/trainer.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/base/workers.hpp"
#include "mlp/fused/parallel_validation.hpp"
#include "mlp/fused/update.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace lanes::fused {

template <class T>
Layers<T>::Layers(const Sizes& sizes, std::size_t images) : activations(1), primes(1), errors(1) {
    for (std::size_t layer = 1; layer < sizes.size(); ++layer)
        for (auto* buffers : {&activations, &primes, &errors})
            buffers->emplace_back(images, sizes[layer]);
}

template <class T>
struct Trainer<T>::Shared {
    // One per thread. Some members are equal in all threads; each computes them itself, because
    // reading what another core has just written is slower.
    struct alignas(64) PerThread {
        PerThread(const Sizes& sizes, std::size_t images)
            : input(images, sizes.front()),
              backprop(*std::max_element(sizes.begin() + 1, sizes.end())),
              labels(images, sizes.back()) {
            for (std::size_t layer = 0; layer < sizes.size(); ++layer)
                scaled_errors.emplace_back(layer > 0 ? images : 0, sizes[layer]);
        }
        Input<T> input;
        BackpropProduct<T> backprop;
        std::vector<Panels<T>> scaled_errors;  // [layer]: (images, sizes[layer]); [0] is empty
        Padded<T> labels;
        bool is_prepared = false;
        std::size_t steps = 0;  // in all groups of batches

        // If the upper layers are computed redundantly:
        std::vector<Layers<T>> layers;               // one element
        Parameters<T> upper;                         // thread 0 uses those of the trainer
        std::array<Padded<T>, 2> first_activations;  // (images, its columns), read by the others
    };

    Shared(const Trainer& trainer, std::size_t images_, unsigned threads, bool redundant_)
        : images(images_), redundant(redundant_), barrier(threads) {
        const Sizes& sizes = trainer.sizes_;
        own.reserve(threads);
        for (unsigned thread = 0; thread < threads; ++thread) {
            own.emplace_back(sizes, images);
            if (!redundant) continue;
            const Columns mine = trainer.share(1, thread, threads);
            own[thread].layers.emplace_back(sizes, images);
            own[thread].first_activations.fill(
                Padded<T>(threads > 1 ? images : 0, mine.last - mine.first));
        }
        for (std::size_t i = 0; !redundant && i < 2; ++i) layers.emplace_back(sizes, images);
    }
    unsigned threads() const { return static_cast<unsigned>(own.size()); }

    std::size_t images;  // per batch, at most
    bool redundant;      // does each thread compute all of the upper layers?
    Barrier barrier;

    // If not redundant: two, used in turns, because a thread may be in the next step while another
    // one still updates its weights.
    std::vector<Layers<T>> layers;

    std::vector<PerThread> own;
};

// Calls what(column, count) for each part of a row that lies in one panel.
template <class T, class What>
void for_each_panel(std::size_t columns, const What& what) {
    for (std::size_t column = 0; column < columns; column += Panels<T>::width)
        what(column, std::min(Panels<T>::width, columns - column));
}

template <class T>
Trainer<T>::Trainer(const Sizes& sizes, const Weights<T>& weights, const Biases<T>& biases)
    : sizes_(sizes),
      last_layer_(sizes.size() - 1),
      parameters_{std::vector<Panels<T>>(1), std::vector<Padded<T>>(1)} {
    Parameters<T>& p = parameters_;
    for (std::size_t layer = 1; layer <= last_layer_; ++layer) {
        const auto& from = weights[layer - 1];
        const std::size_t rows = sizes[layer - 1], columns = sizes[layer];
        p.weights.emplace_back(rows, columns);
        p.biases.emplace_back(1, columns);
        for (std::size_t i = 0; i < rows; ++i) {
            const T* const row = from.data() + i * columns;
            for_each_panel<T>(columns, [&](std::size_t j, std::size_t count) {
                std::copy_n(row + j, count, p.weights[layer].at(i, j));
            });
        }
        std::copy(biases[layer - 1].begin(), biases[layer - 1].end(), p.biases[layer].row(0));
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
            for_each_panel<T>(columns, [&](std::size_t j, std::size_t count) {
                std::copy_n(parameters_.weights[layer].at(i, j), count, row + j);
            });
        }
        std::copy_n(parameters_.biases[layer].row(0), sizes_[layer], biases[layer - 1].data());
    }
}

template <class T>
Columns Trainer<T>::share(std::size_t layer, unsigned thread, unsigned threads) const {
    const std::size_t units = parameters_.biases[layer].stride() / unit<T>;
    return {units * thread / threads * unit<T>, units * (thread + 1) / threads * unit<T>};
}

template <class T>
unsigned Trainer<T>::useful_threads(std::optional<int> requested) const {
    // With less than two units of the widest layer, a thread would wait longer than it works.
    const std::size_t widest = *std::max_element(sizes_.begin() + 1, sizes_.end());
    return static_cast<unsigned>(std::clamp<std::size_t>(
        widest / (2 * unit<T>), 1, static_cast<std::size_t>(num_workers(requested.value_or(0)))));
}

// True if the upper layers need so few products per step that computing them in each thread takes
// no longer than a barrier for each layer.
template <class T>
bool Trainer<T>::computes_upper_redundantly(std::size_t images) const {
    constexpr std::size_t few = 1 << 20;
    std::size_t products = 0;
    for (std::size_t layer = 2; layer <= last_layer_; ++layer)
        products += 3 * images * sizes_[layer - 1] * sizes_[layer];
    return products <= few;
}

template <class T>
void Trainer<T>::copy_upper_layers(Parameters<T>& to) const {
    to.weights.resize(last_layer_ + 1);
    to.biases.resize(last_layer_ + 1);
    for (std::size_t layer = 2; layer <= last_layer_; ++layer) {
        to.weights[layer] = parameters_.weights[layer];
        to.biases[layer] = parameters_.biases[layer];
    }
}

template <class T>
void Trainer<T>::forward(std::size_t layer, const Parameters<T>& parameters, const Input<T>& input,
                         Layers<T>& layers, std::size_t images, Columns mine) const {
    const T* const bias = parameters.biases[layer].row(0);
    const std::size_t size = sizes_[layer];
    const auto activate = [&](std::size_t row, std::size_t column, Unit<T> sums) {
        T* const a = layers.activations[layer].row(row) + column;
        T* const p = layers.primes[layer].row(row) + column;
        const auto s = detail::sigmoid_and_prime<T, Unit<T>>(sums + *units(bias + column));
        *units(a) = s.value;
        *units(p) = s.prime;
        for (std::size_t j = size > column ? size - column : 0; j < unit<T>; ++j)
            a[j] = p[j] = T{0};  // padding contributes nothing
    };
    const Panels<T>& w = parameters.weights[layer];
    if (layer > 1) {
        const Padded<T>& below = layers.activations[layer - 1];
        product(images, sizes_[layer - 1], Rows<T>{below.row(0), below.stride()}, w, mine,
                activate);
    } else if (input.rows()) {
        product(images, sizes_[0], Rows<T>{input.rows(), sizes_[0]}, w, mine, activate);
    } else {
        for (std::size_t first = 0; first < images; first += group)
            in_tiles<T>(mine, [&](std::size_t column, auto width) {
                sums_of_group<width>(input, first, images, w, column, activate);
            });
    }
}

template <class T>
double Trainer<T>::output_errors(const Padded<T>& labels, Layers<T>& layers, std::size_t images,
                                 Columns mine) const {
    double loss = 0;
    for (std::size_t column = mine.first; column < mine.last; column += unit<T>) {
        Unit<T> squares = {};
        for (std::size_t i = 0; i < images; ++i) {
            const Unit<T> difference = *units(layers.activations[last_layer_].row(i) + column) -
                                       *units(labels.row(i) + column);
            *units(layers.errors[last_layer_].row(i) + column) =
                difference * *units(layers.primes[last_layer_].row(i) + column);
            squares += difference * difference;
        }
        for (std::size_t j = 0; j < unit<T>; ++j) loss += 0.5 * static_cast<double>(squares[j]);
    }
    return loss;
}

template <class T>
void Trainer<T>::errors_below(std::size_t layer, const Parameters<T>& parameters, Layers<T>& layers,
                              std::size_t images, Columns mine,
                              BackpropProduct<T>& backprop) const {
    backprop.product(images, layers.errors[layer], parameters.weights[layer], sizes_[layer - 1],
                     sizes_[layer], mine, [&](std::size_t image, std::size_t column, Unit<T> sums) {
                         *units(layers.errors[layer - 1].row(image) + column) =
                             sums * *units(layers.primes[layer - 1].row(image) + column);
                     });
}

// to = scale * from, for these columns
template <class T>
void copy_scaled(const Padded<T>& from, std::size_t images, Columns columns, T scale,
                 Panels<T>& to) {
    for (std::size_t i = 0; i < images; ++i)
        for (std::size_t column = columns.first; column < columns.last; column += unit<T>)
            *units(to.at(i, column)) = scale * *units(from.row(i) + column);
}

template <class T>
void Trainer<T>::update(std::size_t layer, Parameters<T>& parameters, const Layers<T>& layers,
                        std::size_t images, Columns mine, T learning_rate,
                        Panels<T>& scaled_errors) const {
    const Padded<T>& below = layers.activations[layer - 1];
    copy_scaled(layers.errors[layer], images, mine, T{1}, scaled_errors);
    change_weights(Subtracted<T>{learning_rate}, parameters.weights[layer], sizes_[layer - 1],
                   below.row(0), below.stride(), scaled_errors, images, mine);
}

template <class T>
void Trainer<T>::update_biases(std::size_t layer, Parameters<T>& parameters,
                               const Layers<T>& layers, std::size_t images, Columns mine,
                               T learning_rate) const {
    T* const bias = parameters.biases[layer].row(0);
    for (std::size_t column = mine.first; column < mine.last; column += unit<T>) {
        Unit<T> sums = {};
        for (std::size_t i = 0; i < images; ++i)
            sums += *units(layers.errors[layer].row(i) + column);
        *units(bias + column) -= learning_rate * sums;
    }
}

template <class T>
void Trainer<T>::update_first(const Input<T>& input, const Layers<T>& layers, std::size_t images,
                              Columns mine, T learning_rate, Panels<T>& scaled_errors,
                              const T* next) {
    if (input.rows()) {
        copy_scaled(layers.errors[1], images, mine, -learning_rate, scaled_errors);
        change_weights(InPlace(), parameters_.weights[1], sizes_[0], input.rows(), sizes_[0],
                       scaled_errors, images, mine, next);
        return;
    }
    in_tiles<T>(mine, [&](std::size_t column, auto width) {
        for (std::size_t first = 0; first < images; first += group)
            descend_by_group<width>(parameters_.weights[1], input, first, images, layers.errors[1],
                                    column, learning_rate);
    });
}

// Copies the activations of the first layer from the threads that own its columns to all threads.
template <class T>
void Trainer<T>::exchange_first_layer(Shared& shared, unsigned thread, std::size_t turn,
                                      std::size_t images) const {
    if (shared.threads() == 1) return;
    Padded<T>& all = shared.own[thread].layers[0].activations[1];
    const auto copy = [images](Padded<T>& to, std::size_t to_column, const Padded<T>& from,
                               std::size_t from_column, std::size_t columns) {
        for (std::size_t i = 0; i < images; ++i)
            for (std::size_t j = 0; j < columns; j += unit<T>)
                *units(to.row(i) + to_column + j) = *units(from.row(i) + from_column + j);
    };
    const auto columns_of = [&](unsigned owner) { return share(1, owner, shared.threads()); };
    const Columns mine = columns_of(thread);
    copy(shared.own[thread].first_activations[turn], 0, all, mine.first, mine.last - mine.first);
    shared.barrier.wait();
    for (unsigned other = 0; other < shared.threads(); ++other) {
        const Columns theirs = columns_of(other);
        if (other != thread)
            copy(all, theirs.first, shared.own[other].first_activations[turn], 0,
                 theirs.last - theirs.first);
    }
}

template <class T>
void Trainer<T>::work(Shared& shared, BatchGroup& group, unsigned thread) {
    auto& own = shared.own[thread];
    std::vector<Columns> mine(1);
    for (std::size_t layer = 1; layer <= last_layer_; ++layer)
        mine.push_back(shared.redundant && layer > 1 ? parameters_.biases[layer].all()
                                                     : share(layer, thread, shared.threads()));
    Parameters<T>& upper = shared.redundant && thread > 0 ? own.upper : parameters_;
    if (!std::exchange(own.is_prepared, true) && &upper != &parameters_)
        copy_upper_layers(upper);  // from then on, each thread updates its copy
    const auto meet = [&] {
        if (!shared.redundant) shared.barrier.wait();
    };
    double loss = 0;
    for (std::size_t number = group.first; number < group.last; ++number) {
        const BasicBatch<T>& batch = (*group.batches)[number];
        const std::size_t turn = own.steps++ % 2;
        Layers<T>& layers = shared.redundant ? own.layers[0] : shared.layers[turn];
        own.input.take(batch.size(), [&](std::size_t i) { return batch.x(i); });
        for (std::size_t i = 0; i < batch.size(); ++i)
            std::copy_n(batch.y(i), sizes_.back(), own.labels.row(i));
        for (std::size_t layer = 1; layer <= last_layer_; ++layer) {
            forward(layer, layer == 1 ? parameters_ : upper, own.input, layers, batch.size(),
                    mine[layer]);
            if (layer == last_layer_)
                loss += output_errors(own.labels, layers, batch.size(), mine[layer]);
            if (layer == 1 && shared.redundant && last_layer_ > 1)
                exchange_first_layer(shared, thread, turn, batch.size());
            meet();
        }
        if (last_layer_ == 1) meet();
        for (std::size_t layer = last_layer_; layer > 1; --layer) {
            errors_below(layer, upper, layers, batch.size(), mine[layer - 1], own.backprop);
            meet();
        }
        for (std::size_t layer = last_layer_; layer > 1; --layer) {
            update(layer, upper, layers, batch.size(), mine[layer], group.learning_rate,
                   own.scaled_errors[layer]);
            update_biases(layer, upper, layers, batch.size(), mine[layer], group.learning_rate);
        }
        const bool more =
            number + 1 < group.last && (*group.batches)[number + 1].size() >= batch.size();
        update_first(own.input, layers, batch.size(), mine[1], group.learning_rate,
                     own.scaled_errors[1], more ? (*group.batches)[number + 1].x(0) : nullptr);
        update_biases(1, parameters_, layers, batch.size(), mine[1], group.learning_rate);
    }
    // If redundant, all threads have the same loss: it counts once.
    group.losses[thread] = shared.redundant && last_layer_ > 1 && thread > 0 ? 0 : loss;
}

template <class T>
Team& Trainer<T>::use_team(unsigned threads, Caller caller) {
    if (!team_ || team_->size() != threads || team_->caller() != caller) {
        team_.reset();
        team_ = std::make_unique<Team>(threads, caller);
    }
    return *team_;
}

template <class T>
void Trainer<T>::use_shared(unsigned threads, std::size_t images) {
    const bool redundant = threads == 1 || computes_upper_redundantly(images);
    if (shared_ && shared_->images >= images && shared_->threads() == threads &&
        shared_->redundant == redundant)
        return;
    if (!groups_.empty()) team_->finish();
    shared_ = std::make_unique<Shared>(*this, images, threads, redundant);
}

template <class T>
std::size_t largest_batch(const std::vector<BasicBatch<T>>& batches, std::size_t first,
                          std::size_t last) {
    std::size_t images = 1;
    for (std::size_t number = first; number < last; ++number)
        images = std::max(images, batches[number].size());
    return images;
}

template <class T>
double Trainer<T>::run_on(unsigned threads, const std::vector<BasicBatch<T>>& batches,
                          std::size_t first, std::size_t last, T learning_rate) {
    if (first == last) return 0;
    use_shared(threads, largest_batch(batches, first, last));
    BatchGroup group{&batches, first, last, learning_rate, std::vector<double>(threads)};
    if (threads == 1)
        work(*shared_, group, 0);
    else
        use_team(threads, Caller::takes_part).run([&](unsigned thread) {
            work(*shared_, group, thread);
        });
    return std::accumulate(group.losses.begin(), group.losses.end(), 0.0);
}

template <class T>
double Trainer<T>::train(const Batches& batches, T learning_rate, std::optional<int> threads) {
    constexpr std::size_t trials = 4;
    constexpr std::size_t shortest =
        8;  // batches per trial; with fewer, starting threads dominates
    constexpr std::size_t longest = 50;
    const std::size_t last = batches.size();
    const std::size_t trial = std::min(longest, last / (3 * trials));
    const unsigned most = useful_threads(threads);
    if (threads || most == 1) return run_on(most, batches, 0, last, learning_rate);
    if (fastest_ || trial < shortest)
        return run_on(fastest_.value_or(most), batches, 0, last, learning_rate);
    double loss = 0;
    std::array<double, 2> seconds{};  // with one thread, with all
    std::size_t first = 0;
    use_team(most, Caller::takes_part);
    for (std::size_t i = 0; i < trials; ++i, first += trial) {
        const Timer timer;
        loss += run_on(i % 2 ? most : 1, batches, first, first + trial, learning_rate);
        seconds[i % 2] += timer.seconds();
    }
    // Short trials are inaccurate: they only show whether several threads are far slower.
    const double tolerance = trial < longest ? 1.5 : 1;
    fastest_ = seconds[1] < tolerance * seconds[0] ? most : 1;
    return loss + run_on(*fastest_, batches, first, last, learning_rate);
}

template <class T>
void Trainer<T>::start(const Batches& batches, T learning_rate, std::optional<int> threads) {
    const unsigned number = groups_.empty() ? useful_threads(threads) : team_->size();
    const std::size_t images = largest_batch(batches, 0, batches.size());
    Team& team = use_team(number, Caller::does_something_else);
    LANES_REQUIRE(groups_.size() < Team::max_tasks, "fused::Trainer::start: ", groups_.size(),
                  " groups of batches are being trained on already. Wait for one.");
    use_shared(number, images);
    groups_.push_back({&batches, 0, batches.size(), learning_rate, std::vector<double>(number)});
    team.give([this, &group = groups_.back()](unsigned thread) { work(*shared_, group, thread); });
}

template <class T>
double Trainer<T>::wait() {
    team_->wait();
    const BatchGroup group = std::move(groups_.front());
    groups_.pop_front();
    return std::accumulate(group.losses.begin(), group.losses.end(), 0.0);
}

template <class T>
xt::xtensor<T, 2> Trainer<T>::predict(const xt::xtensor<T, 2>& x,
                                      std::optional<int> threads) const {
    const std::size_t count = x.shape(0);
    xt::xtensor<T, 2> y_hat(std::array<std::size_t, 2>{count, sizes_.back()});
    on_slices(count, threads.value_or(0), [&](std::size_t first, std::size_t last) {
        Input<T> input(slice, sizes_[0]);
        Layers<T> layers(sizes_, slice);
        for (std::size_t s = first; s < last; ++s) {
            const std::size_t begin = s * slice, images = std::min(slice, count - begin);
            input.take(images, [&](std::size_t i) { return x.data() + (begin + i) * sizes_[0]; });
            for (std::size_t layer = 1; layer <= last_layer_; ++layer)
                forward(layer, parameters_, input, layers, images, parameters_.biases[layer].all());
            for (std::size_t i = 0; i < images; ++i)
                std::copy_n(layers.activations[last_layer_].row(i), sizes_.back(),
                            y_hat.data() + (begin + i) * sizes_.back());
        }
    });
    return y_hat;
}

template <class T>
std::unique_ptr<Validation<T>> Trainer<T>::make_validation(const BasicDataset<T>& data,
                                                           std::optional<int> threads) const {
    return std::make_unique<ParallelValidation<T>>(sizes_, data, threads);
}

template <class T>
std::unique_ptr<Network<T>> make_network(const Sizes& sizes, const Weights<T>& weights,
                                         const Biases<T>& biases) {
    return std::make_unique<Trainer<T>>(sizes, weights, biases);
}

template class Trainer<float>;
template class Trainer<double>;
template std::unique_ptr<Network<float>> make_network(const Sizes&, const Weights<float>&,
                                                      const Biases<float>&);
template std::unique_ptr<Network<double>> make_network(const Sizes&, const Weights<double>&,
                                                       const Biases<double>&);

}  // namespace lanes::fused
