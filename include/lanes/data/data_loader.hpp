// Batches of a dataset, in a new random order in each epoch if asked for.
//
//   #include <iostream>
//   const auto data = lanes::load_fashion_mnist();
//   const auto options = lanes::DataLoaderOptions().batch_size(64).shuffle(true);
//   lanes::DataLoader loader(data.train, options);
//   for (int epoch = 0; epoch < 2; ++epoch)
//       for (auto& [x, y] : loader)  // (64, 784) and (64), int32; the last batch is smaller
//           std::cout << x.shape(0) << " images, the first label is " << y.data<int>()[0] << "\n";
//
// A dataset is any class with size() and get(index), or get(index, rng) if its examples are random.
// get returns a Tensor, or several Tensors and numbers as a pair, tuple or array. The tensors live
// on the CPU, require no gradients, and have the same shapes for each index; a batch has one more
// axis in front.
//
//   struct Noisy {
//       std::size_t size() const { return 1000; }
//       std::pair<lanes::Tensor, int> get(std::size_t index, lanes::Rng& rng) const {
//           return {lanes::Tensor::full({3}, static_cast<float>(rng.normal())), index % 2};
//       }
//   };
//   const auto by_two = lanes::DataLoaderOptions().batch_size(10).num_workers(2);  // processes
//   for (auto& [x, y] : lanes::DataLoader(Noisy(), by_two))
//       std::cout << x << y;  // (10, 3) and (10)
//
// The batches depend on the seed and the epoch, not on the number of workers. The random numbers of
// an example, from `rng` as well as from Tensor::rand and randn, depend on seed, epoch and index.
//
// Make a loader once and use it for all epochs. Workers are started with the first epoch, see the
// dataset as it is then, and stay until the loader is destroyed. If a worker is killed or crashes,
// another one takes over its batch; after three of them have died with the same batch, the loop
// throws Error with the signal and the example. If get throws, so does the loop, with the example
// and the exception's text. The next epoch starts with new workers.
#pragma once

#include "lanes/base/option.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/data/tensor_dataset.hpp"
#include "lanes/tensor/tensor.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanes {

class DataLoaderOptions {
    // Examples.
    LANES_OPTION(DataLoaderOptions, std::size_t, batch_size, 1)
    // A new random order in each epoch.
    LANES_OPTION(DataLoaderOptions, bool, shuffle, false)
    // Processes that call get; 0: the loop calls it itself.
    LANES_OPTION(DataLoaderOptions, int, num_workers, 0)
    // Leave out the last batch of an epoch if it would be smaller.
    LANES_OPTION(DataLoaderOptions, bool, drop_last, false)
    LANES_OPTION(DataLoaderOptions, std::uint64_t, seed, 0)
    // Batches that each worker prepares ahead, also of the next epoch.
    LANES_OPTION(DataLoaderOptions, std::size_t, prefetch, 2)

public:
    // Of every batch only one of `count` parts: the first rows for index 0, the next ones for 1,
    // and so on. In a training on many processes each makes its part, with batches, order and
    // random numbers that do not depend on their number.
    DataLoaderOptions& share(int index, int count);
    std::size_t share_index() const { return share_index_; }
    std::size_t share_count() const { return share_count_; }

private:
    std::size_t share_index_ = 0;
    std::size_t share_count_ = 1;
};

namespace data {

// A dataset of any type.
class Examples {
public:
    virtual ~Examples() = default;
    virtual std::size_t size() const = 0;
    virtual std::vector<Tensor> get(std::size_t index, Rng& rng) = 0;

    // The tensors of a TensorDataset, whose rows are gathered without calls of get; else none.
    virtual std::vector<Tensor> tensors() const { return {}; }
};

// The part of DataLoader that does not depend on the types of examples.
class BatchLoader {
public:
    BatchLoader(std::unique_ptr<Examples> examples, const DataLoaderOptions& options);
    ~BatchLoader();
    BatchLoader(const BatchLoader&) = delete;
    BatchLoader& operator=(const BatchLoader&) = delete;

    std::uint64_t start_epoch();                    // returns its number
    bool next(std::uint64_t epoch, Tensor* batch);  // false: the epoch has no more batches

