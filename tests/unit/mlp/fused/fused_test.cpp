// The fused step, as a network uses it: against the plain step, for several shapes and numbers of
// threads.
#include "mlp/fused/fused.hpp"

#include "lanes/mlp/network.hpp"
#include "mlp/options_of.hpp"
#include "mlp/random_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace {

using lanes::Dataset;
using lanes::NeuralNetwork;
using lanes_test::all_images;
using lanes_test::options_of;
using lanes_test::own_matmul;
using lanes_test::random_data;

struct Case {
    lanes::Sizes sizes;
    std::size_t batch;
    double zeros;
};

template <class T>
void fused_equals_plain(const Case& each, double tolerance) {
    const auto data = random_data<T>(200, each.sizes.front(), each.sizes.back(), each.zeros);
    lanes::BasicNeuralNetwork<T> plain(each.sizes, options_of(0.1, each.batch, all_images, 7),
                                       own_matmul<T>());
    plain.fit(data, 3);
    lanes::Weights<T> of_one_thread;
    for (const int threads : {1, 2, 3, 4}) {
        lanes::BasicNeuralNetwork<T> fused(each.sizes,
                                           options_of(0.1, each.batch, all_images, 7, threads));
        fused.fit(data, 3);
        if (threads == 1) of_one_thread = fused.weights();
        EXPECT_EQ(fused.weights(), of_one_thread) << threads << " threads";
        for (std::size_t layer = 0; layer + 1 < each.sizes.size(); ++layer) {
            lanes::require_close(fused.weights()[layer], plain.weights()[layer],
                                 {tolerance, tolerance});
            lanes::require_close(fused.biases()[layer], plain.biases()[layer],
                                 {tolerance, tolerance});
        }
        lanes::require_close(fused.predict(data.x), plain.predict(data.x), {tolerance, tolerance});
        EXPECT_NEAR(fused.history().back().loss, plain.history().back().loss, tolerance * 10);
    }
}

TEST(FusedStep, EqualsThePlainStep) {
    for (const Case& each :
         {Case{{784, 128, 64, 10}, 16, 0.8}, Case{{784, 128, 64, 10}, 16, 0.0},
          Case{{30, 7}, 16, 0.9}, Case{{30, 7}, 9, 0.1}, Case{{19, 33, 70, 5, 3}, 7, 0.5},
          Case{{64, 100, 1}, 100, 0.9}, Case{{50, 130, 2}, 1, 0.7}, Case{{40, 96, 260, 5}, 16, 0.5},
          Case{{40, 16, 100, 5}, 16, 0.0}}) {
        SCOPED_TRACE(each.sizes.size());
        fused_equals_plain<float>(each, 2e-5);
        fused_equals_plain<double>(each, 1e-12);
    }
}

TEST(FusedStep, ChoosingTheNumberOfThreadsChangesNoWeight) {
    const Dataset data = random_data(100, 20, 4, 0.5);
    for (const std::size_t batches : {2000, 300, 50}) {  // long trials, short ones, none
        const auto trained = [&](std::optional<int> threads) {
            NeuralNetwork network({20, 64, 4}, options_of(0.1, 8, batches, 1, threads));
            network.fit(data, 2);
            return network.weights();
        };
        EXPECT_EQ(trained({}), trained(1)) << batches << " batches";
    }
}

// Upper layers of this size are computed redundantly by each thread if a batch is small, and by all
// threads together if it is large.
TEST(FusedStep, TrainsOnSmallAndLargeBatchesInTurns) {
    const Dataset data = random_data(100, 20, 4, 0.5);  // seven batches of 14, then one of 2
    const auto trained = [&](int threads) {
        NeuralNetwork network({20, 96, 260, 4}, options_of(0.1, 14, all_images, 1, threads));
        network.on_progress([](const lanes::TrainingProgress&) {});  // one batch at a time
        network.fit(data, 3);
        return network.weights();
    };
    const auto of_one_thread = trained(1);
    for (const int threads : {2, 3, 8})
        EXPECT_EQ(trained(threads), of_one_thread) << threads << " threads";
}

// Images of class c are bright in the c-th part of their pixels: there is something to learn, from
// all pixels.
Dataset bright_by_class(Dataset data) {
    const std::size_t pixels = data.x.shape(1), classes = data.y.shape(1);
    for (std::size_t i = 0; i < data.size(); ++i)
        for (std::size_t pixel = 0; pixel < pixels; ++pixel)
            data.x(i, pixel) *= data.y(i, pixel * classes / pixels) > 0 ? 1.0f : 0.0f;
    return data;
}

TEST(FusedStep, TheAccuracyOfAnEpochIsThatOfValidate) {
    for (const lanes::Sizes& sizes :
         {lanes::Sizes{40, 20, 5}, lanes::Sizes{300, 150, 5},
          lanes::Sizes{30, 5}}) {  // the second: several strips of pixels, wide tiles
        const Dataset data = bright_by_class(random_data(64, sizes.front(), 5, 0.8));
        for (const std::size_t images :
             {1, 7, 8, 33, 100})  // less than a pair, a slice and one, several slices
            for (const double zeros : {0.9, 0.0})
                for (const int threads : {1, 3}) {
                    const Dataset validation =
                        bright_by_class(random_data(images, sizes.front(), 5, zeros, images));
                    NeuralNetwork network(sizes, options_of(0.05, 16, 200, 0, threads));
                    network.print_epochs(false);
                    int epochs = 0;
                    network.on_epoch([&](const lanes::EpochReport& report) {
                        EXPECT_EQ(report.accuracy, network.accuracy(validation))
                            << images << " images, epoch " << report.epoch;
                        ++epochs;
                    });
                    network.fit(data, validation, 4);
                    EXPECT_EQ(epochs, 4);
                }
    }
}

TEST(FusedStep, ImagesWithFewZerosGiveTheSameWeights) {
    // An image has few zeros if more than 40 % of its pixels are not 0. One pixel with the smallest
    // positive number makes the difference, and adds nothing to any sum.
    Dataset data = random_data(48, 50, 3, 0);
    for (std::size_t i = 0; i < data.size(); ++i)
        for (std::size_t pixel = 0; pixel < 50; ++pixel)
            data.x(i, pixel) = (pixel + i) % 5 < 2 ? data.x(i, pixel) + 0.1f : 0;
    Dataset more = data;
    for (std::size_t i = 0; i < more.size(); ++i)
        more.x(i, (4 + 50 - i) % 5) = std::numeric_limits<float>::denorm_min();
    const auto trained_on = [&](const Dataset& some) {
        NeuralNetwork network({50, 40, 3}, options_of(0.5, 16, all_images));
        network.fit(some, 3);
        return network;
    };
    const NeuralNetwork first = trained_on(data), second = trained_on(more);
    EXPECT_EQ(std::count(more.x.begin(), more.x.end(), 0.f) + 48,
              std::count(data.x.begin(), data.x.end(), 0.f));
    EXPECT_EQ(first.weights(), second.weights());
    EXPECT_EQ(first.biases(), second.biases());
    EXPECT_EQ(first.predict(data.x), second.predict(more.x));
}

}  // namespace
