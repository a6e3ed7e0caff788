// Are two arrays equal except for rounding? If not, the message says where they differ most.
//
//   #include <iostream>
//   const lanes::Matrix mine{{0.5, 0.51}};
//   const lanes::Matrix expected{{0.5, 0.49}};
//   const auto result = lanes::all_close(mine, expected);
//   if (!result) std::cout << result.message;  // all_close: 1 of 2 elements differ; worst at ...
#pragma once

#include "lanes/base/error.hpp"

#include <xtensor/xshape.hpp>
#include <xtensor/xtensor.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace lanes {

struct Tolerance {
    double absolute = 1e-6;
    double relative = 1e-5;  // of the expected value
    bool nan_equals_nan = false;
};

struct Comparison {
    bool close = false;
    std::string message;             // what is wrong, or that nothing is
    std::size_t differing = 0;       // elements outside the tolerance
    std::vector<std::size_t> worst;  // index of the one that is farthest outside (of the closest to
                                     // the limit, if all are close)
    double actual = 0, expected = 0;  // values at that index

    explicit operator bool() const { return close; }
};

namespace detail {

// Walks two arrays of one shape, element by element, and keeps the worst.
class Comparer {
public:
    Comparer(std::vector<std::size_t> actual_shape, std::vector<std::size_t> expected_shape,
             Tolerance tolerance);
    bool same_shape() const { return same_shape_; }

    void add(double actual, double expected) {
        const double excess = how_far_outside(actual, expected);
        if (excess > 1) ++differing_;
        if (excess > worst_excess_) {
            worst_excess_ = excess;
            worst_position_ = position_;
            worst_actual_ = actual;
            worst_expected_ = expected;
        }
        ++position_;
    }

    Comparison result() const;

private:
    // Difference as a multiple of what is allowed: up to 1 is close. Never NaN.
    double how_far_outside(double actual, double expected) const;

    std::vector<std::size_t> actual_shape_, expected_shape_;
    Tolerance tolerance_;
    bool same_shape_;
    std::size_t position_ = 0, differing_ = 0, worst_position_ = 0;
    double worst_excess_ = -1, worst_actual_ = 0, worst_expected_ = 0;
};

template <class Array>
std::vector<std::size_t> shape_of(const Array& array) {
    return std::vector<std::size_t>(array.shape().begin(), array.shape().end());
}

}  // namespace detail

// |actual - expected| <= absolute + relative * |expected| for each element; infinities must be
// equal; a NaN is close to nothing, not even to a NaN, unless the tolerance says so. Shapes must be
// equal: nothing is broadcast. Takes arrays and expressions of xtensor.
template <class Actual, class Expected>
Comparison all_close(const Actual& actual, const Expected& expected, Tolerance tolerance = {}) {
    detail::Comparer comparer(detail::shape_of(actual), detail::shape_of(expected), tolerance);
    if (comparer.same_shape()) {
        auto right = expected.template begin<xt::layout_type::row_major>();
        for (auto left = actual.template begin<xt::layout_type::row_major>();
             left != actual.template end<xt::layout_type::row_major>(); ++left, ++right) {
            comparer.add(static_cast<double>(*left), static_cast<double>(*right));
        }
    }
    return comparer.result();
}

// The same as a promise: throws Error with the message where the arrays are not close.
template <class Actual, class Expected>
void require_close(const Actual& actual, const Expected& expected, Tolerance tolerance = {}) {
    const Comparison result = all_close(actual, expected, tolerance);
    if (!result.close) throw Error(result.message);
}

}  // namespace lanes
