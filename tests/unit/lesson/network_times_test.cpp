#include "lanes/lesson/network_times.hpp"

#include "lanes/base/error.hpp"
#include "lanes/lesson/spare_network.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

TEST(NetworkTimes, TrainingRunsItsEpochsAndShowsThem) {
    lanes::Training first("rate 0.1"), second("rate 0.2");
    EXPECT_THROW(first.accuracy(), lanes::Error);
    int epochs = 0;
    testing::internal::CaptureStdout();
    first.run(3, [&] { ++epochs; }, [&] { return epochs / 4.0; });
    second.run(3, [] {}, [] { return 0.5; });
    first.show_curve();
    first.show_beside(second);
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_EQ(epochs, 3);
    EXPECT_DOUBLE_EQ(first.accuracy(), 0.75);
    EXPECT_DOUBLE_EQ(first.accuracy(1), 0.25);
    for (const char* part : {"Epoch 2, accuracy 50.00 %.", "rate 0.2", "75.00 %"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST(NetworkTimes, CostsAreThoseOfAllParts) {
    lanes::Rng rng(3);
    const lanes::Parameters network{lanes::spare::random_weights({20, 9, 5}, rng),
                                    lanes::spare::zeros_biases({20, 9, 5})};
    const lanes::Dataset training{xt::zeros<float>({64, 20}), xt::zeros<float>({64, 5})};
    const lanes::pictures::StepParts parts{lanes::spare::forward, lanes::spare::backward,
                                           lanes::spare::descend, lanes::spare::create_batches,
                                           lanes::spare::matmul};
    testing::internal::CaptureStdout();
    const double share = lanes::pictures::step_costs(parts, network, training);
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_GT(share, 0);
    EXPECT_NE(text.find("your epoch, with your matmul"), std::string::npos) << text;
    EXPECT_NE(text.find("an epoch of lanes::NeuralNetwork"), std::string::npos) << text;
    EXPECT_NE(text.find("On this machine: the library's epoch "), std::string::npos) << text;
}

TEST(NetworkTimes, SweepComparesSeedBySeed) {
    testing::internal::CaptureStdout();
    // 0.2 is always 1 pp better than 0.1, whatever the seed does; 0.3 is better or worse by chance
    const lanes::RateSweep sweep({0.1, 0.2, 0.3}, 4, [](double rate, std::uint64_t seed) {
        const double luck = seed % 2 == 0 ? 0.05 : -0.05;
        return 0.8 + (rate == 0.3 ? 0.009 - luck : rate / 10 + luck);
    });
    sweep.show();
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_DOUBLE_EQ(sweep.best(), 0.2);
    EXPECT_NE(text.find("The highest mean has the rate 0.2. Behind it by less than two standard "
                        "errors: 0.3."),
              std::string::npos)
        << text;
    EXPECT_THROW(lanes::RateSweep({0.1}, 1, {}), lanes::Error);
}

}  // namespace
