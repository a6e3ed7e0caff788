// Division of whole numbers that rounds up.
#pragma once

#include <cstddef>

namespace lanes {

// The number of pieces of size b that hold a.
constexpr std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// The smallest multiple of b that is at least a.
constexpr std::size_t round_up(std::size_t a, std::size_t b) { return ceil_div(a, b) * b; }

}  // namespace lanes
