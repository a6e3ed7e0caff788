// Lesson 05: eight slots of shared memory, given as the function that makes them.
#pragma once

#include "lanes/lesson/spare_queue.hpp"
#include "lanes/notebook/exercise.hpp"

#include <cstddef>
#include <memory>

namespace lanes::exercises {

LANES_EXERCISE(RingOfSlots, ring, "std::shared_ptr<lanes::Slots> ring(std::size_t slot_size)",
               std::shared_ptr<Slots>, std::size_t)

}  // namespace lanes::exercises
