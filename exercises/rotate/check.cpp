#include "exercise.hpp"

#include "../common/moved_pixels.hpp"
#include "../common/needs.hpp"
#include "lanes/mlp/augment.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lanes::exercises {

namespace {

using image_check::Place;
using image_check::taken;
using notebook::KnownMistake;
using notebook::values_of;

struct Case {
    std::size_t rows, columns;
    double degrees;
};

std::string words(const Case& one) {
    return image_check::words(one.rows, one.columns) + ", " + to_text(one.degrees) + " degrees";
}

constexpr double pi = 3.14159265358979323846;

// The place that a pixel of the rotated image comes from, around a point.
struct Turn {
    double sine, cosine, row, column;
    Place operator()(double y, double x) const {
        return {row + cosine * (y - row) + sine * (x - column),
                column - sine * (y - row) + cosine * (x - column)};
    }
};

Turn turn_of(const Matrix& image, double degrees, double off = 0) {
    const double angle = degrees * pi / 180;
    return {std::sin(angle), std::cos(angle), (static_cast<double>(image.shape(0)) - 1) / 2 + off,
            (static_cast<double>(image.shape(1)) - 1) / 2 + off};
}

// Bilinear; pixels outside the image count as black.
float at_place(const Matrix& image, const Place& at) {
    const auto rows = static_cast<int>(image.shape(0)), columns = static_cast<int>(image.shape(1));
    const auto pixel = [&](int row, int column) {
        return row >= 0 && row < rows && column >= 0 && column < columns ? image(row, column)
                                                                         : 0.0f;
    };
    const int row = static_cast<int>(std::floor(at.row)),
              column = static_cast<int>(std::floor(at.column));
    const double down = at.row - row, right = at.column - column;
    return static_cast<float>(
        (pixel(row, column) * (1 - right) + pixel(row, column + 1) * right) * (1 - down) +
        (pixel(row + 1, column) * (1 - right) + pixel(row + 1, column + 1) * right) * down);
}

Matrix mixed(const Matrix& image, const Turn& turn) {
    Matrix out(image.shape());
    for (std::size_t y = 0; y < out.shape(0); ++y)
        for (std::size_t x = 0; x < out.shape(1); ++x)
            out(y, x) = at_place(image, turn(static_cast<double>(y), static_cast<double>(x)));
    return out;
}

// The same, but black if the place is outside the image.
Matrix turned(const Matrix& image, const Turn& turn) {
    Matrix out = mixed(image, turn);
    const double last_row = static_cast<double>(image.shape(0)) - 1,
                 last_column = static_cast<double>(image.shape(1)) - 1;
    for (std::size_t y = 0; y < out.shape(0); ++y)
        for (std::size_t x = 0; x < out.shape(1); ++x) {
            const Place at = turn(static_cast<double>(y), static_cast<double>(x));
            if (at.row < 0 || at.row > last_row || at.column < 0 || at.column > last_column)
                out(y, x) = 0;
        }
    return out;
}

// Also a place up to one pixel beyond the last row or column counts as inside: there the rim is
// repeated.
Matrix turned_too_far(const Matrix& image, const Turn& turn) {
    const auto rows = static_cast<double>(image.shape(0)),
               columns = static_cast<double>(image.shape(1));
    Matrix out(image.shape());
    for (std::size_t y = 0; y < out.shape(0); ++y)
        for (std::size_t x = 0; x < out.shape(1); ++x) {
            const Place at = turn(static_cast<double>(y), static_cast<double>(x));
            const bool inside =
                at.row >= 0 && at.row < rows && at.column >= 0 && at.column < columns;
            out(y, x) = inside ? at_place(image, {std::min(at.row, rows - 1),
                                                  std::min(at.column, columns - 1)})
                               : 0;
        }
    return out;
}

// The upper left pixel is the rounded place, and the others follow it; the weights are negative or
// above 1. clamped: the row below the last one is the last one. Otherwise it is whatever lies there
// in memory, beyond the image 0.
Matrix turned_rounded(const Matrix& image, const Turn& turn, double (*round)(double),
                      bool clamped) {
    const auto rows = static_cast<int>(image.shape(0)), columns = static_cast<int>(image.shape(1));
    const auto pixel = [&](int row, int column) {
        const auto at = static_cast<std::size_t>(row * columns + column);
        return at < image.size() ? image.data()[at] : 0.0F;
    };
    Matrix out = xt::zeros<float>(image.shape());
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
            const Place at = turn(y, x);
            if (at.row < 0 || at.row > rows - 1 || at.column < 0 || at.column > columns - 1)
                continue;
            const int top = static_cast<int>(round(at.row)),
                      left = static_cast<int>(round(at.column)),
                      below = clamped ? std::min(top + 1, rows - 1) : top + 1,
                      next = clamped ? std::min(left + 1, columns - 1) : left + 1;
            const double down = at.row - top, right = at.column - left;
            out(y, x) = static_cast<float>(
                (1 - down) * ((1 - right) * pixel(top, left) + right * pixel(top, next)) +
                down * ((1 - right) * pixel(below, left) + right * pixel(below, next)));
        }
    return out;
}

