// The value below which a normal variable falls with probability p, 0 < p < 1. The same bits on
// every machine: no libm but sqrt, which IEEE 754 fixes.
#pragma once

namespace lanes {

double normal_quantile(double p);

}  // namespace lanes
