#include "exercise.hpp"

#include "../common/moved_pixels.hpp"
#include "../common/needs.hpp"
#include "lanes/mlp/augment.hpp"

#include <vector>

namespace lanes::exercises {

namespace {

using image_check::Place;
using image_check::taken;
using notebook::KnownMistake;
using notebook::values_of;

struct Case {
    std::size_t rows, columns;
    int dx, dy;
};

std::string words(const Case& one) {
    return image_check::words(one.rows, one.columns) + ", dx = " + std::to_string(one.dx) +
           ", dy = " + std::to_string(one.dy);
}

std::vector<KnownMistake> mistakes(const Matrix& image, const Case& one) {
    const auto moved = [&](int dx, int dy) {
        return values_of(
            taken(image, [dx, dy](int y, int x) { return Place{1.0 * y + dy, 1.0 * x + dx}; }));
    };
    std::vector<KnownMistake> known{
        {moved(-one.dx, -one.dy),
         "It moves to the right and down: dx counts to the left, dy upwards."},
        {moved(-one.dx, one.dy),
         "It moves to the right: dx counts to the left, so out(y, x) comes from column x + dx."},
        {moved(one.dx, -one.dy),
         "It moves down: dy counts upwards, so out(y, x) comes from row y + dy."},
        {moved(one.dy, one.dx), "dx and dy are swapped: dx belongs to columns, dy to rows."}};
    image_check::add_without_bounds(
        known, image, [&](int y, int x) { return Place{1.0 * y + one.dy, 1.0 * x + one.dx}; });
    image_check::add_border_left_out(known, lanes::shift(image, one.dx, one.dy), [&](int y, int x) {
        return Place{1.0 * y + one.dy, 1.0 * x + one.dx};
    });
    return known;
}

constexpr const char* outside =
    "Rows go from 0 to rows - 1, so row == rows is outside already: the test is row >= rows, not "
    "row > rows. The same for columns; and\nwhat is below 0 is outside, too.";

}  // namespace

Shift::Shift()
    : Exercise(text_of<Shift>(
          "shift",
          "Moves the image dx cells to the left and dy cells upwards; both may be negative, and "
          "larger than the image.\nWhere nothing was, the result is black: 0.",
          "five lines",
          "out(y, x) comes from row y + dy and column x + dx. Use int for these: a std::size_t "
          "cannot be negative.")) {}

void Shift::check(Answer answer) const {
    const std::vector<Case> cases{{5, 7, 2, 1},       {28, 28, 0, 0},  {28, 28, 4, 0},
                                  {28, 28, 0, 4},     {28, 28, -3, 5}, {28, 28, 6, -2},
                                  {7, 5, -2, -3},     {1, 9, 3, 0},    {9, 1, 0, -2},
                                  {28, 28, 100, -28}, {6, 6, 0, 2000}};
    image_check::judge_images(text(), answer, cases, [&](const Matrix& image, const Case& one) {
        return image_check::Trial{[&] { return answer(image, one.dx, one.dy); },
                                  lanes::shift(image, one.dx, one.dy),
                                  mistakes(image, one),
                                  {0, 0},
                                  outside};
    });
}

}  // namespace lanes::exercises
