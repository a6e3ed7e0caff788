#include "lanes/nn/resnet.hpp"

#include "lanes/tensor/autograd.hpp"

#include <cmath>

namespace lanes {

namespace {

Conv2d convolution(std::size_t in, std::size_t out, std::size_t kernel, std::size_t stride) {
    const auto options = Conv2dOptions().stride(stride).padding(kernel / 2);
    const Conv2d layer(in, out, kernel, options, false);
    // Kaiming's initialisation keeps the variance of gradients through a ReLU.
    const float deviation = std::sqrt(2.0f / static_cast<float>(out * kernel * kernel));
    const NoGrad no_grad;
    layer.weight().copy_(Tensor::randn({out, in, kernel, kernel}) * deviation);
    return layer;
}

Sequential shortcut(std::size_t in, std::size_t out, std::size_t stride) {
    if (stride == 1 && in == out) return {};
    return {convolution(in, out, 1, stride), BatchNorm2d(out)};
}

Sequential stage(std::size_t in, std::size_t out, std::size_t stride) {
    return {BasicBlock(in, out, stride), BasicBlock(out, out)};
}

}  // namespace

BasicBlock::BasicBlock(std::size_t in_channels, std::size_t out_channels, std::size_t stride)
    : Module("BasicBlock"),
      conv1(register_module("conv1", convolution(in_channels, out_channels, 3, stride))),
      bn1(register_module("bn1", BatchNorm2d(out_channels))),
      conv2(register_module("conv2", convolution(out_channels, out_channels, 3, 1))),
      bn2(register_module("bn2", BatchNorm2d(out_channels))),
      downsample(register_module("downsample", shortcut(in_channels, out_channels, stride))) {}

Tensor BasicBlock::forward(const Tensor& x) {
    const Tensor y = bn2(conv2(relu(bn1(conv1(x)))));
    return relu(y + (downsample.size() > 0 ? downsample(x) : x));
}

ResNet::ResNet(std::size_t classes)
    : Module("ResNet"),
      conv1(register_module("conv1", convolution(3, 64, 7, 2))),
      bn1(register_module("bn1", BatchNorm2d(64))),
      layer1(register_module("layer1", stage(64, 64, 1))),
      layer2(register_module("layer2", stage(64, 128, 2))),
      layer3(register_module("layer3", stage(128, 256, 2))),
      layer4(register_module("layer4", stage(256, 512, 2))),
      fc(register_module("fc", Linear(512, classes))) {}

Tensor ResNet::features(const Tensor& x) {
    const auto pool = Pool2dOptions(3).stride(2).padding(1);
    const Tensor stem = max_pool2d(relu(bn1(conv1(x))), pool);
    const Tensor maps = layer4(layer3(layer2(layer1(stem))));
    return mean(maps, {2, 3});
}

Tensor ResNet::forward(const Tensor& x) { return fc(features(x)); }

ResNet resnet18(std::size_t classes) { return ResNet(classes); }

}  // namespace lanes
