#include "lanes/nn/layers.hpp"

#include "error_of.hpp"
#include "tensor/devices.hpp"

#include "lanes/nn/losses.hpp"
#include "lanes/tensor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace lanes {

using lanes_test::error_of;

class Layers : public OnEachDevice {};
INSTANTIATE_ON_EACH_DEVICE(Layers);

namespace {

Sequential small_cnn() {
    const auto halving = Conv2dOptions().stride(2).padding(1);
    return {Conv2d(1, 2, 3, Conv2dOptions().padding(1)),
            BatchNorm2d(2),
            ReLU(),
            MaxPool2d(2),
            Conv2d(2, 3, 3, halving),
            AdaptiveAvgPool2d(2),
            Tanh(),
            Flatten(),
            Linear(12, 3)};
}

std::vector<std::string> names_of(const NamedTensors& tensors) {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : tensors) names.push_back(name);
    return names;
}

// A module of a user: two layers, and one of them twice.
struct Net : Module {
    Linear first = register_module("first", Linear(4, 4));
    Linear output = register_module("output", Linear(4, 2));
    Tensor forward(const Tensor& x) override { return output(relu(first(relu(first(x))))); }
};

}  // namespace

TEST_P(Layers, TheGradientsOfASmallCnnAreTheCentralDifferences) {
    manual_seed(3);
    Sequential model = small_cnn();
    model.to(device());
    const Tensor x = Tensor::rand({2, 1, 6, 6}, device());
    const Tensor labels = Tensor::from(std::vector<int>{0, 2}, device());
    const CrossEntropyLoss loss_function;
    loss_function(model(x), labels).backward();
    for (auto& [name, parameter] : model.named_parameters()) {
        const std::vector<float> gradient = parameter.grad().cpu().to_vector();
        const std::vector<float> values = parameter.detach().cpu().to_vector();
        const std::size_t step = device().is_cpu() ? 1 : 7;  // the simulator is slow
        for (std::size_t i = 0; i < values.size(); i += step) {
            const NoGrad no_grad;
            constexpr float h = 1e-2f;
            double loss[2];
            for (const int side : {0, 1}) {
                std::vector<float> changed = values;
                changed[i] += side == 0 ? -h : h;
                parameter.copy_(Tensor::from(changed).reshape(parameter.shape()));
                loss[side] = loss_function(model(x), labels).item();
            }
            parameter.copy_(Tensor::from(values).reshape(parameter.shape()));
            EXPECT_NEAR(gradient[i], (loss[1] - loss[0]) / (2 * h), 2e-3) << name << " " << i;
        }
    }
}

TEST_P(Layers, AFusedLinearAndActivationEqualsTheTwoLayers) {
    manual_seed(1);
    Sequential fused{Linear(5, 4), ReLU(), Linear(4, 3), Sigmoid(), Linear(3, 2)};
    fused.to(device());
    const Tensor x = Tensor::randn({7, 5}, device());
    Tensor y = x;
    for (std::size_t i = 0; i < fused.size(); ++i) y = fused[i](y);
    EXPECT_EQ(fused(x).cpu().to_vector(), y.cpu().to_vector());
}

TEST_P(Layers, TrainingMovesTheRunningStatisticsAndEvaluationUsesThem) {
    BatchNorm2d norm(1);
    norm.to(device());
    const Tensor x = Tensor::from(std::vector<float>{1, 2, 3, 6}, device()).reshape({4, 1, 1, 1});
    norm(x);
    // mean 3, variance of the sample 14 / 3; a tenth of the way from 0 and 1
    EXPECT_NEAR(norm.running_mean().at({0}), 0.3f, 1e-6);
    EXPECT_NEAR(norm.running_var().at({0}), 0.9f + 1.4f / 3, 1e-6);
    norm.eval();
    const float expected = (6 - 0.3f) / std::sqrt(0.9f + 1.4f / 3 + 1e-5f);
    EXPECT_NEAR(norm(x).at({3, 0, 0, 0}), expected, 1e-4);
    EXPECT_NEAR(norm.running_mean().at({0}), 0.3f, 1e-6);
}

