// Module mlp: the network of assignments 1 and 2 on xtensor arrays, and the augmented images that
// worker processes make for it. Networks of tensors, on any device: lanes/nn.hpp.
//
//   #include "lanes/data.hpp"
//   const auto data = lanes::load_mnist();
//   lanes::TrainingOptions options;
//   options.learning_rate(0.1);
//   lanes::NeuralNetwork network({784, 128, 64, 10}, options);
//   network.fit(data.train, data.validation, 5);
//   lanes::Rng rng(1);
//   const auto moved = lanes::process_image(data.train.image(0), lanes::AugmentationBounds{}, rng);
//
// lanes/mlp/functions.hpp          the functions of assignment 1; sigmoid in lanes/mlp/sigmoid.hpp
// lanes/mlp/layer_arrays.hpp       Sizes, Weights and Biases: the arrays of a network's layers
// lanes/mlp/network.hpp            NeuralNetwork: fit, predict, accuracy, save and load
// lanes/mlp/training.hpp           TrainingOptions, and what a training reports
// lanes/mlp/pass.hpp               Parameters and Pass: what the functions of lesson 01 exchange
// lanes/mlp/parts.hpp              replaces functions of a network by your own
// lanes/mlp/batch.hpp              Batch, and the batches of a data set
// lanes/mlp/augment.hpp            rotate, shift, skew, noise: the image operators of assignment 2
// lanes/mlp/batch_job.hpp          what a worker is asked to make, and what it answers
// lanes/mlp/worker.hpp             Worker: the process that makes augmented batches
// lanes/mlp/augmented_network.hpp  AugmentedNetwork: trained on images that workers make
#pragma once

#include "lanes/mlp/augment.hpp"
#include "lanes/mlp/augmented_network.hpp"
#include "lanes/mlp/batch.hpp"
#include "lanes/mlp/batch_job.hpp"
#include "lanes/mlp/functions.hpp"
#include "lanes/mlp/layer_arrays.hpp"
#include "lanes/mlp/network.hpp"
#include "lanes/mlp/parts.hpp"
#include "lanes/mlp/pass.hpp"
#include "lanes/mlp/sigmoid.hpp"
#include "lanes/mlp/training.hpp"
#include "lanes/mlp/worker.hpp"
