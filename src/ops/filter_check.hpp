// What all versions of correlation ask of a filter.
#pragma once

#include "lanes/array/types.hpp"

namespace lanes::ops {

void require_filter(const char* operation,
                    const Matrix& filter);  // rows and columns odd, at most 15

}  // namespace lanes::ops
