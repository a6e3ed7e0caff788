// Lesson 02: the element-wise maximum with copies from and to pinned memory.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <xtensor/xtensor.hpp>

namespace lanes::exercises {

using Integers = xt::xtensor<int, 2>;

LANES_EXERCISE(MaxPinned, max_pinned,
               "xt::xtensor<int, 2> max_pinned(const xt::xtensor<int, 2>& a, const "
               "xt::xtensor<int, 2>& b)",
               Integers, const Integers&, const Integers&)

}  // namespace lanes::exercises
