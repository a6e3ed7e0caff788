#include "exercise.hpp"

#include "../common/moved_pixels.hpp"
#include "../common/needs.hpp"
#include "lanes/data/augment.hpp"

#include <cmath>
#include <vector>

namespace lanes::exercises {

namespace {

using image_check::Place;
using image_check::size_of;
using image_check::taken;
using notebook::About;
using notebook::Judge;
using notebook::KnownMistake;
using notebook::values_of;

const notebook::ExerciseText& skew_text() {
    static const notebook::ExerciseText text = with_needs(
        "skew",
        {"skew", Skew::first_line,
         "out(y, x) is image(y, floor(x + y * tilt)), and black where that column is outside of "
         "the image.",
         "five lines",
         "std::floor(x + y * tilt) rounds down, also below 0; a cast to int would cut towards 0."});
    return text;
}

}  // namespace

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
        const Matrix image = image_check::picture(one.rows, one.columns);
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
        for (KnownMistake& mistake : image_check::without_guards(image, right))
            about.known.push_back(std::move(mistake));
        image_check::judge_image(judge, image, lanes::skew(image, tilt), about,
                                 [&](const Matrix& x) { return answer(x, tilt); });
    }
    judge.pass();
}

}  // namespace lanes::exercises
