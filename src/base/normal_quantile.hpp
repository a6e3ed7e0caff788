// The value below which a normal variable falls with probability p, 0 < p < 1. The same bits on
// every machine: of libm it uses only sqrt, whose result IEEE 754 specifies.
#pragma once

namespace lanes {

double normal_quantile(double p);

}  // namespace lanes
