#include "broadcast.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>

namespace lanes::tensor {

namespace {

// The extent of axis `axis` of a shape that is aligned at the last axis of one with `rank` axes.
std::size_t aligned(const Shape& shape, std::size_t rank, std::size_t axis) {
    const std::size_t missing = rank - shape.rank();
    return axis < missing ? 1 : shape[axis - missing];
}

}  // namespace

Shape broadcast_shape(const Shape& a, const Shape& b, const char* operation) {
    const std::size_t rank = std::max(a.rank(), b.rank());
    Shape result;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::size_t left = aligned(a, rank, axis);
        const std::size_t right = aligned(b, rank, axis);
        LANES_REQUIRE(left == right || left == 1 || right == 1, operation, ": the shapes ", a,
                      " and ", b, " do not fit: ", left, " and ", right, " along axis ",
                      static_cast<long long>(axis) - static_cast<long long>(rank),
                      ". They must be equal, or one of them 1.");
        result.append(static_cast<long long>(left == 1 ? right : left));
    }
    return result;
}

Broadcast broadcast(const Shape& a, const Shape& b, const Shape& result) {
    Broadcast merged;  // from the last axis to the first, turned around below
    std::size_t a_count = 1;
    std::size_t b_count = 1;
    for (std::size_t axis = result.rank(); axis-- > 0;) {
        const std::size_t extent = result[axis];
        if (extent == 1) continue;
        const bool a_moves = aligned(a, result.rank(), axis) != 1;
        const bool b_moves = aligned(b, result.rank(), axis) != 1;
        const std::size_t a_step = a_moves ? a_count : 0;
        const std::size_t b_step = b_moves ? b_count : 0;
        const std::size_t last = merged.rank - 1;
        if (merged.rank > 0 && (merged.a_step[last] != 0) == a_moves &&
            (merged.b_step[last] != 0) == b_moves) {
            merged.extent[last] *= extent;
        } else {
            merged.extent[merged.rank] = extent;
            merged.a_step[merged.rank] = a_step;
            merged.b_step[merged.rank] = b_step;
            ++merged.rank;
        }
        if (a_moves) a_count *= extent;
        if (b_moves) b_count *= extent;
    }
    if (merged.rank == 0) {  // a single number
        merged.rank = 1;
        merged.extent[0] = 1;
        merged.a_step[0] = merged.b_step[0] = 1;
    }
    const auto reverse = [&](auto& values) {
        std::reverse(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(merged.rank));
    };
    reverse(merged.extent);
    reverse(merged.a_step);
    reverse(merged.b_step);
    return merged;
}

}  // namespace lanes::tensor