    std::size_t batches() const;
    std::uint64_t epoch() const;
    void set_epoch(std::uint64_t epoch);
    const DataLoaderOptions& options() const;
    std::vector<std::string> worker_failures() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// int32, without axes. Throws Error if int32 cannot hold the value.
Tensor to_tensor(long long value);
Tensor to_tensor(unsigned long long value);
Tensor to_tensor(double value);  // float32, without axes

template <class T>
Tensor part_of_example(const T& part) {
    if constexpr (std::is_same_v<T, Tensor>) {
        return part;
    } else {
        static_assert(std::is_arithmetic_v<T>,
                      "DataLoader: get(index) returns a lanes::Tensor, or several tensors and "
                      "numbers as std::pair, std::tuple or std::array");
        using Integer = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
        return to_tensor(
            static_cast<std::conditional_t<std::is_integral_v<T>, Integer, double>>(part));
    }
}

// get(index, rng) if the dataset has it, else get(index). Called with 0 as the last argument, for
// which the first of both is the better match.
template <class D>
auto get_example(D& dataset, std::size_t index, Rng& rng, int)
    -> decltype(dataset.get(index, rng)) {
    return dataset.get(index, rng);
}
template <class D>
auto get_example(D& dataset, std::size_t index, Rng&, long) -> decltype(dataset.get(index)) {
    return dataset.get(index);
}

// How many tensors an example has. A single tensor or number is no tuple.
template <class Example, class = void>
struct TupleSize : std::integral_constant<std::size_t, 0> {};
template <class Example>
struct TupleSize<Example, std::void_t<decltype(std::tuple_size<Example>::value)>>
    : std::tuple_size<Example> {};

template <class D, class = void>
struct ExampleSize : std::integral_constant<std::size_t, 0> {};  // D is no dataset
template <class D>
struct ExampleSize<D, std::void_t<decltype(std::declval<D&>().size()),
                                  decltype(get_example(std::declval<D&>(), std::size_t{},
                                                       std::declval<Rng&>(), 0))>> {
    using Example = std::decay_t<decltype(get_example(std::declval<D&>(), std::size_t{},
                                                      std::declval<Rng&>(), 0))>;
    static constexpr std::size_t value =
        TupleSize<Example>::value == 0 ? 1 : TupleSize<Example>::value;
};

template <class D>
class ExamplesOf : public Examples {
public:
    explicit ExamplesOf(D dataset) : dataset_(std::move(dataset)) {}

    std::size_t size() const override { return static_cast<std::size_t>(dataset_.size()); }

    std::vector<Tensor> get(std::size_t index, Rng& rng) override {
        const auto example = get_example(dataset_, index, rng, 0);
        if constexpr (TupleSize<std::decay_t<decltype(example)>>::value == 0)
            return {part_of_example(example)};
        else
            return std::apply(
                [](const auto&... parts) { return std::vector<Tensor>{part_of_example(parts)...}; },
                example);
    }

    std::vector<Tensor> tensors() const override { return tensors_of(dataset_); }

private:
    template <std::size_t N>
    static std::vector<Tensor> tensors_of(const TensorDataset<N>& dataset) {
        return {dataset.tensors().begin(), dataset.tensors().end()};
    }
    template <class Other>
    static std::vector<Tensor> tensors_of(const Other&) {
        return {};
    }

    D dataset_;
};

}  // namespace data

// N: tensors per example, deduced from the dataset.
template <std::size_t N>
class DataLoader {
public:
    using Batch = std::array<Tensor, N>;

    // The dataset is copied, or moved; tensors share their elements with the original.
    template <class D>
    explicit DataLoader(D dataset, const DataLoaderOptions& options = {})
        : loader_(std::make_unique<data::BatchLoader>(
              std::make_unique<data::ExamplesOf<D>>(std::move(dataset)), options)) {
        static_assert(N > 0 && N == data::ExampleSize<D>::value,
                      "DataLoader: a dataset has size() and get(index)");
    }
    explicit DataLoader(const Dataset& images, const DataLoaderOptions& options = {})
        : DataLoader(TensorDataset<2>(images), options) {}

    struct End {};
    class Iterator {
    public:
        Batch& operator*() { return batch_; }
        Iterator& operator++() {
            batch_ = {};  // frees its memory, which the next batch then uses
            more_ = loader_->next(epoch_, batch_.data());
            return *this;
        }
        bool operator!=(End) const { return more_; }

    private:
        friend class DataLoader;
        explicit Iterator(data::BatchLoader& loader)
            : loader_(&loader), epoch_(loader.start_epoch()) {
            ++*this;
        }

        data::BatchLoader* loader_;
        std::uint64_t epoch_;
        bool more_ = false;
        Batch batch_;
    };

    // Starts the next epoch. A loop over the loader that still runs ends with an Error: for two
    // loops at a time make two loaders.
    Iterator begin() { return Iterator(*loader_); }
    End end() const { return {}; }

    std::size_t size() const { return loader_->batches(); }  // batches per epoch

    // The number of the next epoch, from 0. To continue a training, set it to the number of
    // epochs that were done: the batches are then those of an uninterrupted training.
    std::uint64_t epoch() const { return loader_->epoch(); }
    void set_epoch(std::uint64_t epoch) { loader_->set_epoch(epoch); }

    const DataLoaderOptions& options() const { return loader_->options(); }

    // Workers that were killed or crashed, and were replaced: one line for each.
    std::vector<std::string> worker_failures() const { return loader_->worker_failures(); }

private:
    std::unique_ptr<data::BatchLoader> loader_;
};

template <class D>
DataLoader(D, const DataLoaderOptions& = {}) -> DataLoader<data::ExampleSize<D>::value>;
DataLoader(const Dataset&, const DataLoaderOptions& = {}) -> DataLoader<2>;

}  // namespace lanes
