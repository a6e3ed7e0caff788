#include "exercise.hpp"

#include "../common/moved_pixels.hpp"
#include "../common/needs.hpp"
#include "lanes/data/augment.hpp"

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

const notebook::ExerciseText& shift_text() {
    static const notebook::ExerciseText text = with_needs(
        "shift",
        {"shift", Shift::first_line,
         "Moves the image dx cells to the left and dy cells upwards; both may be negative, and "
         "larger than the image.\nWhere nothing was, the result is black: 0.",
         "five lines",
         "out(y, x) comes from row y + dy and column x + dx. Use int for these: a std::size_t "
         "cannot be negative."});
    return text;
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
        const Matrix image = image_check::picture(one.rows, one.columns);
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
        for (KnownMistake& mistake : image_check::without_guards(image, by(one.dx, one.dy)))
            about.known.push_back(std::move(mistake));
        image_check::judge_image(judge, image, lanes::shift(image, one.dx, one.dy), about,
                                 [&](const Matrix& x) { return answer(x, one.dx, one.dy); });
    }
    judge.pass();
}

}  // namespace lanes::exercises
