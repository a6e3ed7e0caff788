#include "lanes/nn/resnet.hpp"

#include "data/files.hpp"
#include "error_of.hpp"
#include "lanes/data.hpp"
#include "lanes/nn/tensor_files.hpp"
#include "lanes/nn/train_model.hpp"
#include "lanes/tensor/autograd.hpp"
#include "tensor/plain/batch_norm.hpp"
#include "tensor/plain/images.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

namespace plain = lanes::plain;
using Values = plain::Array<double>;
using lanes::BasicBlock;
using lanes::ResNet;
using lanes::Tensor;
using lanes_test::error_of;

Values plain_of(const Tensor& x) {
    const std::vector<float> values = x.to_vector();
    return {x.shape(), std::vector<double>(values.begin(), values.end())};
}

Values convolved(const Values& x, const lanes::Conv2d& layer, std::size_t stride) {
    const Values weight = plain_of(layer.weight());
    const Values bias(lanes::Shape{weight.shape[0]});
    return plain::conv2d(x, weight, bias, stride, weight.shape[2] / 2);
}

// training: by the statistics of x, else by the running ones
Values normalized(const Values& x, const lanes::BatchNorm2d& layer, bool training) {
    Values mean = plain_of(layer.running_mean());
    Values variance = plain_of(layer.running_var());
    if (training) {
        mean = Values(mean.shape);
        variance = Values(variance.shape);
        plain::statistics(x, mean, variance);
    }
    return plain::normalize(x, mean, variance, plain_of(layer.weight()), plain_of(layer.bias()),
                            1e-5);
}

Values positive(Values x) {
    for (double& value : x.data) value = std::max(0.0, value);
    return x;
}

Values added(Values a, const Values& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
}

Values block_of(const Values& x, const BasicBlock& block, std::size_t stride, bool training) {
    const Values first =
        positive(normalized(convolved(x, block.conv1, stride), block.bn1, training));
    const Values second = normalized(convolved(first, block.conv2, 1), block.bn2, training);
    if (block.downsample.size() == 0) return positive(added(second, x));
    const Values shortcut = normalized(convolved(x, block.downsample.get<lanes::Conv2d>(0), stride),
                                       block.downsample.get<lanes::BatchNorm2d>(1), training);
    return positive(added(second, shortcut));
}

void draw_statistics(const lanes::BatchNorm2d& layer) {
    const lanes::NoGrad no_grad;
    const lanes::Shape shape = layer.weight().shape();
    layer.weight().copy_(Tensor::rand(shape) + 0.5f);
    layer.bias().copy_(Tensor::randn(shape) * 0.1f);
    layer.running_mean().copy_(Tensor::randn(shape) * 0.1f);
    layer.running_var().copy_(Tensor::rand(shape) + 0.5f);
}

TEST(BasicBlock, is_the_formula_in_both_modes) {
    lanes::manual_seed(1);
    for (const std::size_t stride : {1u, 2u})
        for (const std::size_t out : {4u, 6u}) {
            BasicBlock block(4, out, stride);
            draw_statistics(block.bn1);
            draw_statistics(block.bn2);
            const Tensor x = Tensor::randn({3, 4, 9, 8});
            for (const bool training : {false, true}) {
                block.train(training);
                const Values expected = block_of(plain_of(x), block, stride, training);
                const Tensor y = block(x);
                ASSERT_EQ(y.shape(), expected.shape);
                const std::vector<float> values = y.to_vector();
                for (std::size_t i = 0; i < values.size(); ++i)
                    ASSERT_NEAR(values[i], expected[i], 2e-5) << "stride " << stride << ", " << i;
            }
        }
}

TEST(ResNet, has_torchvisions_names_and_shapes) {
    const ResNet net = lanes::resnet18();
    EXPECT_EQ(net.parameter_count(), 11'689'512u);
    EXPECT_EQ(net.named_parameters().size(), 62u);
    EXPECT_EQ(net.named_buffers().size(), 40u);
    EXPECT_EQ(net.named_parameters().front().first, "conv1.weight");
    EXPECT_EQ(net.named_parameters().back().first, "fc.bias");
    EXPECT_EQ(net.buffer("layer1.0.bn1.running_mean").shape(), (lanes::Shape{64}));
    EXPECT_EQ(net.parameter("layer2.0.downsample.0.weight").shape(), (lanes::Shape{128, 64, 1, 1}));
    EXPECT_EQ(net.parameter("layer4.1.conv2.weight").shape(), (lanes::Shape{512, 512, 3, 3}));
}

