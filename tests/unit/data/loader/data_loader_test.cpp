#include "lanes/data/data_loader.hpp"

#include "error_of.hpp"
#include "lanes/tensor/ops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

namespace {

using lanes::DataLoader;
using lanes::DataLoaderOptions;
using lanes::Rng;
using lanes::Shape;
using lanes::Tensor;
using lanes::TensorDataset;
using lanes_test::error_of;

DataLoaderOptions options_of(std::size_t batch_size, bool shuffle = false, int num_workers = 0,
                             bool drop_last = false, std::uint64_t seed = 0) {
    return DataLoaderOptions()
        .batch_size(batch_size)
        .shuffle(shuffle)
        .num_workers(num_workers)
        .drop_last(drop_last)
        .seed(seed);
}

TensorDataset<2> ten_rows() {
    Tensor x = Tensor::empty({10, 2});
    std::vector<int> y(10);
    for (int i = 0; i < 10; ++i) {
        x.data()[2 * i] = static_cast<float>(i);
        x.data()[2 * i + 1] = static_cast<float>(-i);
        y[static_cast<std::size_t>(i)] = i;
    }
    return TensorDataset(x, Tensor::from(y));
}

// Random numbers from both generators that an example may use.
struct Noisy {
    std::size_t count = 23;
    std::size_t size() const { return count; }
    std::tuple<Tensor, double, std::size_t> get(std::size_t index, Rng& rng) const {
        return {Tensor::randn({2, 3}), rng.normal(), index};
    }
};

// All numbers of an epoch, batch by batch.
template <class Loader>
std::vector<std::vector<float>> epoch_of(Loader& loader) {
    std::vector<std::vector<float>> all;
    for (auto& batch : loader) {
        std::vector<float> numbers;
        for (const Tensor& part : batch) {
            if (part.dtype() == lanes::DType::int32)
                for (const int label : part.to_vector<int>())
                    numbers.push_back(static_cast<float>(label));
            else
                for (const float number : part.to_vector()) numbers.push_back(number);
        }
        all.push_back(numbers);
    }
    return all;
}

TEST(DataLoader, GathersTheRowsOfTensorsInOrder) {
    for (const int workers : {0, 2}) {
        DataLoader loader(ten_rows(), options_of(4, false, workers));
        EXPECT_EQ(loader.size(), 3u);
        int row = 0;
        std::vector<std::size_t> sizes;
        for (auto& [x, y] : loader) {
            sizes.push_back(y.size());
            EXPECT_EQ(x.shape(), (Shape{y.size(), 2}));
            for (const int label : y.to_vector<int>()) {
                EXPECT_EQ(label, row);
                EXPECT_EQ(x.at({row % 4, 1}), -row);
                ++row;
            }
        }
        EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 4, 2}));
    }
}

TEST(DataLoader, MayDropASmallerLastBatch) {
    DataLoader loader(ten_rows(), options_of(4, false, 0, true));
    EXPECT_EQ(loader.size(), 2u);
    EXPECT_EQ(epoch_of(loader).size(), 2u);
    DataLoader whole(ten_rows(), options_of(5, false, 0, true));
    EXPECT_EQ(epoch_of(whole).size(), 2u);
}

TEST(DataLoader, ABatchSizeAboveTheExamplesGivesOneBatchOfAll) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    for (const int workers : {0, 2})
        for (const std::size_t batch_size :
             {std::size_t{11}, std::size_t{1} << 44, most / 8, most}) {
            DataLoader loader(ten_rows(), options_of(batch_size, true, workers));
            EXPECT_EQ(loader.size(), 1u) << batch_size;
            const auto batches = epoch_of(loader);
            ASSERT_EQ(batches.size(), 1u) << batch_size;
            EXPECT_EQ(batches[0].size(), 30u);
            EXPECT_EQ(loader.options().batch_size(), batch_size);
            DataLoader none(ten_rows(), options_of(batch_size, false, workers, true));
            EXPECT_TRUE(epoch_of(none).empty());
            DataLoader empty(Noisy{0}, options_of(batch_size, false, workers));
            EXPECT_TRUE(epoch_of(empty).empty());
        }
}

