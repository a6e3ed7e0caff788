// Lesson 04b: train on batches while workers make the next ones, a bounded number ahead.
#pragma once

#include "lanes/mlp/batch_job.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(PrefetchBatches, prefetch,
               "void prefetch(const std::vector<lanes::BatchJob>& given, std::size_t ahead, const "
               "std::function<void(const lanes::BatchJob&)>& put, const "
               "std::function<lanes::ImageBatch()>& get, const std::function<void(const "
               "lanes::ImageBatch&)>& train)",
               void, const std::vector<BatchJob>&, std::size_t,
               const std::function<void(const BatchJob&)>&, const std::function<ImageBatch()>&,
               const std::function<void(const ImageBatch&)>&)

}  // namespace lanes::exercises
