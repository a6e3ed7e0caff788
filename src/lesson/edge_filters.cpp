#include "lanes/lesson/edge_filters.hpp"

#include "lanes/base/error.hpp"
#include "lanes/lesson/filter_pictures.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanes {

namespace {

constexpr std::size_t side = 21;  // of the images that filters are tried on
constexpr int middle = 10;
const double degree = std::acos(-1.0) / 180;

Matrix step() {
    Matrix result(std::array<std::size_t, 2>{side, side}, 0.0F);
    for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = middle; x < side; ++x) result(y, x) = 1;
    return result;
}

// From 0 to 1 in the given direction, over about three pixels.
Matrix soft_step(double degrees) {
    auto result = Matrix::from_shape({side, side});
    for (int y = 0; y < static_cast<int>(side); ++y)
        for (int x = 0; x < static_cast<int>(side); ++x) {
            const double t = (x - middle) * std::cos(degrees * degree) +
                             (y - middle) * std::sin(degrees * degree);
            result(y, x) = static_cast<float>(1 / (1 + std::exp(-2 * t)));
        }
    return result;
}

Matrix transposed(const Matrix& m) {
    auto result = Matrix::from_shape({m.shape(1), m.shape(0)});
    for (std::size_t i = 0; i < m.shape(0); ++i)
        for (std::size_t j = 0; j < m.shape(1); ++j) result(j, i) = m(i, j);
    return result;
}

std::vector<double> angles() {
    std::vector<double> degrees;
    for (int d = 0; d <= 90; d += 5) degrees.push_back(d);
    return degrees;
}

double rounded(double x, double per_unit) { return std::round(per_unit * x) / per_unit; }

}  // namespace

EdgeFilters::EdgeFilters(std::vector<std::string> names, std::vector<Matrix> filters,
                         Correlation correlation)
    : names_(std::move(names)), filters_(std::move(filters)), correlation_(std::move(correlation)) {
    LANES_REQUIRE(names_.size() == filters_.size(), "EdgeFilters: ", names_.size(), " names but ",
                  filters_.size(), " filters. Give one name per filter.");
}

float EdgeFilters::peak(std::size_t filter) const {
    float sum = 0;
    for (const float coefficient : filters_.at(filter)) sum += std::max(coefficient, 0.0F);
    return sum;
}

Matrix EdgeFilters::magnitude(std::size_t filter, const Matrix& image) const {
    Matrix result = correlation_(filters_[filter], image);
    const Matrix gy = correlation_(transposed(filters_[filter]), image);
    for (std::size_t k = 0; k < result.size(); ++k)
        result.data()[k] = std::hypot(result.data()[k], gy.data()[k]);
    return result;
}

void EdgeFilters::show_step() const {
    Plot plot("What each filter makes of a step from black to white");
    plot.x("distance from the step, in pixels").y("response");
    for (std::size_t k = 0; k < filters_.size(); ++k) {
        const Matrix response = magnitude(k, step());
        std::vector<double> x, values;
        for (int column = 5; column < 16; ++column) {
            x.push_back(column - 9.5);
            values.push_back(response(middle, column));
        }
        plot.line(names_[k], x, values);
    }
    plot.show();
}

void EdgeFilters::show_impulse() const {
    Matrix dot(std::array<std::size_t, 2>{9, 9}, 0.0F);
    dot(4, 4) = 1;
    std::vector<Matrix> images;
    std::vector<std::string> titles;
    for (std::size_t k = 0; k < filters_.size(); ++k) {
        const Matrix response = magnitude(k, dot) / peak(k);
        images.push_back(enlarged(response, 0, 0, 9, 15));
        titles.push_back(names_[k] + ", divided by " + compact(peak(k)));
    }
    show_scaled(images, titles, 0.65F, 0, filters_.size());
}

EdgeFilters::ByAngle EdgeFilters::by_angle(std::size_t filter) const {
    ByAngle result;
    const Matrix across = transposed(filters_[filter]);
    double upright = 0;
    for (const double degrees : angles()) {
        const Matrix edge = soft_step(degrees);
        const double gx = correlation_(filters_[filter], edge)(middle, middle);
        const double gy = correlation_(across, edge)(middle, middle);
        if (degrees == 0) upright = std::hypot(gx, gy);
        result.magnitudes.push_back(std::hypot(gx, gy) / upright);
        result.errors.push_back(std::atan2(-gy, -gx) / degree - degrees);
    }
    return result;
}

void EdgeFilters::show_directions() const {
    Plot magnitudes("The same edge in all directions: magnitude");
    magnitudes.x("direction of the gradient in degrees").y("response, 1 at 0 degrees");
    Plot errors("The same edge in all directions: direction");
    errors.x("direction of the gradient in degrees").y("computed minus true, in degrees");
    for (std::size_t k = 0; k < filters_.size(); ++k) {
        const ByAngle values = by_angle(k);
        magnitudes.line(names_[k], angles(), values.magnitudes);
        errors.line(names_[k], angles(), values.errors);
    }
    magnitudes.range_y(0.6, 1.2).show();
    errors.show();
}

void EdgeFilters::show_table() const {
    Table table({"filter", "peak response", "support", "noise / peak", "at 45 degrees",
                 "direction wrong by"});
    for (std::size_t k = 0; k < filters_.size(); ++k) {
        double squares = 0;
        for (const float f : filters_[k]) squares += f * f;
        const ByAngle values = by_angle(k);
        double worst = 0;
        for (const double error : values.errors) worst = std::max(worst, std::fabs(error));
        table.row(names_[k], peak(k),
                  std::to_string(filters_[k].shape(0)) + "x" + std::to_string(filters_[k].shape(1)),
                  rounded(std::sqrt(squares) / peak(k), 100), rounded(values.magnitudes[9], 100),
                  rounded(worst, 10));
    }
    table.note(
        "support in pixels; noise of G_x; at 45 degrees: response, 1 at 0 degrees; "
        "direction wrong by at most so many degrees");
    table.show();
}

}  // namespace lanes
