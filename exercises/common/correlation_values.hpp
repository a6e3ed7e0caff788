// The result of a correlation in double precision, and its results with common mistakes.
#pragma once

#include "lanes/array/compare.hpp"
#include "notebook/exercise/values.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::notebook {

// How the filter is placed over the image.
struct Window {
    enum class Outside { black, next_row, nearest } outside = Outside::black;
    std::ptrdiff_t above = 0, left = 0;  // rows and columns of the filter before its middle
    bool turned = false;                 // rotated by 180 degrees
    bool transposed = false;             // of a square filter
    bool drifts = false;  // the pixel's own index is moved at each step, and not moved back
};

Window centred(const Values& filter);

Values correlated(const Values& filter, const Values& image, const Window& window);
inline Values correlated(const Values& filter, const Values& image) {
    return correlated(filter, image, centred(filter));
}

std::vector<KnownMistake> correlation_mistakes(const Values& filter, const Values& image);

// |a - b| <= 1e-4 |b| + 1e-5 (sum of |filter|) (largest |pixel|)
Tolerance correlation_tolerance(const Values& filter, const Values& image);

// The message if only the border is wrong; the second function also has one if all results are
// whole numbers. Otherwise "".
std::string border_words(const Values& got, const Values& expected, std::size_t filter_rows,
                         std::size_t filter_columns);
std::string correlation_words(const Values& got, const Values& expected, std::size_t filter_rows,
                              std::size_t filter_columns);

}  // namespace lanes::notebook
