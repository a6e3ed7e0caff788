// Blocks of ResNet-18 against stored values of torchvision; pytorch_values.py makes them.
#include "lanes/nn/resnet.hpp"

#include "tensor/devices.hpp"

#include "lanes/nn/tensor_files.hpp"
#include "lanes/tensor/autograd.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace {

using lanes::device_names, lanes::test_name;
using lanes::Tensor;
using Values = std::map<std::string, Tensor>;

using PytorchValues = lanes::OnEachDevice;

INSTANTIATE_ON_EACH_DEVICE(PytorchValues);

void expect_close(const Tensor& found, const Tensor& expected, const std::string& what,
                  double tolerance = 2e-5) {
    ASSERT_EQ(found.shape(), expected.shape()) << what;
    const std::vector<float> a = found.cpu().to_vector();
    const std::vector<float> b = expected.to_vector();
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_NEAR(a[i], b[i], tolerance * (1 + std::abs(b[i]))) << what << ", element " << i;
}

void expect_block(lanes::BasicBlock block, const std::string& name, const Values& values,
                  const lanes::Device& device) {
    lanes::NamedTensors state;
    const std::string prefix = name + ".state.";
    for (const auto& [key, tensor] : values)
        if (key.compare(0, prefix.size(), prefix) == 0)
            state.emplace_back(key.substr(prefix.size()), tensor);
    block.load_state_dict(state);
    block.to(device);
    Tensor x = values.at(name + ".x").clone().to(device).requires_grad_();
    expect_close(block.eval()(x), values.at(name + ".eval"), name + ".eval");
    const Tensor y = block.train()(x);
    expect_close(y, values.at(name + ".train"), name + ".train");
    lanes::sum(y * y).backward();
    expect_close(x.grad(), values.at(name + ".gradient"), name + ".gradient");
    for (const char* key : {"bn1.running_mean", "bn2.running_var"})
        expect_close(block.buffer(key), values.at(name + ".after." + key), key);
}

Values stored_values() {
    const lanes::NamedTensors tensors = lanes::load_tensors(LANES_RESNET_VALUES);
    return {tensors.begin(), tensors.end()};
}

TEST_P(PytorchValues, blocks_give_torchvisions_values_in_both_modes) {
    const Values values = stored_values();
    expect_block(lanes::BasicBlock(4, 4, 1), "same", values, device());
    expect_block(lanes::BasicBlock(4, 6, 2), "down", values, device());
}

TEST_P(PytorchValues, the_whole_network_gives_torchvisions_logits_in_both_modes) {
    if (GetParam() == "simulator") GTEST_SKIP() << "it would take minutes with all checks";
    const Values values = stored_values();
    lanes::ResNet net = lanes::pretrained_resnet18();
    net.to(device());
    const lanes::NoGrad no_grad;
    const Tensor x = values.at("net.x").to(device());
    expect_close(net.eval()(x), values.at("net.eval"), "eval", 2e-4);
    expect_close(net.train()(x), values.at("net.train"), "train", 1e-3);
}

}  // namespace
