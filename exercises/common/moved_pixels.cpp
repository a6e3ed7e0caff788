// shift, skew and rotate: each pixel of the result comes from a place of the image, or is black.
#include "lanes/notebook/exercises.hpp"
#include "notebook/exercise/fences.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::ExerciseText;
using notebook::Judge;
using notebook::KnownMistake;
using notebook::values_of;

constexpr double pi = 3.14159265358979323846;

// No two pixels are alike, and none is black.
Matrix picture(std::size_t rows, std::size_t columns) {
    Matrix image(std::array<std::size_t, 2>{rows, columns});
    Rng(24).split(rows * 1000 + columns).fill_uniform(image.data(), image.size(), 0.1f, 1);
    return image;
}

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
std::vector<KnownMistake> without_guards(const Matrix& image, From from) {
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
    return {{values_of(taken(image, from, wrapped)),
             "What leaves the image on one side comes back on the other: it must be black there."},
            {values_of(taken(image, from, clamped)),
             "The rim is repeated where nothing was: it must be black there."},
            {values_of(taken(image, from, flat)),
             "What leaves a row comes back in the next one: look at the column alone, 0 <= column "
             "< columns."}};
}

template <class Call>
void judge_image(Judge& judge, const Matrix& image, const Matrix& expected, const About& about,
                 Call call) {
    const Matrix before = image;  // NOLINT(performance-unnecessary-copy-initialization): an answer
                                  // may write into it all the same
    const Matrix got =
        notebook::call_between_fences(judge, image.size(), [&] { return call(image); });
    judge.require(image == before, "the image that it was given has changed.",
                  "Write into a new matrix: the training images are needed again as they are.");
    if (got.shape() == expected.shape())
        judge.require(std::none_of(got.begin(), got.end(), [](float x) { return std::isnan(x); }),
                      "some pixels were never written.",
                      "A fresh matrix holds what was in memory before. Begin with "
                      "xt::zeros<float>({rows, columns}): black.");
    judge.same(values_of(got), values_of(expected), about);
}

std::string size_of(const Matrix& image) {
    return std::to_string(image.shape(0)) + "x" + std::to_string(image.shape(1));
}

const ExerciseText& shift_text() {
    static const ExerciseText text{
        "shift",
        "lanes::Matrix shift(const lanes::Matrix& image, int dx, int dy)",
        "Moves the image dx cells to the left and dy cells upwards; both may be negative, and "
        "larger than the image.\n"
        "Where nothing was, the result is black: 0.",
        "five lines",
        "out(y, x) comes from row y + dy and column x + dx. Use int for these: a std::size_t "
        "cannot be negative.",
        {},
        {"xt::roll", "std::rotate", "std::shift_left", "std::shift_right"}};
    return text;
}

const ExerciseText& skew_text() {
    static const ExerciseText text{
        "skew",
        "lanes::Matrix skew(const lanes::Matrix& image, double tilt)",
        "out(y, x) is image(y, floor(x + y * tilt)), and black where that column is outside of the "
        "image.",
        "five lines",
        "std::floor(x + y * tilt) rounds down, also below 0; a cast to int would cut towards 0.",
        {},
        {}};
    return text;
}

const ExerciseText& rotate_text() {
    static const ExerciseText text{
        "rotate",
        "lanes::Matrix rotate(const lanes::Matrix& image, double degrees)",
        "Turns the image counter-clockwise around its middle, row (rows - 1) / 2 and column "
        "(columns - 1) / 2.\n"
        "Each pixel of the result is mixed from the four around the place it comes from, and black "
        "where that place is\n"
        "outside of the image: above row 0, below the last row, and the same for columns.",
        "nine lines",
        "With dy, dx from the middle, the place is row my + cos * dy + sin * dx, column mx - sin * "
        "dy + cos * dx. std::cos takes radians.",
        {},
        {}};
    return text;
}

// Where a pixel of the turned image comes from, around a point.
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

// Bilinear; black counts as a pixel beyond the rim.
Matrix mixed(const Matrix& image, const Turn& turn) {
    const auto rows = static_cast<int>(image.shape(0)), columns = static_cast<int>(image.shape(1));
    const auto pixel = [&](int row, int column) {
        return row >= 0 && row < rows && column >= 0 && column < columns ? image(row, column)
                                                                         : 0.0f;
    };
    Matrix out(image.shape());
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x) {
            const Place at = turn(y, x);
            const int row = static_cast<int>(std::floor(at.row)),
                      column = static_cast<int>(std::floor(at.column));
            const double down = at.row - row, right = at.column - column;
            out(y, x) = static_cast<float>(
                (pixel(row, column) * (1 - right) + pixel(row, column + 1) * right) * (1 - down) +
                (pixel(row + 1, column) * (1 - right) + pixel(row + 1, column + 1) * right) * down);
        }
    return out;
}

// The same, black from the rim on.
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

// Each pixel of the image is sent to where it goes: some places get none.
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

std::vector<KnownMistake> rotate_mistakes(const Matrix& image, double degrees) {
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
    return {
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
         "The rim fades into black: a place outside of the image is black, nothing is mixed "
         "there."},
        {values_of(sent(image, turn)),
         "There are holes: ask for each pixel of the result where it comes from, not for each "
         "pixel of the image where it goes."}};
}

}  // namespace

