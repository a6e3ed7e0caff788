// Module nn: layers, losses and optimizers for tensors on any device.
//
//   lanes::Sequential model{lanes::Linear(784, 128), lanes::ReLU(), lanes::Linear(128, 10)};
//   lanes::SGD optimizer(model.parameters(), 0.1);
//
// lanes/nn/module.hpp        Module: parameters by name, train and eval, to(device)
// lanes/nn/layers.hpp        Linear, Conv2d, BatchNorm2d, ReLU, … and Sequential
// lanes/nn/losses.hpp        CrossEntropyLoss, MSELoss
// lanes/nn/optim.hpp         SGD, Adam, StepLR, CosineAnnealingLR
// lanes/nn/checkpoint.hpp    save_checkpoint, load_checkpoint
// lanes/nn/tensor_files.hpp  .npz and .safetensors files; .pth of PyTorch is read
// lanes/nn/resnet.hpp        ResNet-18 with torchvision's names, and trained weights
// lanes/nn/train_model.hpp   train_model with phases and the best weights; classify
#pragma once

#include "lanes/nn/checkpoint.hpp"
#include "lanes/nn/layers.hpp"
#include "lanes/nn/losses.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/nn/resnet.hpp"
#include "lanes/nn/tensor_files.hpp"
#include "lanes/nn/train_model.hpp"
