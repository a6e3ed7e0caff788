// That right answers pass; the wrong ones, with the words that each must be told, are in tests/mutants.
#include "lanes/notebook/exercises.hpp"

#include "lanes/nn/sigmoid.hpp"

#include <gtest/gtest.h>

namespace {

lanes::Matrix sigmoid(const lanes::Matrix& x) { return lanes::sigmoid(x); }
lanes::Matrix sigmoid_prime(const lanes::Matrix& x) { return lanes::sigmoid_prime(x); }
lanes::Weights<float> random_weights(const lanes::Sizes& sizes, lanes::Rng& rng) { return lanes::random_weights(sizes, rng); }

template <class F>
std::string printed(F&& f) {
    testing::internal::CaptureStdout();
    f();
    return testing::internal::GetCapturedStdout();
}

TEST(Exercises, right_answers_pass) {
    namespace e = lanes::exercises;
    EXPECT_EQ(printed([] { e::sigmoid().check(sigmoid); }), "sigmoid: passed, 8 cases.\n");
    EXPECT_EQ(printed([] { e::sigmoid_prime().check(sigmoid_prime); }), "sigmoid_prime: passed, 8 cases.\n");
    EXPECT_EQ(printed([] { e::random_weights().check(random_weights); }), "random_weights: passed, 6 cases.\n");
    EXPECT_EQ(printed([] { e::zeros_weights().check(lanes::zeros_weights<float>); }), "zeros_weights: passed, 5 cases.\n");
    EXPECT_EQ(printed([] { e::zeros_biases().check(lanes::zeros_biases<float>); }), "zeros_biases: passed, 5 cases.\n");
    EXPECT_EQ(printed([] { e::create_batches().check(lanes::create_batches<float>); }), "create_batches: passed, 9 cases.\n");
    EXPECT_EQ(printed([] { e::add_elementwise().check(lanes::add_elementwise<lanes::Matrix>, lanes::add_elementwise<lanes::Vector>); }),
              "add_elementwise: passed, 12 cases.\n");
}

TEST(Exercises, a_lambda_without_captures_is_an_answer_too) {
    EXPECT_NO_THROW(lanes::exercises::sigmoid().check([](const lanes::Matrix& x) { return lanes::sigmoid(x); }));
}

TEST(Exercises, wrong_answers_do_not) {
    namespace e = lanes::exercises;
    EXPECT_THROW(e::sigmoid().check(sigmoid_prime), lanes::CheckFailed);
    EXPECT_THROW(e::sigmoid_prime().check(sigmoid), lanes::CheckFailed);
    EXPECT_THROW(e::random_weights().check([](const lanes::Sizes& sizes, lanes::Rng&) { return lanes::zeros_weights<float>(sizes); }), lanes::CheckFailed);
    EXPECT_THROW(e::zeros_weights().check([](const lanes::Sizes& sizes) {
        lanes::Rng rng(1);
        return lanes::random_weights(sizes, rng);
    }),
                 lanes::CheckFailed);
}

TEST(Exercises, each_says_what_it_asks_for) {
    EXPECT_EQ(lanes::exercises::create_batches().name(), "create_batches");
    EXPECT_EQ(lanes::exercises::sigmoid().size_hint(), "one line");
    EXPECT_NE(lanes::exercises::sigmoid_prime().task().find("x is z"), std::string::npos);
}

}  // namespace
