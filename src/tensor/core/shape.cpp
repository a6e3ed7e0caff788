#include "lanes/tensor/shape.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>

namespace lanes {

Shape::Shape(std::initializer_list<Extent> extents) {
    for (const Extent extent : extents) append(extent.value);
}

void Shape::append(long long extent) {
    LANES_REQUIRE(rank_ < max_rank, "Shape: more than ", max_rank,
                  " axes. Use a tensor with fewer axes.");
    LANES_REQUIRE(extent >= -1, "Shape: axis ", rank_, " has ", extent,
                  " elements. Give a size that is not negative.");
    extents_[rank_++] = static_cast<std::size_t>(extent);
}

std::size_t Shape::count() const {
    std::size_t count = 1;
    for (const std::size_t extent : *this) count *= extent;
    return count;
}

std::size_t Shape::axis(long long axis, const char* operation) const {
    const auto rank = static_cast<long long>(rank_);
    LANES_REQUIRE(axis >= -rank && axis < rank, operation, ": axis ", axis,
                  " of a tensor of shape ", *this,
                  ". Axes are counted from 0; -1 is the last one.");
    return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

std::string Shape::text() const { return detail::Part(*this).text(); }

bool operator==(const Shape& a, const Shape& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace lanes