// Each pixel of the image is moved to its new place: some places get none.
Matrix sent(const Matrix& image, const Turn& back) {
    const Turn turn{-back.sine, back.cosine, back.row, back.column};
    Matrix out = xt::zeros<float>(image.shape());
    const auto rows = static_cast<long>(image.shape(0)),
               columns = static_cast<long>(image.shape(1));
    for (long y = 0; y < rows; ++y)
        for (long x = 0; x < columns; ++x) {
            const Place at = turn(static_cast<double>(y), static_cast<double>(x));
            const long row = std::lround(at.row), column = std::lround(at.column);
            if (row >= 0 && row < rows && column >= 0 && column < columns)
                out(row, column) = image(y, x);
        }
    return out;
}

constexpr const char* rounded =
    "The upper left of the four pixels is not the rounded place: 26.7 lies between rows 26 and 27, "
    "so cut the fraction off, const int top = row.";

std::vector<KnownMistake> mistakes(const Matrix& image, double degrees) {
    const Turn turn = turn_of(image, degrees), half_a_pixel_off = turn_of(image, degrees, 0.5);
    const Turn corner{turn.sine, turn.cosine, 0, 0};
    // one pixel in place of four: the nearest, or the one above to the left
    const auto single = [&](double off) {
        return taken(image, [&, off](int y, int x) {
            const Place at = turn(y, x);
            const bool inside = at.row >= 0 && at.row <= 2 * turn.row && at.column >= 0 &&
                                at.column <= 2 * turn.column;
            return inside ? Place{at.row + off, at.column + off} : Place{-1, -1};
        });
    };
    std::vector<KnownMistake> known{
        {values_of(turned(image, turn_of(image, -degrees))),
         "It turns clockwise: the sign of the sine is the other way round."},
        {values_of(turned(image, turn_of(image, degrees * 180 / pi))),
         "std::sin and std::cos take radians: degrees times pi / 180."},
        {values_of(turned(image, half_a_pixel_off)),
         "It turns around rows / 2: the middle of 28 rows, 0 to 27, is 13.5, which is (rows - 1) / "
         "2."},
        {values_of(turned(image, corner)),
         "It turns around the corner: take row and column from the middle, and add the middle "
         "again."},
        {values_of(single(0.5)),
         "Each pixel is the nearest one: mix the four around the place, each by how close it is."},
        {values_of(single(0)),
         "Each pixel is the one above to the left: mix the four around the place, each by how "
         "close it is."},
        {values_of(mixed(image, turn)),
         "The rim fades into black: a place outside the image is black, nothing is mixed "
         "there."},
        {values_of(turned_too_far(image, turn)),
         "The last row is rows - 1: a place below it is outside, row > rows - 1, even if it is "
         "less than a pixel. The same for columns."},
        {values_of(sent(image, turn)),
         "There are holes: ask for each pixel of the result where it comes from, not for each "
         "pixel of the image where it goes."}};
    for (const auto round : {static_cast<double (*)(double)>(std::round), std::ceil})
        for (const bool clamped : {true, false})
            known.push_back({values_of(turned_rounded(image, turn, round, clamped)), rounded});
    image_check::add_border_left_out(known, turned(image, turn), turn);
    return known;
}

}  // namespace

Rotate::Rotate()
    : Exercise(text_of<Rotate>(
          "rotate",
          "Turns the image counter-clockwise around its middle, row (rows - 1) / 2 and column "
          "(columns - 1) / 2.\nEach pixel of the result is mixed from the four around the place it "
          "comes from, and black where that place is\noutside of the image: above row 0, below the "
          "last row, and the same for columns.",
          "nine lines",
          "With dy, dx from the middle, the place is row my + cos * dy + sin * dx, column mx - sin "
          "* dy + cos * dx. std::cos takes radians.")) {}

void Rotate::check(Answer answer) const {
    const std::vector<Case> cases{{28, 28, 12.3}, {28, 28, -33.1}, {28, 28, 0},
                                  {9, 14, 51.7},  {14, 9, -5.2},   {28, 28, 197.3},
                                  {1, 9, 30.4},   {9, 1, 30.4},    {41, 60, 17.9}};
    image_check::judge_images(text(), answer, cases, [&](const Matrix& image, const Case& one) {
        return image_check::Trial{[&] { return answer(image, one.degrees); },
                                  lanes::rotate(image, one.degrees),
                                  mistakes(image, one.degrees),
                                  {1e-4, 1e-4},
                                  "An index is outside: the last row is rows - 1. A place on it "
                                  "has no row below, so take std::min(top + 1, rows - 1); its "
                                  "weight\nis 0 there, but memory outside may hold a "
                                  "not-a-number. The same for columns; and a place beyond rows - "
                                  "1 is outside already."};
    });
}

}  // namespace lanes::exercises
