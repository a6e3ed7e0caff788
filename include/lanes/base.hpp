// The module `base`: what every other module uses. It needs only the standard library.
#pragma once

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/base/not_filled_in.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/base/workers.hpp"