TEST(DataLoader, ShufflesInEachEpochAndTakesEachExampleOnce) {
    DataLoader loader(ten_rows(), options_of(10, true));
    const auto first = epoch_of(loader);
    const auto second = epoch_of(loader);
    EXPECT_NE(first, second);
    for (const auto& epoch : {first, second}) {
        std::set<float> labels(epoch[0].begin() + 20, epoch[0].end());
        EXPECT_EQ(labels.size(), 10u);
    }
    DataLoader same(ten_rows(), options_of(10, true));
    EXPECT_EQ(epoch_of(same), first);
    DataLoader other(ten_rows(), options_of(10, true, 0, false, 1));
    EXPECT_NE(epoch_of(other), first);
}

TEST(DataLoader, GivesTheSameBatchesForAnyNumberOfWorkers) {
    DataLoader alone(Noisy(), options_of(4, true, 0, false, 5));
    const auto first = epoch_of(alone);
    const auto second = epoch_of(alone);
    EXPECT_EQ(first.size(), 6u);
    EXPECT_NE(first, second);
    for (const int workers : {1, 2, 5}) {
        DataLoader loader(Noisy(), options_of(4, true, workers, false, 5));
        EXPECT_EQ(epoch_of(loader), first) << workers;
        EXPECT_EQ(epoch_of(loader), second) << workers;
    }
}

TEST(DataLoader, RandomExamplesDifferAndLeaveTheGeneratorAlone) {
    lanes::manual_seed(3);
    const float expected = Tensor::rand({1}).item();
    lanes::manual_seed(3);
    std::set<float> seen;
    for (auto& [x, number, index] : DataLoader(Noisy(), options_of(1))) {
        seen.insert(x.at({0, 0, 0}));
        seen.insert(number.item());
        EXPECT_EQ(index.dtype(), lanes::DType::int32);
    }
    EXPECT_EQ(seen.size(), 46u);
    EXPECT_EQ(Tensor::rand({1}).item(), expected);
}

struct Plain {
    std::size_t size() const { return 3; }
    Tensor get(std::size_t index) { return Tensor::full({2}, static_cast<float>(index)); }
};

TEST(DataLoader, TakesExamplesOfASingleTensor) {
    std::vector<float> seen;
    for (auto& [x] : DataLoader(Plain(), options_of(2))) {
        EXPECT_EQ(x.shape(1), 2u);
        for (const float number : x.to_vector()) seen.push_back(number);
    }
    EXPECT_EQ(seen, (std::vector<float>{0, 0, 1, 1, 2, 2}));
}

TEST(DataLoader, TakesTheImagesOfADataset) {
    const lanes::Dataset images{xt::ones<float>({5, 9}), lanes::one_hot({3, 1, 4, 1, 5})};
    DataLoader loader(images, lanes::DataLoaderOptions().batch_size(2));
    std::vector<int> labels;
    for (const auto& [x, y] : loader) {
        EXPECT_EQ(x.shape(), (Shape{y.size(), 9}));
        for (const int label : y.to_vector<int>()) labels.push_back(label);
    }
    EXPECT_EQ(labels, (std::vector<int>{3, 1, 4, 1, 5}));
}

TEST(DataLoader, ABatchThatIsKeptIsNotOverwritten) {
    for (const int workers : {0, 2}) {
        DataLoader loader(ten_rows(), options_of(2, false, workers));
        std::vector<Tensor> kept;
        for (int epoch = 0; epoch < 4; ++epoch)
            for (auto& [x, y] : loader) kept.push_back(y);
        ASSERT_EQ(kept.size(), 20u);
        for (std::size_t i = 0; i < 20; ++i)
            EXPECT_EQ(kept[i].to_vector<int>()[0], static_cast<int>(i % 5 * 2));
    }
}

