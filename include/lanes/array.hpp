// The module `array`: array types, comparison, and the only place that picks a BLAS.
#pragma once

#include "lanes/array/blas.hpp"
#include "lanes/array/compare.hpp"
#include "lanes/array/types.hpp"
