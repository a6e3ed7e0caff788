// Long sums in float: in blocks with sums of their own, which keeps the rounding error small and
// lets the compiler use vectors.
#pragma once

#include <algorithm>
#include <cstddef>

namespace lanes::tensor {

// The sum of value(0), ..., value(count - 1).
template <class Value>
double sum_in_blocks(std::size_t count, const Value& value) {
    constexpr std::size_t block = 4096;
    constexpr std::size_t width = 16;
    double total = 0;
    for (std::size_t start = 0; start < count; start += block) {
        const std::size_t end = std::min(count, start + block);
        float sums[width] = {};
        std::size_t i = start;
        for (; i + width <= end; i += width)
            for (std::size_t j = 0; j < width; ++j) sums[j] += value(i + j);
        for (; i < end; ++i) sums[0] += value(i);
        for (const float sum : sums) total += static_cast<double>(sum);
    }
    return total;
}

}  // namespace lanes::tensor
