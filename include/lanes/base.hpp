// The module `base`: what every other module uses. It needs only the standard library.
//
//   #include <iostream>
//   lanes::Rng rng(42);
//   const lanes::Timer timer;
//   const double x = rng.uniform(-1, 1);
//   LANES_REQUIRE(x < 1, "example: x is ", x, ". Draw a number below 1.");
//   std::cout << timer.seconds() << " s on " << lanes::machine_line() << '\n';
#pragma once

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/not_filled_in.hpp"
#include "lanes/base/option.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/base/workers.hpp"
