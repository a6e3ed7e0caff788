// Random loaders. loaders.py makes them, with the batches in the order of the dataset.
#include "programs.hpp"

#include "lanes/data/data_loader.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lanes_random {
namespace {

using lanes::DataLoaderOptions;

// Each example is a tensor, its number, and a random number.
struct Examples {
    explicit Examples(const Json& program)
        : count(program.at("size")), shape(shape_of(program.at("shape"))), seed(program["seed"]) {}
    std::size_t size() const { return count; }
    std::tuple<Tensor, int, double> get(std::size_t index, lanes::Rng& rng) const {
        return {filled(shape, "normal", seed + static_cast<std::uint32_t>(index)),
                static_cast<int>(index), rng.uniform()};
    }
    std::size_t count;
    Shape shape;
    std::uint32_t seed;
};

DataLoaderOptions options_of(const Json& program) {
    return DataLoaderOptions()
        .batch_size(program.at("batch_size").get<std::size_t>())
        .drop_last(program.at("drop_last").get<bool>())
        .seed(program.at("seed").get<std::uint64_t>());
}

struct Epoch {
    std::vector<std::vector<int>> batches;  // numbers of the examples
    std::vector<float> values;
    bool operator==(const Epoch& other) const {
        return batches == other.batches && values == other.values;
    }
};

Epoch epoch_of(lanes::DataLoader<3>& loader) {
    Epoch epoch;
    for (auto& [x, labels, random] : loader) {
        epoch.batches.push_back(labels.to_vector<int>());
        for (const Tensor& part : {x, random})
            for (const float value : part.to_vector()) epoch.values.push_back(value);
    }
    EXPECT_EQ(epoch.batches.size(), loader.size());
    return epoch;
}

std::vector<std::size_t> sizes_of(const Epoch& epoch) {
    std::vector<std::size_t> sizes;
    for (const auto& batch : epoch.batches) sizes.push_back(batch.size());
    return sizes;
}

std::vector<int> all_of(const Epoch& epoch) {
    std::vector<int> all;
    for (const auto& batch : epoch.batches) all.insert(all.end(), batch.begin(), batch.end());
    return all;
}

TEST(RandomLoaders, GiveTheBatchesOfPyTorch) {
    for (const Json& program : programs_of("loaders")) {
        lanes::DataLoader<3> loader(Examples(program), options_of(program));
        const Json& expected = program.at("batches");
        ASSERT_EQ(loader.size(), expected.size());
        std::size_t number = 0;
        for (auto& [x, labels, random] : loader) {
            EXPECT_EQ(difference(x, expected[number][0], {1e-5, 1e-5}), "") << program;
            EXPECT_EQ(labels.to_vector<int>(), expected[number][1].get<std::vector<int>>());
            ++number;
        }
        EXPECT_EQ(number, expected.size());
    }
}

TEST(RandomLoaders, ShuffleByTheSeedAndTakeEveryExampleOnce) {
    for (const Json& program : programs_of("loaders")) {
        const auto shuffled = options_of(program).shuffle(true);
        lanes::DataLoader<3> in_order(Examples(program), options_of(program));
        lanes::DataLoader<3> loader(Examples(program), shuffled);
        lanes::DataLoader<3> again(Examples(program), shuffled);
        std::vector<Epoch> epochs;
        for (int e = 0; e < 3; ++e) {
            epochs.push_back(epoch_of(loader));
            EXPECT_EQ(epochs.back(), epoch_of(again)) << "epoch " << e << " of " << program;
            EXPECT_EQ(sizes_of(epochs.back()), sizes_of(epoch_of(in_order)));
            std::vector<int> seen = all_of(epochs.back());
            std::sort(seen.begin(), seen.end());
            EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end()) << program;
            if (!seen.empty()) EXPECT_TRUE(seen.front() >= 0 && seen.back() < program["size"]);
        }
        loader.set_epoch(1);
        EXPECT_EQ(epoch_of(loader), epochs[1]) << program;
        if (all_of(epochs[0]).size() < 10) continue;  // few examples may have the same order again
        EXPECT_NE(all_of(epochs[0]), all_of(epochs[1])) << program;
        auto other_seed = shuffled;
        other_seed.seed(shuffled.seed() + 1);
        lanes::DataLoader<3> other(Examples(program), other_seed);
        EXPECT_NE(all_of(epochs[0]), all_of(epoch_of(other))) << program;
    }
}

TEST(RandomLoaders, GiveTheSameBatchesWithWorkers) {
    for (const Json& program : programs_of("loaders")) {
        const auto options = options_of(program).shuffle(program.at("shuffle").get<bool>());
        auto with_workers = options;
        with_workers.num_workers(program.at("num_workers").get<int>());
        lanes::DataLoader<3> loader(Examples(program), options);
        lanes::DataLoader<3> by_workers(Examples(program), with_workers);
        for (int e = 0; e < 2; ++e) EXPECT_EQ(epoch_of(by_workers), epoch_of(loader)) << program;
    }
}

}  // namespace
}  // namespace lanes_random
