#include "exercise.hpp"

#include "../common/moved_pixels.hpp"
#include "../common/needs.hpp"
#include "lanes/mlp/augment.hpp"

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
    double tilt;
};

std::string words(const Case& one) {
    return image_check::words(one.rows, one.columns) + ", tilt = " + to_text(one.tilt);
}

std::vector<KnownMistake> mistakes(const Matrix& image, double tilt) {
    const auto from = [&](auto place) { return values_of(taken(image, place)); };
    std::vector<KnownMistake> known{
        {from([&](int y, int x) { return Place{1.0 * y, x - y * tilt}; }),
         "It leans the other way: the column is x + y * tilt."},
        {from([&](int y, int x) { return Place{1.0 * y, std::trunc(x + y * tilt)}; }),
         "A cast to int cuts towards 0, so that -0.4 becomes column 0. std::floor(-0.4) is -1: "
         "outside, black."},
        {from([&](int y, int x) { return Place{1.0 * y, x - std::floor(y * tilt)}; }),
         "It leans the other way: the column is x + y * tilt."},
        {from([&](int y, int x) { return Place{1.0 * y, std::trunc(x - y * tilt)}; }),
         "It leans the other way: the column is x + y * tilt, and std::floor rounds it down."},
        {from([&](int y, int x) { return Place{1.0 * y, x + std::trunc(y * tilt)}; }),
         "A cast to int cuts towards 0, so that -0.4 becomes column 0. std::floor(-0.4) is -1: "
         "outside, black."},
        {from([&](int y, int x) { return Place{1.0 * y, x + y * tilt + 0.5}; }),
         "Columns are rounded to the nearest: take std::floor."},
        {from([&](int y, int x) { return Place{y + x * tilt, 1.0 * x}; }),
         "Columns are moved: each row is moved as a whole, by y * tilt."},
        {from([&](int y, int x) { return Place{1.0 * y, x + x * tilt}; }),
         "The row is stretched: the column is x + y * tilt, not x * tilt."},
        {from([&](int y, int x) { return Place{1.0 * y, x + tilt}; }),
         "All rows are moved alike: row y is moved by y * tilt."}};
    image_check::add_without_bounds(known, image,
                                    [&](int y, int x) { return Place{1.0 * y, x + y * tilt}; });
    image_check::add_border_left_out(known, lanes::skew(image, tilt), [&](int y, int x) {
        return Place{1.0 * y, std::floor(x + y * tilt)};
    });
    return known;
}

}  // namespace

Skew::Skew()
    : Exercise(text_of<Skew>("skew",
                             "out(y, x) is image(y, floor(x + y * tilt)), and black where that "
                             "column is outside the image.",
                             "five lines",
                             "std::floor(x + y * tilt) rounds down, also below 0; a cast to int "
                             "would cut towards 0.")) {}

void Skew::check(Answer answer) const {
    const std::vector<Case> cases{{5, 7, 0.62},    {7, 5, -0.43},    {28, 28, 0},
                                  {28, 28, 0.137}, {28, 28, -0.211}, {28, 28, 1.09},
                                  {1, 9, 0.7},     {9, 1, 0.03171},  {12, 30, 5.03}};
    image_check::judge_images(text(), answer, cases, [&](const Matrix& image, const Case& one) {
        return image_check::Trial{
            [&] { return answer(image, one.tilt); },
            lanes::skew(image, one.tilt),
            mistakes(image, one.tilt),
            {0, 0},
            "Columns go from 0 to columns - 1, so column == columns is outside already: the test "
            "is "
            "column >= columns, not column > columns; and\nwhat is below 0 is outside, too."};
    });
}

}  // namespace lanes::exercises
