#include "lanes/ops/separable.hpp"

#include "lanes/base/error.hpp"
#include "lanes/ops/correlation.hpp"

#include <cmath>

namespace lanes {

std::optional<std::pair<Matrix, Matrix>> split(const Matrix& filter) {
    const std::size_t rows = filter.shape(0), columns = filter.shape(1);
    LANES_REQUIRE(filter.size() > 0, "split: a filter of ", rows, "x", columns,
                  ". Give one with coefficients.");
    std::size_t p = 0, q = 0;  // of the coefficient with the largest absolute value
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            if (std::fabs(filter(i, j)) > std::fabs(filter(p, q))) p = i, q = j;
    const float largest = filter(p, q);
    Matrix column = Matrix::from_shape({rows, 1}), row = Matrix::from_shape({1, columns});
    for (std::size_t i = 0; i < rows; ++i) column(i, 0) = filter(i, q);
    for (std::size_t j = 0; j < columns; ++j) row(0, j) = largest == 0 ? 0 : filter(p, j) / largest;
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            if (std::fabs(column(i, 0) * row(0, j) - filter(i, j)) > 1e-5F * std::fabs(largest))
                return std::nullopt;
    return std::pair(column, row);
}

Matrix correlation_split(const Matrix& filter, const Matrix& image) {
    const auto parts = split(filter);
    if (!parts) return correlation_fast(filter, image);
    return correlation_fast(parts->first, correlation_fast(parts->second, image));
}

}  // namespace lanes