TEST(DataLoader, ABatchThatIsChangedLeavesTheDatasetAlone) {
    const TensorDataset dataset = ten_rows();
    for (auto& [x, y] : DataLoader(dataset, options_of(5))) x.fill_(7);
    EXPECT_EQ(dataset.tensors()[0].at({9, 0}), 9);
}

TEST(DataLoader, ContinuesAtAGivenEpoch) {
    for (const int workers : {0, 2}) {
        DataLoader loader(Noisy(), options_of(4, true, workers));
        epoch_of(loader);
        const auto second = epoch_of(loader);
        const auto third = epoch_of(loader);
        EXPECT_EQ(loader.epoch(), 3u);
        DataLoader resumed(Noisy(), options_of(4, true, workers));
        resumed.set_epoch(1);
        EXPECT_EQ(epoch_of(resumed), second);
        EXPECT_EQ(epoch_of(resumed), third);
        resumed.set_epoch(1);
        EXPECT_EQ(epoch_of(resumed), second);
    }
}

TEST(DataLoader, AnEpochMayBeLeftEarly) {
    for (const int workers : {0, 3}) {
        DataLoader undisturbed(Noisy(), options_of(2, true));
        epoch_of(undisturbed);
        const auto second = epoch_of(undisturbed);
        for (int batches = 1; batches < 12; batches += 5) {
            DataLoader loader(Noisy(), options_of(2, true, workers));
            int seen = 0;
            for ([[maybe_unused]] auto& batch : loader)
                if (++seen == batches) break;
            EXPECT_EQ(epoch_of(loader), second);
        }
    }
}

TEST(DataLoader, CanBeMovedWhileItsWorkersRun) {
    DataLoader loader(ten_rows(), options_of(3, false, 2));
    const auto first = epoch_of(loader);
    DataLoader moved = std::move(loader);
    EXPECT_EQ(epoch_of(moved), first);
}

TEST(DataLoader, ASecondLoopEndsTheFirstWithAnError) {
    DataLoader loader(ten_rows(), options_of(5));
    const std::string error = error_of([&] {
        for ([[maybe_unused]] auto& outer : loader)
            for ([[maybe_unused]] auto& inner : loader) {
            }
    });
    EXPECT_EQ(error,
              "DataLoader: another loop over the same loader was started, or its epoch was set, "
              "while this one was running. Make one loader per loop.");
    EXPECT_EQ(epoch_of(loader).size(), 2u);
}

TEST(DataLoader, AnEmptyDatasetHasNoBatches) {
    for (const int workers : {0, 2}) {
        DataLoader loader(Noisy{0}, options_of(4, true, workers));
        EXPECT_EQ(loader.size(), 0u);
        EXPECT_TRUE(epoch_of(loader).empty());
    }
}

TEST(DataLoader, SharesOfABatchAreItsRows) {
    const TensorDataset<1> data(Tensor::arange(21));  // the last batch has 5 examples
    const auto batches = [&](const DataLoaderOptions& options) {
        std::vector<std::vector<float>> all;
        for (auto& [x] : DataLoader(data, options)) all.push_back(x.to_vector());
        return all;
    };
    auto options = DataLoaderOptions().batch_size(8).shuffle(true);
    const auto whole = batches(options);
    for (const int workers : {0, 2}) {
        std::vector<std::vector<float>> joined(whole.size());
        for (int share = 0; share < 3; ++share) {
            const auto part = batches(options.num_workers(workers).share(share, 3));
            ASSERT_EQ(part.size(), whole.size());
            for (std::size_t i = 0; i < part.size(); ++i)
                joined[i].insert(joined[i].end(), part[i].begin(), part[i].end());
        }
        EXPECT_EQ(joined, whole);
    }
}

