#include "lanes/ops/edges.hpp"

#include "lanes/base/error.hpp"
#include "lanes/ops/correlation.hpp"
#include "lanes/ops/sobel.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace lanes {

namespace {

void require_same_shape(const char* function, const std::array<std::size_t, 2>& a,
                        const std::array<std::size_t, 2>& b) {
    LANES_REQUIRE(a == b, function, ": the first argument is ", a[0], "x", a[1], ", the second ",
                  b[0], "x", b[1], ". Give two arrays of the same image.");
}

}  // namespace

Sectors direction(const Matrix& gx, const Matrix& gy) {
    require_same_shape("direction", gx.shape(), gy.shape());
    Sectors result = Sectors::from_shape(gx.shape());
    const double eighth = std::atan(1.0);  // of a full turn
    for (std::size_t k = 0; k < gx.size(); ++k) {
        const double turns = std::atan2(gy.data()[k], gx.data()[k]) / eighth;  // -4 to 4
        result.data()[k] = static_cast<int>(std::lround(turns) + 4) % 4;
    }
    return result;
}

Matrix thin(const Matrix& magnitude, const Sectors& sectors) {
    require_same_shape("thin", magnitude.shape(), sectors.shape());
    constexpr std::array<int, 4> right{1, 1, 0, -1};
    constexpr std::array<int, 4> down{0, 1, 1, 1};
    const int rows = static_cast<int>(magnitude.shape(0));
    const int columns = static_cast<int>(magnitude.shape(1));
    Matrix result(magnitude.shape(), 0.0F);
    for (int y = 1; y + 1 < rows; ++y)
        for (int x = 1; x + 1 < columns; ++x) {
            const int sector = sectors(y, x);
            LANES_REQUIRE(sector >= 0 && sector < 4, "thin: the direction at row ", y, ", column ",
                          x, " is ", sector, ". Directions are 0, 1, 2 and 3.");
            const auto s = static_cast<std::size_t>(sector);
            const float here = magnitude(y, x);
            const float before = magnitude(y - down[s], x - right[s]);
            const float after = magnitude(y + down[s], x + right[s]);
            if (here > before && here >= after) result(y, x) = here;
        }
    return result;
}

Matrix hysteresis(const Matrix& thinned, float low, float high) {
    LANES_REQUIRE(low <= high, "hysteresis: low is ", low, ", high is ", high,
                  ". The lower threshold comes first.");
    const int rows = static_cast<int>(thinned.shape(0));
    const int columns = static_cast<int>(thinned.shape(1));
    Matrix edges(thinned.shape(), 0.0F);
    std::vector<std::array<int, 2>> open;  // pixels to visit
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x)
            if (thinned(y, x) > high) open.push_back({y, x});
    while (!open.empty()) {
        const auto [y, x] = open.back();
        open.pop_back();
        if (y < 0 || y >= rows || x < 0 || x >= columns) continue;
        if (!(thinned(y, x) > low) || edges(y, x) == 1) continue;
        edges(y, x) = 1;
        for (int i = -1; i <= 1; ++i)
            for (int j = -1; j <= 1; ++j) open.push_back({y + i, x + j});
    }
    return edges;
}

Matrix find_edges(const Matrix& image, float low, float high) {
    const Matrix across = xt::transpose(sobel_3x3());
    const Matrix gx = correlation_fast(sobel_3x3(), image);
    const Matrix gy = correlation_fast(across, image);
    const Matrix magnitude = xt::sqrt(gx * gx + gy * gy) / 4;  // a step from 0 to 1 gives 1
    return hysteresis(thin(magnitude, direction(gx, gy)), low, high);
}

}  // namespace lanes
