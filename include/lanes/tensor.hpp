// The door of the room `tensor`: array types, comparison, and the only place that picks a BLAS.
#pragma once

#include "lanes/tensor/blas.hpp"
#include "lanes/tensor/compare.hpp"
#include "lanes/tensor/types.hpp"
