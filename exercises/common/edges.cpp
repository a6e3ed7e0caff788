#include "edges.hpp"

#include "lanes/ops/correlation.hpp"
#include "lanes/ops/sobel.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::exercises::edge_check {

Matrix step(std::size_t rows, std::size_t columns, int right, int down, int width) {
    auto image = Matrix::from_shape({rows, columns});
    for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x) {
            const auto at = static_cast<float>(
                right * (2 * static_cast<int>(x) + 1 - static_cast<int>(columns)) +
                down * (2 * static_cast<int>(y) + 1 - static_cast<int>(rows)));
            image(y, x) = width == 0
                              ? (at > 0 ? 1.0F : 0.0F)
                              : std::clamp(0.5F + at / static_cast<float>(2 * width), 0.0F, 1.0F);
        }
    return image;
}

Matrix eighths(std::size_t rows, std::size_t columns, Rng rng) {
    auto image = Matrix::from_shape({rows, columns});
    for (float& pixel : image) pixel = static_cast<float>(rng.integer(0, 8)) / 8;
    return image;
}

Matrix patches(std::size_t rows, std::size_t columns, Rng rng) {
    const Matrix colours = eighths(rows / 5 + 1, columns / 7 + 1, rng);
    auto image = Matrix::from_shape({rows, columns});
    for (std::size_t y = 0; y < rows; ++y)
        for (std::size_t x = 0; x < columns; ++x) image(y, x) = colours(y / 5, x / 7);
    return image;
}

Gradient gradient(const Matrix& image) {
    const Matrix across = xt::transpose(sobel_3x3());
    Gradient result{correlation_plain(sobel_3x3(), image), correlation_plain(across, image), {}};
    result.magnitude = xt::sqrt(result.gx * result.gx + result.gy * result.gy) / 4;
    return result;
}

}  // namespace lanes::exercises::edge_check
