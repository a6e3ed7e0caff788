// The extents of a tensor, one per axis: at most 8 axes, none for a single number.
//
//   const int rows = 3;
//   const lanes::Shape shape{rows, 4};
//   const std::size_t elements = shape.count();  // 12
//   const bool same = shape == lanes::Shape{3, 4};
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

namespace lanes {

class Shape {
public:
    static constexpr std::size_t max_rank = 8;
    // Written -1: the extent that reshape computes from the number of elements.
    static constexpr std::size_t unknown = static_cast<std::size_t>(-1);

    // Any integer type, because sizes are computed as int or std::size_t.
    struct Extent {
        template <class N, std::enable_if_t<std::is_integral_v<N>, int> = 0>
        Extent(N n) : value(static_cast<long long>(n)) {}
        long long value;
    };

    Shape() = default;
    Shape(std::initializer_list<Extent> extents);
    // From a std::vector, std::array or the shape of an xtensor container.
    template <class Range, class = decltype(std::declval<const Range&>().begin())>
    explicit Shape(const Range& extents) {
        for (const auto extent : extents) append(static_cast<long long>(extent));
    }

    std::size_t rank() const { return rank_; }
    std::size_t operator[](std::size_t axis) const { return extents_[axis]; }
    std::size_t& operator[](std::size_t axis) { return extents_[axis]; }
    const std::size_t* begin() const { return extents_.data(); }
    const std::size_t* end() const { return extents_.data() + rank_; }
    std::size_t count() const;  // of elements; 1 without axes

    void append(long long extent);
    // Axis -1 is the last one. Throws Error if there is no such axis.
    std::size_t axis(long long axis, const char* operation) const;
    std::string text() const;  // "(3, 4)"

    friend bool operator==(const Shape& a, const Shape& b);
    friend bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }

private:
    std::array<std::size_t, max_rank> extents_{};
    std::size_t rank_ = 0;
};

}  // namespace lanes
