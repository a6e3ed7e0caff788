#include "lanes/ops/sobel.hpp"

#include "lanes/ops/correlation.hpp"

#include <cmath>

namespace lanes {

namespace {

Matrix transposed(const Matrix& m) {
    auto result = Matrix::from_shape({m.shape(1), m.shape(0)});
    for (std::size_t i = 0; i < m.shape(0); ++i)
        for (std::size_t j = 0; j < m.shape(1); ++j) result(j, i) = m(i, j);
    return result;
}

Matrix make_edge_7x7() {
    auto filter = Matrix::from_shape({7, 7});
    for (int y = -3; y <= 3; ++y)
        for (int x = -3; x <= 3; ++x)
            filter(y + 3, x + 3) =
                x == 0 ? 0.0F : static_cast<float>(x) / static_cast<float>(x * x + y * y);
    return filter;
}

}  // namespace

Matrix sobel_operator(const Matrix& filter, const Matrix& image, int threads) {
    Matrix down = correlation_fast(filter, image, threads);
    const Matrix across = correlation_fast(transposed(filter), image, threads);
    float* result = down.data();
    for (std::size_t i = 0; i < down.size(); ++i)
        result[i] = std::sqrt(result[i] * result[i] + across.data()[i] * across.data()[i]);
    return down;
}

const Matrix& sobel_3x3() {
    static const Matrix filter{{1, 0, -1}, {2, 0, -2}, {1, 0, -1}};
    return filter;
}

const Matrix& scharr_3x3() {
    static const Matrix filter{{3, 0, -3}, {10, 0, -10}, {3, 0, -3}};
    return filter;
}

const Matrix& sobel_5x3() {
    static const Matrix filter{{1, 0, -1}, {2, 0, -2}, {1, 0, -1}, {2, 0, -2}, {1, 0, -1}};
    return filter;
}

const Matrix& sobel_5x5() {
    static const Matrix filter{
        {1, 0, 0, 0, -1}, {2, 0, 0, 0, -2}, {1, 0, 0, 0, -1}, {2, 0, 0, 0, -2}, {1, 0, 0, 0, -1}};
    return filter;
}

const Matrix& ring_3x3() {
    static const Matrix filter{{1, 1, 1}, {1, 0, 1}, {1, 1, 1}};
    return filter;
}

const Matrix& sharpen_3x3() {
    static const Matrix filter{{0, -1, 0}, {-1, 5, -1}, {0, -1, 0}};
    return filter;
}

const Matrix& blur_5x5() {
    static const Matrix filter(std::array<std::size_t, 2>{5, 5}, 1.0F / 25);
    return filter;
}

const Matrix& edge_7x7() {
    static const Matrix filter = make_edge_7x7();
    return filter;
}

}  // namespace lanes
