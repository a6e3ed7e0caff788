#include "lanes/array/compare.hpp"

#include <limits>
#include <utility>

namespace lanes::detail {

namespace {

std::vector<std::size_t> index_at(std::size_t position, const std::vector<std::size_t>& shape) {
    std::vector<std::size_t> index(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        index[axis] = position % shape[axis];
        position /= shape[axis];
    }
    return index;
}

}  // namespace

Comparer::Comparer(std::vector<std::size_t> actual_shape, std::vector<std::size_t> expected_shape,
                   Tolerance tolerance)
    : actual_shape_(std::move(actual_shape)),
      expected_shape_(std::move(expected_shape)),
      tolerance_(tolerance),
      same_shape_(actual_shape_ == expected_shape_) {
    LANES_REQUIRE(tolerance.absolute >= 0 && tolerance.relative >= 0, "all_close: tolerances ",
                  tolerance.absolute, " (absolute) and ", tolerance.relative,
                  " (relative). Both must be 0 or above.");
}

double Comparer::how_far_outside(double actual, double expected) const {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (std::isnan(actual) || std::isnan(expected)) {
        return tolerance_.nan_equals_nan && std::isnan(actual) && std::isnan(expected) ? 0
                                                                                       : infinite;
    }
    if (actual == expected) return 0;
    if (std::isinf(actual) || std::isinf(expected)) return infinite;
    const double difference = std::fabs(actual - expected);
    const double allowed = tolerance_.absolute + tolerance_.relative * std::fabs(expected);
    return allowed > 0 ? difference / allowed : infinite;
}

Comparison Comparer::result() const {
    Comparison result;
    if (!same_shape_) {
        result.message = "all_close: shape " + Part(actual_shape_).text() +
                         " against the expected " + Part(expected_shape_).text() + ".";
        return result;
    }
    result.differing = differing_;
    result.close = differing_ == 0;
    if (position_ == 0) {
        result.message = "all_close: no elements, nothing differs.";
        return result;
    }
    result.worst = index_at(worst_position_, actual_shape_);
    result.actual = worst_actual_;
    result.expected = worst_expected_;
    const std::string worst = "worst at " + Part(result.worst).text() + ": " +
                              to_text(worst_actual_) + " against the expected " +
                              to_text(worst_expected_);
    if (result.close) {
        result.message =
            "all_close: all " + std::to_string(position_) + " elements are close, " + worst + ".";
    } else {
        result.message = "all_close: " + std::to_string(differing_) + " of " +
                         std::to_string(position_) + " elements differ, " + worst +
                         " (allowed: absolute " + to_text(tolerance_.absolute) + ", relative " +
                         to_text(tolerance_.relative) + ").";
    }
    return result;
}

}  // namespace lanes::detail
