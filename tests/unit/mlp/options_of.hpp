// Training options in one line, for tests.
#pragma once

#include "lanes/mlp/training.hpp"

namespace lanes_test {

constexpr std::nullopt_t all_images = std::nullopt;  // as batches per epoch

inline lanes::TrainingOptions options_of(double learning_rate, std::size_t batch_size,
                                         std::optional<std::size_t> batches_per_epoch,
                                         std::uint64_t seed = 0) {
    lanes::TrainingOptions options;
    options.learning_rate(learning_rate);
    options.batch_size(batch_size);
    options.batches_per_epoch(batches_per_epoch);
    options.seed(seed);
    return options;
}

}  // namespace lanes_test
