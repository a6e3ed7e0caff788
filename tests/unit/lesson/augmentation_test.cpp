#include "lanes/lesson/augmentation.hpp"

#include "../error_of.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using lanes::Matrix;
using lanes_test::error_of;

lanes::Dataset images() {
    lanes::Dataset result{Matrix::from_shape({5, 784}), xt::zeros<float>({5, 10})};
    lanes::Rng(3).fill_uniform(result.x.data(), result.x.size(), 0, 1);
    return result;
}

std::vector<lanes::BatchJob> jobs(std::size_t number) {
    std::vector<lanes::BatchJob> result;
    for (std::size_t i = 0; i < number; ++i)
        result.push_back({i, {i % 5, 2}, xt::zeros<float>({2, 10}), {}});
    return result;
}

TEST(SpareMakeAll, BatchesComeInTheOrderOfTheJobsWhoeverMakesThem) {
    const auto one = lanes::spare::make_all(jobs(6), 1, images(), {}, 4);
    const auto three = lanes::spare::make_all(jobs(6), 3, images(), {}, 4);
    ASSERT_EQ(one.size(), 6);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(one[i].index, i);
        EXPECT_EQ(one[i].x, three[i].x);
    }
    EXPECT_NE(one[0].x, one[5].x);
    const auto plain = lanes::spare::make_all(jobs(1), 1, images(), {0, 0, 0, 0}, 4);
    EXPECT_EQ(plain[0].x, lanes::rows_of(images(), {0, 2}).x);
}

TEST(SpareMakeAll, WrongArgumentsAreRefused) {
    EXPECT_NE(error_of([] {
                  lanes::spare::make_all(jobs(1), 0, images(), {}, 4);
              }).find("Start at least one"),
              std::string::npos);
    auto late = jobs(1);
    late[0].index = 7;
    EXPECT_NE(error_of([&] { lanes::spare::make_all(late, 1, images(), {}, 4); }).find("from 0"),
              std::string::npos);
}

TEST(Augmentation, VariantsAreFourRowsOfSeven) {
    testing::internal::CaptureStdout();
    lanes::AugmentationLesson().show_variants(
        [](double, int, int, double, double) { return Matrix(xt::zeros<float>({28, 28})); });
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_NE(text.find("28 images, 7 in a row"), std::string::npos) << text;
    EXPECT_NE(text.find("tilt 0.36"), std::string::npos) << text;
}

}  // namespace
