// Lesson 04a: start workers, hand out jobs, collect the batches in order.
#pragma once

#include "lanes/data/dataset.hpp"
#include "lanes/mlp/batch_job.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstdint>
#include <vector>

namespace lanes::exercises {

LANES_EXERCISE(MakeAll, make_all,
               "std::vector<lanes::ImageBatch> make_all(const std::vector<lanes::BatchJob>& given, "
               "int workers, const lanes::Dataset& images, lanes::AugmentationBounds bounds, "
               "std::uint64_t seed)",
               std::vector<ImageBatch>, const std::vector<BatchJob>&, int, const Dataset&,
               AugmentationBounds, std::uint64_t)

}  // namespace lanes::exercises
