#include "lanes/lesson/network_pictures.hpp"

#include "lanes/base/error.hpp"
#include "lanes/lesson/spare_network.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using lanes::Matrix;
namespace pictures = lanes::pictures;

template <class F>
std::string output_of(const F& show) {
    testing::internal::CaptureStdout();
    show();
    return testing::internal::GetCapturedStdout();
}

const lanes::Parameters network{{Matrix{{1, 2, -1}, {-1, 0.5, 0}}, Matrix{{1}, {-2}, {0.5}}},
                                {lanes::Vector{0, 1, 2}, lanes::Vector{0}}};

TEST(NetworkPictures, DescribeWhatTheyShow) {
    EXPECT_NE(output_of(pictures::neuron).find("one neuron"), std::string::npos);
    EXPECT_NE(output_of(pictures::network).find("weights a to f"), std::string::npos);
    const lanes::Pass pass = lanes::spare::forward(Matrix{{1, 2}}, network);
    EXPECT_NE(output_of([&] { pictures::forward_pass(pass, network); }).find("forward pass"),
              std::string::npos);
}

TEST(NetworkPictures, RefuseOtherSizes) {
    const lanes::Pass two = lanes::spare::forward(Matrix{{1, 2}, {3, 4}}, network);
    EXPECT_THROW(pictures::forward_pass(two, network), lanes::Error);
    EXPECT_THROW(pictures::backward_pass(Matrix{{1, 2}}, {}), lanes::Error);
}

TEST(NetworkPictures, GradientCheckHasBothNumbersOfEachWeight) {
    const std::string text = output_of([] {
        pictures::gradient_check(network.weights, [](std::size_t l, std::size_t i, std::size_t j) {
            return static_cast<double>(100 * l + 10 * i + j);
        });
    });
    for (const char* part : {"b", "-1.000", "11.000", "r", "0.500", "120.000"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST(NetworkPictures, MistakesAndConfusionNameTheDigits) {
    const lanes::Dataset images{xt::zeros<float>({2, 4}), Matrix{{1, 0, 0}, {0, 1, 0}}};
    const Matrix outputs{{1, 0, 0}, {0, 0, 1}};
    EXPECT_NE(output_of([&] { pictures::mistakes(images, outputs, 5); }).find("said 2, true 1"),
              std::string::npos);
    EXPECT_NE(output_of([&] { pictures::mistakes(images, images.y, 5); }).find("No image"),
              std::string::npos);
    const Matrix counts = lanes::spare::confusion(outputs, images.y);
    EXPECT_NE(output_of([&] { pictures::confusion(counts); }).find("says 2, the true digit is 1"),
              std::string::npos);
}

}  // namespace
