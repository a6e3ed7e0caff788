#include "lanes/mlp/functions.hpp"

#include "lanes/array.hpp"

#include <gtest/gtest.h>
#include <xtensor/xview.hpp>

#include <cmath>

namespace {

using lanes::Error;
using lanes::Matrix;
using lanes::Rng;
using lanes::Vector;

TEST(Xavier, IsUniformWithinOneOverTheRootOfTheInputs) {
    Rng rng(1);
    const Matrix w = lanes::xavier_initialization(100, 400, rng);
    double mean = 0, square = 0;
    for (const float value : w) {
        EXPECT_GE(value, -0.1f);
        EXPECT_LT(value, 0.1f);
        mean += value / static_cast<double>(w.size());
        square += value * value / static_cast<double>(w.size());
    }
    EXPECT_NEAR(mean, 0, 0.002);
    EXPECT_NEAR(square, 0.01 / 3, 1e-4);
    EXPECT_THROW(lanes::xavier_initialization(0, 3, rng), Error);
    EXPECT_NE(lanes::xavier_initialization<double>(2, 2, rng)(0, 0), 0.0);
}

TEST(RandomWeights, HasOneMatrixPerPairOfLayersAndDependsOnTheSeed) {
    Rng one(5), same(5), other(6);
    const auto w = lanes::random_weights({784, 128, 64, 10}, one);
    ASSERT_EQ(w.size(), 3u);
    EXPECT_EQ(w[0].shape(), (std::array<std::size_t, 2>{784, 128}));
    EXPECT_EQ(w[2].shape(), (std::array<std::size_t, 2>{64, 10}));
    for (const float value : w[1]) EXPECT_LE(std::fabs(value), 1 / std::sqrt(128.f));
    EXPECT_EQ(w[2], lanes::random_weights({784, 128, 64, 10}, same)[2]);
    EXPECT_NE(w[2], lanes::random_weights({784, 128, 64, 10}, other)[2]);
    EXPECT_THROW(lanes::random_weights({784}, one), Error);
    EXPECT_THROW(lanes::random_weights({784, 0}, one), Error);
}

TEST(Zeros, HaveTheShapesOfTheAssignmentsExample) {
    const auto w = lanes::zeros_weights({2, 3, 1});
    const auto b = lanes::zeros_biases({2, 3, 1});
    EXPECT_EQ(w, (lanes::Weights<float>{Matrix{{0, 0, 0}, {0, 0, 0}}, Matrix{{0}, {0}, {0}}}));
    EXPECT_EQ(b, (lanes::Biases<float>{Vector{0, 0, 0}, Vector{0}}));
    EXPECT_THROW(lanes::zeros_weights({}), Error);
    EXPECT_THROW(lanes::zeros_biases({3}), Error);
    EXPECT_EQ(lanes::zeros_biases<double>({1, 2})[0].size(), 2u);
}

TEST(CreateBatches, TakesConsecutiveRowsAndTheLastBatchMayBeSmaller) {
    const Matrix x{{1}, {2}, {3}, {4}, {5}}, y{{1, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 1}};
    const auto batches = lanes::create_batches(x, y, 2);
    ASSERT_EQ(batches.size(), 3u);  // batches of 2, and not 2 batches
    EXPECT_EQ(batches[0].x, (Matrix{{1}, {2}}));
    EXPECT_EQ(batches[1].y, (Matrix{{1, 0}, {0, 1}}));
    EXPECT_EQ(batches[2].x, (Matrix{{5}}));
    EXPECT_EQ(lanes::create_batches(x, y, 9).size(), 1u);
    EXPECT_THROW(lanes::create_batches(x, y, 0), Error);
    try {
        lanes::create_batches(x, Matrix{{1, 0}}, 2);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("5 images but 1 labels"), std::string::npos);
    }
}

TEST(CreateBatches, TakesViews) {
    const Matrix x{{1}, {2}, {3}, {4}}, y{{1, 0}, {0, 1}, {1, 0}, {0, 1}};
    auto rows = xt::range(1, 4);
    const auto batches =
        lanes::create_batches(xt::view(x, rows, xt::all()), xt::view(y, rows, xt::all()), 2);
    ASSERT_EQ(batches.size(), 2u);
    EXPECT_EQ(batches[0].x, (Matrix{{2}, {3}}));
    EXPECT_EQ(batches[1].y, (Matrix{{0, 1}}));
}

TEST(AddElementwise, AddsListsOfMatricesAndOfVectors) {
    EXPECT_EQ(lanes::add_elementwise<Matrix>({Matrix{{1, 2}}, Matrix{{3}}},
                                             {Matrix{{10, 20}}, Matrix{{30}}}),
              (std::vector<Matrix>{Matrix{{11, 22}}, Matrix{{33}}}));
    EXPECT_EQ(lanes::add_elementwise<Vector>({Vector{1, 2}}, {Vector{3, 4}}),
              (std::vector<Vector>{Vector{4, 6}}));
    EXPECT_THROW(lanes::add_elementwise<Vector>({Vector{1}}, {}), Error);
    try {
        lanes::add_elementwise<Matrix>({Matrix{{1, 2}}}, {Matrix{{1}, {2}}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("shape (1, 2) in the first list and (2, 1)"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