TEST_P(Layers, DropoutDropsInTrainingOnly) {
    manual_seed(5);
    Dropout dropout(0.25f);
    const Tensor x = Tensor::ones({400}, device());
    const std::vector<float> trained = dropout(x).cpu().to_vector();
    const auto dropped = std::count(trained.begin(), trained.end(), 0.0f);
    EXPECT_GT(dropped, 60);
    EXPECT_LT(dropped, 140);
    EXPECT_EQ(dropped + std::count(trained.begin(), trained.end(), 1 / 0.75f), 400);
    dropout.eval();
    EXPECT_EQ(dropout(x).cpu().to_vector(), std::vector<float>(400, 1));
}

TEST_P(Layers, AModelComputesOnTheDeviceThatItWasMovedTo) {
    manual_seed(2);
    Sequential model = small_cnn();
    model.eval();
    const Tensor x = Tensor::rand({2, 1, 6, 6});
    const std::vector<float> expected = model(x).to_vector();
    model.to(device());
    for (const auto& [name, tensor] : model.state_dict()) EXPECT_EQ(tensor.device(), device());
    const std::vector<float> y = model(x.to(device())).cpu().to_vector();
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], expected[i], 1e-5) << i;
}

TEST(Module, HasTheNamesOfPytorch) {
    const Sequential model{Sequential{Linear(2, 3)}, BatchNorm2d(3), Net()};
    EXPECT_EQ(names_of(model.state_dict()),
              (std::vector<std::string>{"0.0.weight", "0.0.bias", "1.weight", "1.bias",
                                        "1.running_mean", "1.running_var", "2.first.weight",
                                        "2.first.bias", "2.output.weight", "2.output.bias"}));
    EXPECT_EQ(names_of(model.named_buffers()),
              (std::vector<std::string>{"1.running_mean", "1.running_var"}));
    EXPECT_EQ(model.parameter("2.output.weight").shape(), (Shape{2, 4}));
    EXPECT_EQ(model.parameter_count(), 2 * 3 + 3 + 2 * 3 + 5 * 4 + 5 * 2u);
    EXPECT_EQ(error_of([&] { Sequential{Linear(2, 3)}.parameter("weight"); }),
              "parameter: there is none with the name \"weight\". The names are: 0.weight, "
              "0.bias.");
}

TEST(Module, IsShownAsInPytorch) {
    std::ostringstream out;
    out << Sequential{
        Conv2d(1, 8, 3, Conv2dOptions().padding(1), false), BatchNorm2d(8), MaxPool2d(2),
        AvgPool2d(Pool2dOptions(3).stride(2).padding(1)),   Net(),          Dropout(0.1f)};
    EXPECT_EQ(out.str(),
              "Sequential(\n"
              "  (0): Conv2d(1, 8, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), bias=false)\n"
              "  (1): BatchNorm2d(8, eps=1e-05, momentum=0.1)\n"
              "  (2): MaxPool2d(kernel_size=2, stride=2, padding=0)\n"
              "  (3): AvgPool2d(kernel_size=3, stride=2, padding=1)\n"
              "  (4): Net(\n"
              "    (first): Linear(in_features=4, out_features=4, bias=true)\n"
              "    (output): Linear(in_features=4, out_features=2, bias=true)\n"
              "  )\n"
              "  (5): Dropout(p=0.1)\n"
              ")");
    EXPECT_EQ(Net().text().substr(0, 4), "Net(");
    EXPECT_EQ(ReLU().text(), "ReLU()");
}

