// Lesson 02: data that stays on the GPU, copied once and used many times.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <xtensor/xtensor.hpp>

namespace lanes::exercises {

using Integers = xt::xtensor<int, 2>;

LANES_EXERCISE(Staying, staying,
               "xt::xtensor<int, 2> staying(const xt::xtensor<int, 2>& a, const "
               "xt::xtensor<int, 2>& b, int times)",
               Integers, const Integers&, const Integers&, int)

}  // namespace lanes::exercises
