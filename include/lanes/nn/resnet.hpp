// ResNet-18 (He et al. 2015) with the structure and the names of torchvision, and weights that were
// trained on photographs. Introduced in lesson 09_transfer_learning.
//
//   lanes::ResNet net = lanes::pretrained_resnet18();  // of data/resnet18: 200 classes
//   net.requires_grad_(false);                         // frozen: no gradients are computed
//   net.fc = lanes::Linear(512, 2);                    // the only layer that is trained
//   const std::size_t numbers = net.parameter_count(true);                     // 1026
//   const lanes::Tensor logits = net(lanes::Tensor::rand({8, 3, 224, 224}));   // (8, 2)
//   const lanes::Tensor filters = net.parameter("conv1.weight");               // (64, 3, 7, 7)
//
// Copies share the parameters, as those of every Module.
#pragma once

#include "lanes/nn/layers.hpp"
#include "lanes/nn/module.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes {

// Two 3x3 convolutions whose result is added to the input.
class BasicBlock : public Module {
public:
    // stride: of the first convolution. If the shape changes, a 1x1 convolution changes that of the
    // input as well.
    BasicBlock(std::size_t in_channels, std::size_t out_channels, std::size_t stride = 1);
    Tensor forward(const Tensor& x) override;

    Conv2d conv1;
    BatchNorm2d bn1;
    Conv2d conv2;
    BatchNorm2d bn2;
    Sequential downsample;  // without layers if the input is added as it is
};

class ResNet : public Module {
public:
    explicit ResNet(std::size_t classes);
    Tensor forward(const Tensor& x) override;  // (batch, 3, height, width) -> (batch, classes)
    Tensor features(const Tensor& x);          // all but fc: (batch, 512)

    Conv2d conv1;
    BatchNorm2d bn1;
    Sequential layer1;
    Sequential layer2;
    Sequential layer3;
    Sequential layer4;
    Linear fc;
};

// Weights are random, as torchvision draws them.
ResNet resnet18(std::size_t classes = 1000);

// The weights of a file: .npz, .safetensors or torchvision's .pth; without a path those of
// data/resnet18. The number of classes is that of the file. Throws Error with the path, and with
// the tensor, if something is missing or does not fit.
ResNet pretrained_resnet18(const std::string& path = "");

// The names of the 200 classes of data/resnet18: "goldfish", …
std::vector<std::string> resnet18_classes();

}  // namespace lanes
