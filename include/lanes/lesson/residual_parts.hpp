// The layers of a residual block, which the notebook 09b_residual_network puts together.
//
//   lanes::BasicBlock block(64, 128, 2);
//   // they share their weights
//   lanes::resnet::ResidualParts parts = lanes::resnet::parts_of(block);
//   const bool changes_shape = parts.downsample.size() > 0;
#pragma once

#include "lanes/nn/layers.hpp"
#include "lanes/nn/resnet.hpp"

namespace lanes::resnet {

struct ResidualParts {
    Conv2d conv1;
    BatchNorm2d bn1;
    Conv2d conv2;
    BatchNorm2d bn2;
    Sequential downsample;  // without layers if the input is added as it is
};

inline ResidualParts parts_of(const BasicBlock& block) {
    return {block.conv1, block.bn1, block.conv2, block.bn2, block.downsample};
}

}  // namespace lanes::resnet