TEST(Module, WeightsAreUniformWithinOneOverTheRootOfTheInputs) {
    manual_seed(0);
    for (const Tensor& tensor : Linear(100, 50).parameters()) {
        const std::vector<float> values = tensor.to_vector();
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        EXPECT_GE(*low, -0.1f);
        EXPECT_LE(*high, 0.1f);
        EXPECT_LT(*low, -0.09f);
        EXPECT_GT(*high, 0.09f);
    }
    const std::vector<float> values = Conv2d(4, 8, 5).weight().to_vector();
    EXPECT_LE(*std::max_element(values.begin(), values.end()), 0.1f);  // 4 · 5 · 5 inputs
    EXPECT_GT(*std::max_element(values.begin(), values.end()), 0.09f);
}

TEST(Module, CopiesShareParametersAndMode) {
    Sequential model{Linear(2, 2), Dropout()};
    Sequential copy = model;
    copy.eval();
    EXPECT_FALSE(model.training());
    EXPECT_FALSE(model[1].training());
    {
        const NoGrad no_grad;
        copy.parameter("0.bias").fill_(7);
    }
    EXPECT_EQ(model.get<Linear>(0).bias().to_vector(), (std::vector<float>{7, 7}));
    copy.append(Linear(2, 1));
    EXPECT_EQ(model.size(), 3u);
    EXPECT_EQ(model.parameters().size(), 4u);
}

TEST(Module, AnAssignedLayerReplacesTheRegisteredOne) {
    Net net;
    net.requires_grad_(false);
    net.output = Linear(4, 3);
    EXPECT_EQ(net(Tensor::rand({1, 4})).shape(), (Shape{1, 3}));
    EXPECT_EQ(net.parameter("output.weight").shape(), (Shape{3, 4}));
    EXPECT_EQ(net.parameter_count(true), 3 * 4 + 3u);
}

TEST(Module, AParameterThatIsUsedTwiceGetsBothGradients) {
    manual_seed(4);
    Net net;
    const Tensor x = Tensor::rand({3, 4});
    sum(net(x)).backward();
    EXPECT_TRUE(net.first.weight().has_grad());
    net.zero_grad();
    EXPECT_FALSE(net.first.weight().has_grad());
}

TEST(Module, LoadStateDictNamesWhatDoesNotFitAndChangesNothing) {
    Sequential model{Linear(2, 2)};
    const std::vector<float> before = model.parameter("0.weight").to_vector();
    const Tensor weight = Tensor::zeros({2, 2});
    const Tensor bias = Tensor::zeros({2});
    EXPECT_EQ(error_of([&] { model.load_state_dict({{"0.weight", weight}}); }),
              "load_state_dict: the tensor \"0.bias\" of shape (2) is missing. Given are: "
              "0.weight.");
    EXPECT_EQ(error_of([&] {
                  model.load_state_dict({{"0.weight", weight}, {"0.bias", Tensor::zeros({3})}});
              }),
              "load_state_dict: \"0.bias\" has the shape (3), the module's (2). Build the module "
              "with the extents that were saved.");
    EXPECT_EQ(error_of([&] {
                  model.load_state_dict({{"0.weight", weight}, {"0.bias", bias}, {"1.x", bias}});
              }),
              "load_state_dict: \"1.x\" of shape (2) belongs to no part of the module. It has: "
              "0.weight, 0.bias.");
    EXPECT_EQ(model.parameter("0.weight").to_vector(), before);
    model.load_state_dict({{"0.weight", weight}, {"0.bias", bias}});
    EXPECT_EQ(model.parameter("0.weight").to_vector(), std::vector<float>(4, 0));
}

TEST(Module, AMistakeWithLayersSaysWhatToDo) {
    const Sequential model{Linear(2, 2), ReLU()};
    EXPECT_EQ(error_of([&] { model[2]; }), "Sequential: layer 2 of 2. Layers are counted from 0.");
    EXPECT_EQ(error_of([&] { model.get<Linear>(1); }),
              "Sequential: layer 1 is ReLU(), not of the type asked for. Print the model.");
    EXPECT_EQ(error_of([] { Dropout(1); }),
              "Dropout: the probability is 1. Give a number from 0 to below 1.");
}

}  // namespace lanes
