// Separable filters: a filter that is the product of a column and a row needs two small
// correlations instead of a large one. Introduced in the notebook 06_correlation.
//
//   const lanes::Matrix filter{{1, 0, -1}, {2, 0, -2}, {1, 0, -1}};
//   const auto parts = lanes::split(filter);  // 1 2 1 as a column, 1 0 -1 as a row
//   const lanes::Matrix image = xt::ones<float>({20, 30});
//   const lanes::Matrix edges = lanes::correlation_split(filter, image);
#pragma once

#include "lanes/array/types.hpp"

#include <optional>
#include <utility>

namespace lanes {

// A column and a row with filter(i, j) = column(i, 0) * row(0, j), up to 1e-5 of the largest
// coefficient; std::nullopt if there are none. filter: (rows, columns) -> (rows, 1), (1, columns)
std::optional<std::pair<Matrix, Matrix>> split(const Matrix& filter);

// The same as correlation_fast: in two passes if the filter can be split.
// filter: (filter_rows, filter_columns), image: (rows, columns) -> (rows, columns)
Matrix correlation_split(const Matrix& filter, const Matrix& image);

}  // namespace lanes
