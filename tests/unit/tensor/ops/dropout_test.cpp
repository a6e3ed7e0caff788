// Dropout draws its masks at random: the tests look at what must hold for every mask, and compare
// counts with what is expected of independent draws, within five standard deviations.
#include "lanes/tensor.hpp"
#include "tensor/devices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

using lanes::OnEachDevice, lanes::device_names, lanes::test_name;
using lanes::Tensor;

class Dropout : public OnEachDevice {};

// 1 where an element was kept.
std::vector<int> kept_of(const Tensor& y) {
    std::vector<int> kept;
    for (const float value : y.detach().cpu().to_vector()) kept.push_back(value != 0 ? 1 : 0);
    return kept;
}

void expect_count(double count, double trials, double p) {
    EXPECT_NEAR(count, trials * p, 5 * std::sqrt(trials * p * (1 - p))) << "p = " << p;
}

// Of two kept elements. Two pairs may share an element, so their number varies more than that of
// independent pairs.
void expect_pairs(double count, double pairs, double q) {
    const double variance =
        pairs * (q * q - std::pow(q, 4) + 2 * (std::pow(q, 3) - std::pow(q, 4)));
    EXPECT_NEAR(count, pairs * q * q, 5 * std::sqrt(variance)) << "p = " << 1 - q;
}

TEST_P(Dropout, KeepsIndependentElementsAndTheirMean) {
    lanes::manual_seed(11);
    const std::size_t rows = 64, columns = 65;
    const double all = rows * columns;
    for (const float p : {0.1f, 0.5f, 0.9f}) {
        const Tensor ones = Tensor::ones({rows, columns}, device());
        const Tensor y = lanes::dropout(ones, p, true);
        const std::vector<int> kept = kept_of(y);
        const double q = 1 - static_cast<double>(p);
        double count = 0, neighbours = 0, below = 0;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            count += kept[i];
            if (i + 1 < kept.size()) neighbours += kept[i] * kept[i + 1];
            if (i + columns < kept.size()) below += kept[i] * kept[i + columns];
        }
        expect_count(count, all, q);
        expect_pairs(neighbours, all - 1, q);
        expect_pairs(below, all - columns, q);
        double mean = 0, square = 0;
        for (const float value : y.cpu().to_vector()) {
            mean += static_cast<double>(value) / all;
            square += static_cast<double>(value) * static_cast<double>(value) / all;
        }
        // An element is 1 / q with the probability q: the mean is 1, the variance p / q.
        EXPECT_NEAR(mean, 1, 5 * std::sqrt((1 - q) / q / all)) << p;
        EXPECT_NEAR(mean * mean / square, q, 1e-6 + 5 * std::sqrt(q * (1 - q) / all)) << p;
    }
}

TEST_P(Dropout, UsesTheSameMaskForwardAndBackward) {
    lanes::manual_seed(12);
    for (const float p : {0.2f, 0.7f}) {
        Tensor x = Tensor::rand({37, 29}, device()) + 0.5f;
        x.requires_grad_();
        const Tensor weight = Tensor::rand({37, 29}, device()) + 0.5f;
        const Tensor y = lanes::dropout(x, p, true);
        lanes::sum(y * weight).backward();
        const std::vector<float> in = x.detach().cpu().to_vector();
        const std::vector<float> out = y.detach().cpu().to_vector();
        const std::vector<float> w = weight.cpu().to_vector();
        const std::vector<float> gradient = x.grad().cpu().to_vector();
        for (std::size_t i = 0; i < in.size(); ++i) {
            const float factor = out[i] == 0 ? 0 : 1 / (1 - p);
            ASSERT_FLOAT_EQ(out[i], in[i] * factor) << i;
            ASSERT_FLOAT_EQ(gradient[i], w[i] * factor) << i;
        }
    }
}

TEST_P(Dropout, DrawsANewMaskInEachCallAndTheSameOnesForASeed) {
    const Tensor ones = Tensor::ones({500}, device());
    const auto masks = [&](std::uint64_t seed) {
        lanes::manual_seed(seed);
        std::vector<std::vector<int>> two;
        for (int i = 0; i < 2; ++i) two.push_back(kept_of(lanes::dropout(ones, 0.5f, true)));
        return two;
    };
    const auto first = masks(13);
    EXPECT_NE(first[0], first[1]);
    EXPECT_EQ(first, masks(13));
    EXPECT_NE(first, masks(14));
}

INSTANTIATE_ON_EACH_DEVICE(Dropout);

}  // namespace