TEST(ResNet, stages_halve_the_image) {
    ResNet net = lanes::resnet18(7);
    net.eval();
    const lanes::NoGrad no_grad;
    const auto pool = lanes::Pool2dOptions(3).stride(2).padding(1);
    const Tensor stem = lanes::max_pool2d(net.conv1(Tensor::rand({1, 3, 64, 96})), pool);
    EXPECT_EQ(stem.shape(), (lanes::Shape{1, 64, 16, 24}));
    EXPECT_EQ(net.layer1(stem).shape(), (lanes::Shape{1, 64, 16, 24}));
    EXPECT_EQ(net.layer2(net.layer1(stem)).shape(), (lanes::Shape{1, 128, 8, 12}));
    EXPECT_EQ(net.features(Tensor::rand({2, 3, 64, 96})).shape(), (lanes::Shape{2, 512}));
    EXPECT_EQ(net(Tensor::rand({2, 3, 64, 96})).shape(), (lanes::Shape{2, 7}));
}

TEST(ResNet, a_frozen_network_with_a_new_layer_trains_that_layer_only) {
    ResNet net = lanes::resnet18(200);
    net.requires_grad_(false);
    net.fc = lanes::Linear(512, 2);
    EXPECT_EQ(net.parameter_count(true), 1026u);
    EXPECT_EQ(net.parameter("fc.weight").shape(), (lanes::Shape{2, 512}));
    net.train();
    const Tensor x = Tensor::rand({2, 3, 32, 32});
    EXPECT_FALSE(net.features(x).requires_grad());  // nothing below fc is noted
    const Tensor labels = Tensor::from(std::vector<int>{0, 1});
    Tensor loss = lanes::cross_entropy(net(x), labels);
    loss.backward();
    for (const auto& [name, tensor] : net.named_parameters())
        EXPECT_EQ(tensor.has_grad(), name.compare(0, 3, "fc.") == 0) << name;
}

TEST(ResNet, the_weights_of_the_checkout_know_a_cup_of_espresso) {
    ResNet net = lanes::pretrained_resnet18();
    const std::vector<std::string> classes = lanes::resnet18_classes();
    EXPECT_EQ(classes[0], "goldfish");
    EXPECT_EQ(net.fc.weight().shape(), (lanes::Shape{200, 512}));
    const std::string path = lanes::data_folder("pictures") + "/coffee.png";
    const auto guesses = lanes::classify(net, path, classes, 3);
    ASSERT_EQ(guesses.size(), 3u);
    EXPECT_EQ(guesses[0].name, "espresso");
    EXPECT_GT(guesses[0].probability, guesses[1].probability);
    EXPECT_NE(error_of([&] { lanes::classify(net, path, {"one"}); }), "");
}

TEST(ResNet, weights_of_other_formats_and_numbers_of_classes_are_read) {
    const files::Folder folder;
    const ResNet net = lanes::resnet18(3);
    lanes::save_weights(folder.path("three.safetensors"), net);
    const ResNet again = lanes::pretrained_resnet18(folder.path("three.safetensors"));
    for (const char* name : {"fc.weight", "layer3.1.conv2.weight"})
        EXPECT_EQ(again.parameter(name).to_vector(), net.parameter(name).to_vector()) << name;
    EXPECT_EQ(again.buffer("bn1.running_var").to_vector(),
              net.buffer("bn1.running_var").to_vector());
    lanes::save_tensors(folder.path("other.npz"), {{"fc.bias", Tensor::zeros({5})}});
    const std::string error =
        error_of([&] { lanes::pretrained_resnet18(folder.path("other.npz")); });
    EXPECT_NE(error.find("other.npz"), std::string::npos) << error;
    EXPECT_NE(error.find("conv1.weight"), std::string::npos) << error;
}

TEST(ResNet, weights_of_eight_bits_without_a_channel_are_refused) {
    const files::Folder folder;
    lanes::save_tensors(folder.path("w.npz"),
                        {{"conv1.weight", Tensor::from(std::vector<int>{}).reshape({0, 3, 7, 7})},
                         {"conv1.weight.scale", Tensor::zeros({0})},
                         {"fc.bias", Tensor::zeros({2})}});
    const std::string error = error_of([&] { lanes::pretrained_resnet18(folder.path("w.npz")); });
    EXPECT_NE(error.find("conv1.weight of shape (0, 3, 7, 7) has 0 scales"), std::string::npos)
        << error;
}

TEST(ResNet, weights_of_eight_bits_are_multiplied_by_the_scale_of_their_channel) {
    const ResNet net = lanes::pretrained_resnet18();
    const auto file = lanes::load_tensors(lanes::data_folder("resnet18") + "/resnet18.npz");
    const auto tensor = [&](const std::string& name) {
        for (const auto& [own, values] : file)
            if (own == name) return values;
        return Tensor();
    };
    const Tensor numbers = tensor("conv1.weight");
    const std::vector<float> scale = tensor("conv1.weight.scale").to_vector();
    const std::vector<float> weight = net.parameter("conv1.weight").to_vector();
    const std::size_t i = 5 * 3 * 7 * 7 + 20;  // of output channel 5
    EXPECT_FLOAT_EQ(weight[i], static_cast<float>(numbers.to_vector<int>()[i]) * scale[5]);
}

}  // namespace
