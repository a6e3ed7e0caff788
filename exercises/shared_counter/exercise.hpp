// Lesson 05: a number in memory that forked processes share.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <atomic>
#include <memory>

namespace lanes::exercises {

LANES_EXERCISE(SharedCounter, shared_counter, "std::shared_ptr<std::atomic<long>> shared_counter()",
               std::shared_ptr<std::atomic<long>>, void)

}  // namespace lanes::exercises
