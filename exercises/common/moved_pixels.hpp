// What the checks of shift, skew and rotate share: each pixel of the result comes from a place of
// the image, or is black.
#pragma once

#include "lanes/array/types.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace lanes::exercises::image_check {

Matrix picture(std::size_t rows, std::size_t columns);  // no two pixels are alike, none is black
std::string size_of(const Matrix& image);

struct Place {
    double row, column;
};

// out(y, x) is the pixel at from(y, x), rows and columns rounded down; outside of the image it is
// what `outside` makes of the place.
template <class From, class Outside>
Matrix taken(const Matrix& image, From from, Outside outside) {
    Matrix out(image.shape());
    const auto rows = static_cast<int>(image.shape(0)), columns = static_cast<int>(image.shape(1));
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
            const Place at = from(y, x);
            const int row = static_cast<int>(std::floor(at.row)),
                      column = static_cast<int>(std::floor(at.column));
            const bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
            out(y, x) = inside ? image(row, column) : outside(row, column);
        }
    return out;
}

template <class From>
Matrix taken(const Matrix& image, From from) {
    return taken(image, from, [](int, int) { return 0.0f; });
}

// What comes of a missing look at rows and columns, in its usual forms.
template <class From>
std::vector<notebook::KnownMistake> without_guards(const Matrix& image, From from) {
    const auto rows = static_cast<int>(image.shape(0)), columns = static_cast<int>(image.shape(1));
    const auto wrapped = [&](int row, int column) {
        return image(((row % rows) + rows) % rows, ((column % columns) + columns) % columns);
    };
    const auto clamped = [&](int row, int column) {
        return image(std::clamp(row, 0, rows - 1), std::clamp(column, 0, columns - 1));
    };
    const auto flat = [&](int row, int column) {
        const int place = row * columns + column;
        return place >= 0 && place < rows * columns ? image.data()[place] : 0.0f;
    };
    return {{notebook::values_of(taken(image, from, wrapped)),
             "What leaves the image on one side comes back on the other: it must be black there."},
            {notebook::values_of(taken(image, from, clamped)),
             "The rim is repeated where nothing was: it must be black there."},
            {notebook::values_of(taken(image, from, flat)),
             "What leaves a row comes back in the next one: look at the column alone, 0 <= column "
             "< columns."}};
}

// Calls the answer, and fails the check if the image that it was given has changed, a pixel was
// never written, or the result is not the expected one.
void judge_image(notebook::Judge& judge, const Matrix& image, const Matrix& expected,
                 const notebook::About& about, const std::function<Matrix(const Matrix&)>& answer);

}  // namespace lanes::exercises::image_check
