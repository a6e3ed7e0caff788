// The fast step, as a network uses it, against the plain step.
#include "mlp/fast_step.hpp"

#include "lanes/mlp/network.hpp"
#include "mlp/options_of.hpp"
#include "mlp/random_data.hpp"

#include <gtest/gtest.h>

namespace {

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
void fast_equals_plain(const Case& each, double tolerance) {
    const auto data = random_data<T>(200, each.sizes.front(), each.sizes.back(), each.zeros);
    const lanes::TrainingOptions options = options_of(0.1, each.batch, all_images, 7);
    lanes::BasicNeuralNetwork<T> plain(each.sizes, options, own_matmul<T>());
    lanes::BasicNeuralNetwork<T> fast(each.sizes, options);
    plain.fit(data, 3);
    fast.fit(data, 3);
    for (std::size_t layer = 0; layer + 1 < each.sizes.size(); ++layer) {
        lanes::require_close(fast.weights()[layer], plain.weights()[layer], {tolerance, tolerance});
        lanes::require_close(fast.biases()[layer], plain.biases()[layer], {tolerance, tolerance});
    }
    EXPECT_NEAR(fast.history().back().loss, plain.history().back().loss, tolerance * 10);
}

// Widths that are no multiple of a piece, batches of which the last one is smaller, images without
// zeros and images that are black.
TEST(FastStep, EqualsThePlainStep) {
    for (const Case& each :
         {Case{{784, 128, 64, 10}, 16, 0.8}, Case{{784, 128, 64, 10}, 16, 0.0},
          Case{{30, 7}, 16, 0.9}, Case{{30, 7}, 9, 0.1}, Case{{19, 33, 70, 5, 3}, 7, 0.5},
          Case{{64, 100, 1}, 100, 0.9}, Case{{50, 130, 2}, 1, 0.7}, Case{{40, 96, 260, 5}, 16, 0.5},
          Case{{40, 16, 100, 5}, 16, 1.0}}) {
        SCOPED_TRACE(each.sizes.size());
        fast_equals_plain<float>(each, 2e-5);
        fast_equals_plain<double>(each, 1e-12);
    }
}

}  // namespace
