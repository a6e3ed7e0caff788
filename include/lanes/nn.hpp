// Module nn: layers, losses and optimizers for tensors on any device; before them, the functions of
// the assignments and the networks that are made of them.
//
//   lanes::Sequential model{lanes::Linear(784, 128), lanes::ReLU(), lanes::Linear(128, 10)};
//   lanes::SGD optimizer(model.parameters(), 0.1);
//
//   #include "lanes/data.hpp"
//   const auto data = lanes::load_mnist();
//   lanes::TrainingOptions options;
//   options.learning_rate = 0.1;
//   lanes::NeuralNetwork network({784, 128, 64, 10}, options);
//   network.fit(data.train, data.validation, 5);
//
// lanes/nn/module.hpp             Module: parameters by name, train and eval, to(device)
// lanes/nn/layers.hpp             Linear, Conv2d, BatchNorm2d, ReLU, … and Sequential
// lanes/nn/losses.hpp             CrossEntropyLoss, MSELoss
// lanes/nn/optim.hpp              SGD, Adam, StepLR, CosineAnnealingLR
// lanes/nn/checkpoint.hpp         save_checkpoint, load_checkpoint
// lanes/nn/tensor_files.hpp       .npz and .safetensors files; .pth of PyTorch is read
// lanes/nn/resnet.hpp             ResNet-18 with torchvision's names, and trained weights
// lanes/nn/train_model.hpp        train_model with phases and the best weights; classify
// lanes/nn/network.hpp            NeuralNetwork: fit, predict, accuracy, save and load
// lanes/nn/training.hpp           TrainingOptions, and what a training reports
// lanes/nn/augmented_network.hpp  AugmentedNetwork: trained on images that workers make
// lanes/nn/functions.hpp          the functions of assignment 1; sigmoid in lanes/nn/sigmoid.hpp
// lanes/nn/layer_arrays.hpp       Sizes, Weights and Biases: the arrays of a network's layers
// lanes/nn/parts.hpp              replaces functions of a network by your own
#pragma once

#include "lanes/nn/augmented_network.hpp"
#include "lanes/nn/batch.hpp"
#include "lanes/nn/checkpoint.hpp"
#include "lanes/nn/functions.hpp"
#include "lanes/nn/layer_arrays.hpp"
#include "lanes/nn/layers.hpp"
#include "lanes/nn/losses.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/nn/network.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/nn/parts.hpp"
#include "lanes/nn/resnet.hpp"
#include "lanes/nn/sigmoid.hpp"
#include "lanes/nn/tensor_files.hpp"
#include "lanes/nn/train_model.hpp"
#include "lanes/nn/training.hpp"
