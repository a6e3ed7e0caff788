// Images, filters and SciPy's results that correlations are compared with. Introduced in the
// notebooks 06_correlation and 07_sobel.
//
//   #include "lanes/ops.hpp"
//   const lanes::FilterExamples examples;
//   examples.compare("lanes::correlation_plain", lanes::correlation_plain);
//   const lanes::EdgeExamples edges;
//   edges.compare(0, lanes::sobel_operator(lanes::sobel_3x3(), edges.image));
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/image_file.hpp"
#include "lanes/lesson/filter_times.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes {

struct FilterExamples {
    FilterExamples();

    Matrix image;                 // a cat of (215, 215) pixels, from 0 to 1
    std::vector<Matrix> filters;  // 3x3 sharpen, 5x5 blur, 7x7 edge, and one of 5x3
    std::vector<Matrix> results;  // of SciPy, one per filter

    void show() const;  // the image, and the results of the first three filters
    // Says that all results agree, or throws Error at the first that does not. The simulator runs
    // without its checks.
    void compare(const std::string& who, const Correlation& correlation) const;
};

struct EdgeExamples {
    EdgeExamples();

    ColorImage photograph;  // a cup of coffee, (160, 240, 3)
    Matrix image;           // the same in grey
    Matrix cat;
    std::vector<Matrix> results;  // of SciPy for `image`: magnitudes of F1 to F4, and the ring

    void compare(std::size_t filter, const Matrix& result) const;  // throws Error
};

namespace spare {

// In two passes if the filter is the product of a column and a row, otherwise in one.
Matrix correlation_split(const Matrix& filter, const Matrix& image);

}  // namespace spare

}  // namespace lanes
