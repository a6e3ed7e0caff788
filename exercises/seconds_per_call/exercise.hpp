// Lesson 02: how long a call takes, by a clock that is an argument.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <functional>

namespace lanes::exercises {

LANES_EXERCISE(SecondsPerCall, seconds_per_call,
               "double seconds_per_call(int calls, const std::function<void()>& f, const "
               "std::function<double()>& now)",
               double, int, const std::function<void()>&, const std::function<double()>&)

}  // namespace lanes::exercises
