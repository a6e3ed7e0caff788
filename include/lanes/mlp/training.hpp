// What goes into a training, and what it reports.
//
//   #include <iostream>
//   lanes::TrainingOptions options;
//   options.learning_rate(0.1).seed(1);
//   options.batches_per_epoch(300);  // drawn at random; without it, every image is taken once
//   lanes::NeuralNetwork network({784, 128, 64, 10}, options);
//   network.on_epoch([](const lanes::EpochReport& report) {
//       if (report.accuracy) std::cout << report.epoch << ": " << 100 * *report.accuracy << " %\n";
//   });
#pragma once

#include "lanes/base/option.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace lanes {

class TrainingOptions {
    // Gradients are summed over a batch, not averaged: larger batches need a smaller rate.
    LANES_OPTION(TrainingOptions, double, learning_rate, 0.1)
    // Images.
    LANES_OPTION(TrainingOptions, std::size_t, batch_size, 16)
    // Empty: each epoch takes every image once, in a new random order, and its last batch may be
    // smaller. A number: so many batches per epoch, each of different images drawn at random.
    LANES_OPTION(TrainingOptions, std::optional<std::size_t>, batches_per_epoch, std::nullopt)
    // Of the first weights and of the order of the images. Training twice with one seed gives the
    // same weights, bit by bit.
    LANES_OPTION(TrainingOptions, std::uint64_t, seed, 0)
};

struct EpochReport {
    std::size_t epoch = 0;           // the first is 1
    double loss = 0;                 // half the squared error per image, mean over the epoch
    std::optional<double> accuracy;  // of the validation set, 0 to 1; empty: none was given
    double seconds = 0;              // of training, without validation
};

struct TrainingProgress {
    std::size_t epoch = 0;  // the first is 1
    std::size_t epochs = 0;
    std::size_t batches_done = 0;  // in this epoch
    std::size_t batches = 0;       // per epoch
};

// The line after each epoch: "Epoch 3, accuracy 73.39 %.", or "Epoch 3, loss 0.1234." if there was
// no validation set.
std::string epoch_line(const EpochReport& report);

}  // namespace lanes
