// Module nn: the functions of the assignments, and the networks that are made of them.
//
//   #include "lanes/data.hpp"
//   const auto data = lanes::load_mnist();
//   lanes::TrainingOptions options;
//   options.learning_rate = 0.1;
//   lanes::NeuralNetwork network({784, 128, 64, 10}, options);
//   network.fit(data.train, data.validation, 5);
//
// lanes/nn/network.hpp            NeuralNetwork: fit, predict, validate, save and load
// lanes/nn/training.hpp           TrainingOptions, and what a training reports
// lanes/nn/augmented_network.hpp  AugmentedNetwork: trained on images that workers make
// lanes/nn/functions.hpp          the functions of assignment 1; sigmoid in lanes/nn/sigmoid.hpp
// lanes/nn/parts.hpp              replaces functions of a network by your own
#pragma once

#include "lanes/nn/augmented_network.hpp"
#include "lanes/nn/batch.hpp"
#include "lanes/nn/functions.hpp"
#include "lanes/nn/network.hpp"
#include "lanes/nn/parts.hpp"
#include "lanes/nn/sigmoid.hpp"
#include "lanes/nn/training.hpp"
