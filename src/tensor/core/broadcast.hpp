// How two tensors are broadcast to one shape. Axes along which both are stepped through in the same
// way are merged, so that most pairs end with one or two axes.
#pragma once

#include "lanes/tensor/shape.hpp"

#include <array>
#include <cstddef>

namespace lanes::tensor {

struct Broadcast {
    std::size_t rank = 0;  // at least 1
    std::array<std::size_t, Shape::max_rank> extent{};
    std::array<std::size_t, Shape::max_rank> a_step{};  // elements; 0 where a is repeated
    std::array<std::size_t, Shape::max_rank> b_step{};

    // Both have as many elements as the result, in the same order.
    bool is_plain() const { return rank == 1 && a_step[0] == 1 && b_step[0] == 1; }
};

// Throws Error if the shapes do not fit.
Shape broadcast_shape(const Shape& a, const Shape& b, const char* operation);
Broadcast broadcast(const Shape& a, const Shape& b, const Shape& result);

}  // namespace lanes::tensor
