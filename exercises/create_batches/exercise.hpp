// Lesson 01a: the training set, cut into batches.
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/dataset.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstddef>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(CreateBatches, create_batches,
               "std::vector<lanes::Dataset> create_batches(const lanes::Matrix& data, const "
               "lanes::Matrix& labels, std::size_t batch_size)",
               std::vector<Dataset>, const Matrix&, const Matrix&, std::size_t)

}  // namespace lanes::exercises