TEST(DataLoader, RefusesSharesWithoutAnExample) {
    const TensorDataset<1> data(Tensor::arange(21));
    auto options = DataLoaderOptions().batch_size(10).share(0, 2);
    EXPECT_EQ(error_of([&] { DataLoader loader(data, options); }),
              "DataLoader: the smallest batch has 1 examples for 2 shares. Ask for larger batches; "
              "drop_last leaves out a smaller last one.");
    EXPECT_EQ(DataLoader(data, options.drop_last(true)).size(), 2u);
    EXPECT_EQ(error_of([&] { options.share(2, 2); }),
              "DataLoaderOptions::share: share 2 of 2. Give 0 to 1 of at least 1.");
}

TEST(DataLoader, SaysWhichOptionIsWrong) {
    EXPECT_EQ(error_of([] { DataLoader(Plain(), options_of(0)); }),
              "DataLoader: batch_size is 0. Ask for at least 1 example per batch.");
    EXPECT_EQ(error_of([] { DataLoader(Plain(), options_of(1, false, -1)); }),
              "DataLoader: num_workers is -1. Ask for 0 to 256; num_workers() is the number of "
              "cores.");
    DataLoaderOptions options = options_of(1, false, 1);
    options.prefetch(0);
    EXPECT_EQ(error_of([&] { DataLoader(Plain(), options); }),
              "DataLoader: prefetch is 0. Ask for 1 to 1024 batches per worker.");
}

struct Numbered {
    std::size_t first = 0;
    std::size_t size() const { return 2; }
    std::size_t get(std::size_t index) const { return first + index; }
};

TEST(DataLoader, RefusesALabelThatInt32CannotHold) {
    for (const std::size_t wrong : {static_cast<std::size_t>(-1), std::size_t{1} << 31}) {
        DataLoader loader(Numbered{wrong}, options_of(1));
        EXPECT_EQ(error_of([&] { epoch_of(loader); }),
                  "DataLoader: get(0) threw: lanes::Error: Tensor::from: element 0 is " +
                      std::to_string(wrong) +
                      ", which int32 cannot hold. Convert the values first.");
    }
    DataLoader largest(Numbered{(std::size_t{1} << 31) - 2}, options_of(2));
    for (auto& [y] : largest) EXPECT_EQ(y.to_vector<int>()[1], 2147483647);
}

struct Weighted {  // forgets that its weight requires gradients
    Tensor weight = Tensor::ones({3}).requires_grad_();
    std::size_t size() const { return 2; }
    Tensor get(std::size_t index) const { return index == 0 ? weight.detach() : 2 * weight; }
};

TEST(DataLoader, RefusesExamplesThatRequireGradients) {
    const std::string advice =
        " requires gradients, which a batch would lose. Give tensor.detach(), or compute it while "
        "a lanes::NoGrad exists.";
    for (const int workers : {0, 1}) {
        Tensor x = Tensor::ones({4, 2});
        DataLoader rows(TensorDataset(Tensor::zeros({4}), x.requires_grad_()),
                        options_of(2, false, workers));
        EXPECT_EQ(error_of([&] { epoch_of(rows); }), "DataLoader: tensor 1 of example 0" + advice);
        DataLoader detached(TensorDataset(x.detach()), options_of(2, false, workers));
        EXPECT_EQ(epoch_of(detached).size(), 2u);
        DataLoader computed(Weighted(), options_of(2, false, workers));
        EXPECT_EQ(error_of([&] { epoch_of(computed); }),
                  "DataLoader: tensor 0 of example 1" + advice);
    }
}

TEST(DataLoader, ExamplesLiveOnTheCpu) {
    DataLoader loader(TensorDataset(Tensor::zeros({4}, "simulator")), options_of(2));
    EXPECT_EQ(error_of([&] { epoch_of(loader); }),
              "DataLoader: tensor 0 of example 0 lives on simulator. Return tensors on the cpu, "
              "and copy each batch: x.to(device).");
}

}  // namespace