Shift::Shift() : Exercise(shift_text()) {}

void Shift::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    struct Case {
        std::size_t rows, columns;
        int dx, dy;
    };
    const std::vector<Case> cases{{5, 7, 2, 1},       {28, 28, 0, 0},  {28, 28, 4, 0},
                                  {28, 28, 0, 4},     {28, 28, -3, 5}, {28, 28, 6, -2},
                                  {7, 5, -2, -3},     {1, 9, 3, 0},    {9, 1, 0, -2},
                                  {28, 28, 100, -28}, {6, 6, 0, 2000}};
    for (const Case& one : cases) {
        const Matrix image = picture(one.rows, one.columns);
        judge.begin(size_of(image) + ", dx = " + std::to_string(one.dx) +
                    ", dy = " + std::to_string(one.dy));
        const auto by = [&](int dx, int dy) {
            return [dx, dy](int y, int x) { return Place{1.0 * y + dy, 1.0 * x + dx}; };
        };
        About about;
        about.tolerance = {0, 0};
        about.known = {{values_of(taken(image, by(-one.dx, -one.dy))),
                        "It moves to the right and down: dx counts to the left, dy upwards."},
                       {values_of(taken(image, by(-one.dx, one.dy))),
                        "It moves to the right: dx counts to the left, so out(y, x) comes from "
                        "column x + dx."},
                       {values_of(taken(image, by(one.dx, -one.dy))),
                        "It moves down: dy counts upwards, so out(y, x) comes from row y + dy."},
                       {values_of(taken(image, by(one.dy, one.dx))),
                        "dx and dy are swapped: dx belongs to columns, dy to rows."}};
        for (KnownMistake& mistake : without_guards(image, by(one.dx, one.dy)))
            about.known.push_back(std::move(mistake));
        judge_image(judge, image, lanes::shift(image, one.dx, one.dy), about,
                    [&](const Matrix& x) { return answer(x, one.dx, one.dy); });
    }
    judge.pass();
}

Skew::Skew() : Exercise(skew_text()) {}

void Skew::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    struct Case {
        std::size_t rows, columns;
        double tilt;
    };
    const std::vector<Case> cases{{5, 7, 0.62},    {7, 5, -0.43},    {28, 28, 0},
                                  {28, 28, 0.137}, {28, 28, -0.211}, {28, 28, 1.09},
                                  {1, 9, 0.7},     {9, 1, 0.03171},  {12, 30, 5.03}};
    for (const Case& one : cases) {
        const Matrix image = picture(one.rows, one.columns);
        judge.begin(size_of(image) + ", tilt = " + to_text(one.tilt));
        const double tilt = one.tilt;
        const auto right = [&](int y, int x) { return Place{1.0 * y, x + y * tilt}; };
        About about;
        about.tolerance = {0, 0};
        about.known = {
            {values_of(taken(image, [&](int y, int x) { return Place{1.0 * y, x - y * tilt}; })),
             "It leans the other way: the column is x + y * tilt."},
            {values_of(taken(
                 image, [&](int y, int x) { return Place{1.0 * y, std::trunc(x + y * tilt)}; })),
             "A cast to int cuts towards 0, so that -0.4 becomes column 0. std::floor(-0.4) is -1: "
             "outside, black."},
            {values_of(
                 taken(image, [&](int y, int x) { return Place{1.0 * y, x + y * tilt + 0.5}; })),
             "Columns are rounded to the nearest: take std::floor."},
            {values_of(taken(image, [&](int y, int x) { return Place{y + x * tilt, 1.0 * x}; })),
             "Columns are moved: each row is moved as a whole, by y * tilt."},
            {values_of(taken(image, [&](int y, int x) { return Place{1.0 * y, x + x * tilt}; })),
             "The row is stretched: the column is x + y * tilt, not x * tilt."},
            {values_of(taken(image, [&](int y, int x) { return Place{1.0 * y, x + tilt}; })),
             "All rows are moved alike: row y is moved by y * tilt."}};
        for (KnownMistake& mistake : without_guards(image, right))
            about.known.push_back(std::move(mistake));
        judge_image(judge, image, lanes::skew(image, tilt), about,
                    [&](const Matrix& x) { return answer(x, tilt); });
    }
    judge.pass();
}

Rotate::Rotate() : Exercise(rotate_text()) {}

void Rotate::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    struct Case {
        std::size_t rows, columns;
        double degrees;
    };
    const std::vector<Case> cases{{28, 28, 12.3}, {28, 28, -33.1}, {28, 28, 0},
                                  {9, 14, 51.7},  {14, 9, -5.2},   {28, 28, 197.3},
                                  {1, 9, 30.4},   {9, 1, 30.4},    {41, 60, 17.9}};
    for (const Case& one : cases) {
        const Matrix image = picture(one.rows, one.columns);
        judge.begin(size_of(image) + ", " + to_text(one.degrees) + " degrees");
        About about;
        about.tolerance = {1e-4, 1e-4};
        about.known = rotate_mistakes(image, one.degrees);
        judge_image(judge, image, lanes::rotate(image, one.degrees), about,
                    [&](const Matrix& x) { return answer(x, one.degrees); });
    }
    judge.pass();
}

}  // namespace lanes::exercises
