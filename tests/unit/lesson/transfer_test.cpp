#include "lanes/lesson/plates_pictures.hpp"
#include "lanes/lesson/plates_training.hpp"
#include "lanes/lesson/resnet_layers.hpp"
#include "lanes/lesson/spare_transfer.hpp"

#include "lanes/array/compare.hpp"
#include "lanes/tensor/ops.hpp"

#include "../error_of.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using lanes::Tensor;
using lanes_test::error_of;

namespace plates = lanes::plates;
namespace resnet = lanes::resnet;
namespace spare = lanes::spare;

TEST(OwnOptimizer, WithTheAdamStepItIsAdam) {
    const auto train = [](bool own) {
        Tensor w = Tensor::of({{1, -2}, {3, 4}}).requires_grad_();
        lanes::Adam adam({w}, 0.1);
        plates::OwnOptimizer by_hand({w}, 0.1, spare::adam_step);
        lanes::Optimizer& optimizer = own ? static_cast<lanes::Optimizer&>(by_hand) : adam;
        for (int step = 0; step < 5; ++step) {
            if (step == 3) optimizer.set_learning_rate(0.01);
            Tensor loss = lanes::sum(lanes::square(w) * Tensor::of({{1, 100}, {0.01f, 3}}));
            optimizer.zero_grad();
            loss.backward();
            optimizer.step();
        }
        return w.detach().to_xtensor<2>();
    };
    lanes::require_close(train(true), train(false), {1e-5, 1e-5});
}

TEST(ShowRates, FindsTheFirstEpochOfTheEarlyStep) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(plates::show_rates(spare::step_lr), 6);
    const auto constant = [](double initial, int, int, double) { return initial; };
    EXPECT_EQ(plates::show_rates(constant), 100);
    testing::internal::GetCapturedStdout();
}

TEST(Predictions, CallTheFunctionForEachNetworkInTurn) {
    lanes::ResNet network = lanes::resnet18(2);
    double calls = 0;
    testing::internal::CaptureStdout();
    const auto found =
        plates::predictions({{"one", &network}, {"other", &network}}, [&](auto& net) {
            EXPECT_EQ(&net, &network);
            return plates::Predicted{{}, ++calls};
        });
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "test pictures, network: 2 of 2\n");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].first, "one");
    EXPECT_EQ(found[0].second.seconds, 1);
    EXPECT_EQ(found[1].second.seconds, 2);
}

TEST(ShowTest, GivesTheAccuracyOfTheLastNetwork) {
    const plates::Predicted wrong{{{1, 0}, {1, 0}, {1, 0}, {0, 1}}, 1};
    const plates::Predicted right{{{0.4f, 0.6f}, {0.7f, 0.3f}, {0.2f, 0.8f}, {1, 0}}, 1};
    testing::internal::CaptureStdout();
    EXPECT_EQ(plates::show_test({{"wrong", wrong}, {"right", right}}, {1, 0, 1, 1}), 0.75);
    EXPECT_EQ(plates::show_test({{"wrong", wrong}}, {}), 0);
    EXPECT_NE(testing::internal::GetCapturedStdout().find("Nobody has published"),
              std::string::npos);
    EXPECT_NE(error_of([&] { plates::show_test({{"wrong", wrong}}, {1, 0}); }), "");
}

TEST(TrainHead, LearnsFeaturesThatSeparateTheClasses) {
    lanes::manual_seed(1);
    plates::Features features{Tensor::randn({40, 512}), {}};
    for (int i = 0; i < 40; ++i) {
        features.labels.push_back(i / 20);
        features.x[static_cast<std::size_t>(i)].slice(0, 8).fill_(i < 20 ? -3.0f : 3.0f);
    }
    const auto accuracy_of = plates::head_trainer(features, [](int) { return 1e-3; });
    EXPECT_EQ(spare::cross_validate(40, 6, accuracy_of), 1);
}

TEST(CompareBlocks, AWrongBlockIsFound) {
    testing::internal::CaptureStdout();
    lanes::ResNet net = lanes::resnet18(3);
    EXPECT_EQ(error_of([&] { resnet::compare_blocks(net, spare::residual_block); }), "");
    const auto without_x = [](resnet::ResidualParts& parts, const Tensor& x) {
        return lanes::relu(parts.bn2(parts.conv2(lanes::relu(parts.bn1(parts.conv1(x))))));
    };
    EXPECT_NE(error_of([&] { resnet::compare_blocks(net, without_x); }), "");
    EXPECT_EQ(error_of([&] { resnet::compare_norms(net, spare::batch_norm); }), "");
    const auto always = [](const lanes::Tensor4& x, resnet::BatchNormState& state, bool) {
        return spare::batch_norm(x, state, true);
    };
    EXPECT_NE(error_of([&] { resnet::compare_norms(net, always); }), "");
    const Tensor picture = Tensor::rand({3, 224, 224});
    EXPECT_EQ(resnet::compare_conv1(net, picture, spare::im2col, spare::convolution), 12.25);
    testing::internal::GetCapturedStdout();
}

}  // namespace
