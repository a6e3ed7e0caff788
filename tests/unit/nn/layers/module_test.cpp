// What copies and assignments of modules share: after each, modes, parameters and files must be
// those of the layers that forward computes with.
#include "lanes/nn/module.hpp"

#include "error_of.hpp"

#include "lanes/nn/layers.hpp"
#include "lanes/nn/resnet.hpp"
#include "lanes/tensor.hpp"

#include <gtest/gtest.h>

namespace lanes {

using lanes_test::error_of;

namespace {

struct Block : Module {
    explicit Block(std::size_t width) : layer(register_module("layer", Linear(width, width))) {}
    Linear layer;
    Dropout dropout = register_module("dropout", Dropout());
    Tensor forward(const Tensor& x) override { return dropout(layer(x)); }
};

// Nested by value, as a list, and with layers in a container.
struct Net : Module {
    explicit Net(std::size_t classes, std::size_t extra = 1)
        : head(register_module("head", Linear(2, classes))) {
        for (std::size_t i = 0; i < extra; ++i)
            more.push_back(register_module("more" + std::to_string(i), Linear(2, 2)));
    }
    Block block = register_module("block", Block(2));
    Sequential list = register_module("list", Sequential{Linear(2, 2), ReLU(), Dropout()});
    Linear head;
    std::vector<Linear> more;
    Tensor forward(const Tensor& x) override {
        Tensor y = list(block(x));
        for (Linear& layer : more) y = layer(y);
        return head(y);
    }
};

bool same(const Tensor& a, const Tensor& b) { return a.impl() == b.impl(); }

void expect_in_step(Net& net) {
    const auto weight = [&](const std::string& name) { return net.parameter(name + ".weight"); };
    EXPECT_TRUE(same(weight("block.layer"), net.block.layer.weight()));
    EXPECT_TRUE(same(weight("list.0"), net.list.get<Linear>(0).weight()));
    EXPECT_TRUE(same(weight("head"), net.head.weight()));
    EXPECT_EQ(net.named_parameters().size(), 6 + 2 * net.more.size());
    for (std::size_t i = 0; i < net.more.size(); ++i)
        EXPECT_TRUE(same(weight("more" + std::to_string(i)), net.more[i].weight()));
    for (const bool training : {true, false, true}) {
        net.train(training);
        EXPECT_EQ(net.training(), training);
        EXPECT_EQ(net.block.training(), training);
        EXPECT_EQ(net.block.dropout.training(), training);
        EXPECT_EQ(net.list.training(), training);
        EXPECT_EQ(net.list[2].training(), training);
        EXPECT_EQ(net.head.training(), training);
        for (const Linear& layer : net.more) EXPECT_EQ(layer.training(), training);
    }
    // Every parameter is one that forward uses.
    net.zero_grad();
    sum(net(Tensor::ones({1, 2}))).backward();
    for (const auto& [name, tensor] : net.named_parameters())
        EXPECT_TRUE(tensor.has_grad()) << name;
    net.zero_grad();
}

}  // namespace

TEST(ModuleAssignment, AnAssignedNetworkStaysInStep) {
    Net a(2);
    Net b(3);
    b = a;
    expect_in_step(b);
    expect_in_step(a);
    EXPECT_TRUE(same(b.head.weight(), a.head.weight()));
    b = Net(5);  // a temporary, as `net = lanes::pretrained_resnet18();` in a second cell
    expect_in_step(b);
    expect_in_step(a);
    EXPECT_EQ(b.parameter("head.weight").shape(), (Shape{5, 2}));
    EXPECT_EQ(a.parameter("head.weight").shape(), (Shape{2, 2}));
}

TEST(ModuleAssignment, APartThatIsReplacedLaterIsReplacedInThatNetworkOnly) {
    Net a(2);
    Net b(3);
    b = a;
    b.head = Linear(2, 7);
    b.block.layer = Linear(2, 2);
    b.block = Block(2);
    b.block.layer = Linear(2, 2, false);
    b.block.layer = Linear(2, 2);
    b.list = Sequential{Linear(2, 2), Dropout(), Dropout()};
    expect_in_step(b);
    expect_in_step(a);
    EXPECT_EQ(b.parameter("head.weight").shape(), (Shape{7, 2}));
    EXPECT_EQ(a.parameter("head.weight").shape(), (Shape{2, 2}));
    EXPECT_FALSE(same(b.block.layer.weight(), a.block.layer.weight()));
    Linear small(2, 4);
    b.head = small;
    EXPECT_TRUE(same(b.parameter("head.weight"), small.weight()));
    b.head = Linear(2, 9);
    EXPECT_EQ(small.weight().shape(), (Shape{4, 2}));
}

TEST(ModuleAssignment, ANetworkOfAnotherStructureStaysInStep) {
    for (const auto& [before, after] : {std::pair{1, 3}, {3, 1}, {0, 2}, {2, 0}}) {
        Net a(2, static_cast<std::size_t>(after));
        Net b(3, static_cast<std::size_t>(before));
        b = a;
        EXPECT_EQ(b.more.size(), a.more.size());
        expect_in_step(b);
        expect_in_step(a);
    }
    BasicBlock same_shape(2, 2);
    const BasicBlock wider(2, 4, 2);
    same_shape = wider;
    same_shape.eval();
    EXPECT_FALSE(same_shape.downsample[1].training());
    EXPECT_EQ(same_shape(Tensor::rand({1, 2, 4, 4})).shape(), (Shape{1, 4, 2, 2}));
    EXPECT_EQ(same_shape.state_dict().size(), wider.state_dict().size());
}

TEST(ModuleAssignment, ResNetStaysInStep) {
    ResNet a = resnet18(2);
    ResNet b = resnet18(2);
    b = a;
    b.eval();
    EXPECT_FALSE(b.bn1.training());
    EXPECT_FALSE(b.layer2.get<BasicBlock>(0).downsample[1].training());
    b.fc = Linear(512, 3);
    EXPECT_EQ(b.parameter("fc.weight").shape(), (Shape{3, 512}));
    EXPECT_EQ(a.parameter("fc.weight").shape(), (Shape{2, 512}));
    EXPECT_EQ(a.fc.weight().shape(), (Shape{2, 512}));
}

TEST(ModuleAssignment, ASequentialGetsTheLayersOfTheOther) {
    Sequential a{Linear(2, 3), ReLU(), Linear(3, 1)};
    Sequential b{Linear(2, 2)};
    const Sequential outer{b, Sequential{Dropout()}};  // holds a copy of b
    b = a;
    EXPECT_EQ(b.size(), 3u);
    EXPECT_EQ(b(Tensor::ones({1, 2})).shape(), (Shape{1, 1}));
    EXPECT_EQ(outer.get<Sequential>(0).size(), 3u);
    EXPECT_TRUE(same(outer.parameter("0.2.weight"), a.get<Linear>(2).weight()));
    EXPECT_EQ(Sequential(outer)(Tensor::ones({1, 2})).shape(), (Shape{1, 1}));
    b.get<Linear>(2) = Linear(3, 5);
    EXPECT_EQ(b.parameter("2.weight").shape(), (Shape{5, 3}));
    EXPECT_EQ(b(Tensor::ones({1, 2})).shape(), (Shape{1, 5}));
    b.eval();
    EXPECT_EQ(a.training(), a[1].training());
    b = Sequential{};
    EXPECT_EQ(b.size(), 0u);
    EXPECT_EQ(b.parameters().size(), 0u);
    EXPECT_EQ(a.size(), 3u);
}

TEST(ModuleAssignment, AssigningToItselfOrFromAPartChangesNothingElse) {
    Net net(2);
    const Net& itself = net;
    net = itself;
    expect_in_step(net);
    const Net copy = net;
    net = copy;
    expect_in_step(net);
    Sequential outer{Sequential{Linear(2, 2), ReLU()}, Dropout()};
    outer = outer.get<Sequential>(0);
    EXPECT_EQ(outer.size(), 2u);
    EXPECT_EQ(outer.parameters().size(), 2u);
}

TEST(Module, EachPartHasANameOfItsOwn) {
    struct Twice : Module {
        Linear first = register_module("layer", Linear(2, 2));
        Linear second = register_module("layer", Linear(2, 2));
        Tensor forward(const Tensor& x) override { return second(first(x)); }
    };
    EXPECT_EQ(error_of([] { Twice(); }),
              "register_module: the name \"layer\" is taken. Give each part of a module its own "
              "name.");
}

TEST(ModuleAssignment, AModuleDoesNotBecomeAPartOfItself) {
    Sequential outer{Sequential{Linear(2, 2)}, ReLU()};
    Sequential& inner = outer.get<Sequential>(0);
    EXPECT_EQ(error_of([&] { inner = outer; }),
              "Module: a module would become a part of itself. Assign or register another one.");
    EXPECT_EQ(error_of([&] { inner.append(outer); }),
              "Module: a module would become a part of itself. Assign or register another one.");
    EXPECT_EQ(inner.size(), 1u);
    EXPECT_EQ(outer.parameters().size(), 2u);
}

// Copies of a layer are one layer, with its options.
TEST(ModuleAssignment, ACopyComputesWithTheOptionsOfTheNewLayer) {
    Conv2d conv(1, 1, 3);
    MaxPool2d pool(2);
    AdaptiveAvgPool2d average(1);
    Dropout dropout(0.5f);
    Linear linear(2, 2);
    BatchNorm2d norm(1, BatchNormOptions().eps(0));
    Sequential images{conv, pool, average};
    Sequential numbers{dropout, linear};
    Sequential normed{norm};
    conv = Conv2d(1, 2, 1, {}, false);
    pool = MaxPool2d(3);
    average = AdaptiveAvgPool2d(2, 3);
    dropout = Dropout(0);
    linear = Linear(2, 2, false);
    norm = BatchNorm2d(1, BatchNormOptions().eps(1e6f));
    EXPECT_EQ(images(Tensor::rand({1, 1, 9, 9})).shape(), (Shape{1, 2, 2, 3}));
    EXPECT_EQ(numbers(Tensor::zeros({1, 2})).to_vector(), (std::vector<float>{0, 0}));
    EXPECT_NEAR(
        normed(Tensor::from(std::vector<float>{1, 2}).reshape({2, 1, 1, 1})).at({1, 0, 0, 0}), 0,
        1e-2);
}

TEST(ModuleAssignment, ACopyIsTheSameModule) {
    Net net(2);
    Net copy = net;
    copy.head = Linear(2, 4);
    expect_in_step(net);
    expect_in_step(copy);
    EXPECT_EQ(net.parameter("head.weight").shape(), (Shape{4, 2}));
    EXPECT_EQ(net(Tensor::ones({1, 2})).shape(), (Shape{1, 4}));
    copy.eval();
    EXPECT_FALSE(net.training());
    EXPECT_FALSE(net.block.dropout.training());
}

TEST(Module, BuffersHaveAFunctionOfTheirOwn) {
    const BatchNorm2d norm(2);
    EXPECT_EQ(norm.buffer("running_var").to_vector(), (std::vector<float>{1, 1}));
    EXPECT_EQ(error_of([&] { norm.parameter("running_var"); }),
              "parameter: \"running_var\" is a buffer. Use buffer(\"running_var\").");
    EXPECT_EQ(error_of([&] { norm.buffer("weight"); }),
              "buffer: \"weight\" is a parameter. Use parameter(\"weight\").");
}

}  // namespace lanes
