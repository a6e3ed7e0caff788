#include "lanes/lesson/own_tape.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/not_filled_in.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

using lanes::Matrix;
using lanes::TapeNetwork;

double half_of_squares(const Matrix& m) { return 0.5 * xt::sum(xt::square(m))(); }

TEST(RequireGradient, AcceptsTheRightOne) {
    const lanes::TapeExample example;
    lanes::require_gradient("w1", example.w1, half_of_squares, example.w1);
}

TEST(RequireGradient, RefusesAnotherOneAndNaN) {
    const Matrix m{{1, 2}, {3, 4}};
    Matrix wrong = m;
    wrong(1, 0) += 0.1f;
    EXPECT_THROW(lanes::require_gradient("m", wrong, half_of_squares, m), lanes::Error);
    wrong(1, 0) = std::nanf("");
    EXPECT_THROW(lanes::require_gradient("m", wrong, half_of_squares, m), lanes::Error);
    EXPECT_THROW(lanes::require_gradient("m", {{1, 2}}, half_of_squares, m), lanes::Error);
}

std::string comparison(const lanes::TapeExample::Gradients& by_tape) {
    testing::internal::CaptureStdout();
    lanes::TapeExample().compare(by_tape, {{{1, 2}}});
    return testing::internal::GetCapturedStdout();
}

TEST(TapeExample, ComparesGradients) {
    EXPECT_EQ(comparison([] { return std::vector<Matrix>{{{1, 2}}}; }),
              "The library's gradients are those of your tape.\n");
    EXPECT_EQ(comparison([] { return std::vector<Matrix>{{{1, 2.5}}}; }),
              "The gradients differ by up to 0.5.\n");
    EXPECT_EQ(comparison([]() -> std::vector<Matrix> {
                  throw lanes::NotFilledIn("Fill in Tape::backward: three lines.");
              }),
              "Tape::backward is not filled in yet: this uses the library's version.\n");
}

TEST(TapeNetwork, AStepGoesDownhill) {
    TapeNetwork net = TapeNetwork::random({6, 5, 3}, 8);
    const Matrix x = xt::ones<float>({2, 6});
    double loss = lanes::spare::train_with_tape(net, x, {0, 2}, 0.1f);
    const double first = loss;
    for (int step = 0; step < 5; ++step) loss = lanes::spare::train_with_tape(net, x, {0, 2}, 0.1f);
    EXPECT_LT(loss, first);
}

TEST(TapeNetwork, ItsTrainingSaysWhetherBothAgree) {
    const auto shown = [](const TapeNetwork::Step& step) {
        testing::internal::CaptureStdout();
        EXPECT_GT(TapeNetwork::show_training(step), 0);
        return testing::internal::GetCapturedStdout();
    };
    const std::string right = shown(lanes::spare::train_with_tape);
    EXPECT_NE(right.find("The loss falls."), std::string::npos) << right;
    EXPECT_NE(right.find("Both trainings end with the same weights"), std::string::npos) << right;
    const std::string slow = shown([](auto& net, const auto& x, const auto& labels, float rate) {
        return lanes::spare::train_with_tape(net, x, labels, rate / 2);
    });
    EXPECT_NE(slow.find("The weights differ"), std::string::npos) << slow;
    const std::string empty = shown([](auto&, const auto&, const auto&, float) -> double {
        throw lanes::NotFilledIn("Fill in train_with_tape: twelve lines.");
    });
    EXPECT_NE(empty.find("train_with_tape is not filled in yet"), std::string::npos) << empty;
}

}  // namespace
