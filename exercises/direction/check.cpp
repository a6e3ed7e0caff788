#include "exercise.hpp"

#include "../common/edges.hpp"
#include "../common/needs.hpp"
#include "lanes/ops/edges.hpp"
#include "notebook/exercise/guard_blocks.hpp"
#include "notebook/exercise/judge.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Judge;
using notebook::Values;
using notebook::values_of;

const double eighth = std::atan(1.0);  // of a full turn

struct Case {
    std::string words;
    Matrix gx, gy;
};

double turns(double gx, double gy) { return std::atan2(gy, gx) / eighth; }

// Vectors in all directions, 15 degrees apart, none of them in the middle of a sector or near the
// border of two.
Case compass() {
    Case all{"vectors in 24 directions", Matrix::from_shape({4, 6}), Matrix::from_shape({4, 6})};
    for (int k = 0; k < 24; ++k) {
        all.gx.data()[k] = static_cast<float>((k + 1) * std::cos((3 * k + 1) * eighth / 9));
        all.gy.data()[k] = static_cast<float>((k + 1) * std::sin((3 * k + 1) * eighth / 9));
    }
    return all;
}

Case axes() {
    return {"vectors along the axes and a vector of length 0", Matrix{{0, 0, 2, -2, 0}},
            Matrix{{3, -3, 0, 0, 0}}};
}

Case of_image(const std::string& words, const Matrix& image) {
    const edge_check::Gradient of = edge_check::gradient(image);
    return {"the gradient of " + words, of.gx, of.gy};
}

std::vector<Case> cases() {
    const Matrix none = Matrix::from_shape({0, 4});
    return {axes(),
            compass(),
            of_image("a ramp", edge_check::step(7, 9, 1, 0, 6)),
            of_image("a diagonal step", edge_check::step(9, 9, 1, 1)),
            of_image("the other diagonal step", edge_check::step(9, 9, -1, 1)),
            of_image("a random image", edge_check::eighths(40, 31, Rng(71))),
            {"an image without pixels", none, none}};
}

std::vector<notebook::KnownMistake> mistakes(const Case& one) {
    std::vector<notebook::KnownMistake> known;
    const auto add = [&](const std::string& words, double (*f)(double gx, double gy)) {
        Values gives = values_of(one.gx);
        for (std::size_t k = 0; k < gives.numbers.size(); ++k)
            gives.numbers[k] = f(one.gx.data()[k], one.gy.data()[k]);
        known.push_back({std::move(gives), words});
    };
    add("gx and gy are exchanged: it is std::atan2(gy, gx), the y component first.",
        [](double x, double y) { return double((std::lround(turns(y, x)) + 4) % 4); });
    add("These numbers go from -4 to 4. Opposite directions count as one: add 4 and take the rest "
        "of a division by 4.",
        [](double x, double y) { return double(std::lround(turns(x, y))); });
    add("In C++ the rest of a negative number is negative: add 4 before % 4.",
        [](double x, double y) { return double(std::lround(turns(x, y)) % 4); });
    add("These are eight directions. Opposite directions count as one: % 4.",
        [](double x, double y) { return double((std::lround(turns(x, y)) + 8) % 8); });
    add("These are degrees. The result is 0, 1, 2 or 3: divide by 45 degrees before you round.",
        [](double x, double y) { return double((std::lround(turns(x, y)) + 4) % 4 * 45); });
    add("The angle is cut off to a whole number, not rounded to the nearest one: std::lround.",
        [](double x, double y) { return double((int(turns(x, y)) + 4) % 4); });
    add("The angle is rounded down, not to the nearest whole number: std::lround.",
        [](double x, double y) { return double((int(std::floor(turns(x, y))) + 4) % 4); });
    add("The two diagonals are exchanged: y points down, and direction 1 is to the right and down, "
        "where gx and gy have the same sign.",
        [](double x, double y) { return double((8 - std::lround(turns(x, y))) % 4); });
    add("The signs of gx and gy are lost, so both diagonals are 1. With one sign they are 1, with "
        "two different signs 3.",
        [](double x, double y) { return double(std::lround(turns(std::fabs(x), std::fabs(y)))); });
    add("This is the direction along the edge. The gradient points across it.",
        [](double x, double y) { return double((std::lround(turns(x, y)) + 6) % 4); });
    add("The angle is in degrees already, or in radians: std::atan2 gives radians, and a sector is "
        "M_PI / 4 of them.",
        [](double x, double y) { return double((std::lround(turns(x, y) * eighth) + 4) % 4); });
    return known;
}

std::string words_for(const Values& got, const Values& expected, const Case& one) {
    if (got.shape != expected.shape) return "";
    for (std::size_t k = 0; k < got.numbers.size(); ++k) {
        const double gx = one.gx.data()[k];
        const double gy = one.gy.data()[k];
        if (got.numbers[k] != expected.numbers[k])
            return "The vector there is gx = " + to_text(gx) + ", gy = " + to_text(gy) +
                   ", an angle of " + to_text(std::round(std::atan2(gy, gx) / eighth * 45)) +
                   " degrees (y points down).";
    }
    return "";
}

}  // namespace

Direction::Direction()
    : Exercise(text_of<Direction>(
          "direction",
          "Gives the nearest of four directions for the vector (gx, gy) of each pixel: 0 along the "
          "row, 1 to the right and down,\n"
          "2 along the column, 3 to the left and down. Opposite directions count as one; 0 if gx "
          "and gy are 0.",
          "four lines",
          "std::atan2(gy, gx) / (M_PI / 4) is a number from -4 to 4. std::lround rounds it to a "
          "whole number; + 4 and % 4 make it 0 to 3.")) {}

void Direction::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    for (const Case& one : cases()) {
        judge.begin(one.words);
        const Values expected = values_of(lanes::direction(one.gx, one.gy));
        const Values got = values_of(notebook::call_with_guard_blocks(
            judge, one.gx.size(), [&] { return answer(one.gx, one.gy); }));
        notebook::About about;
        about.known = mistakes(one);
        about.words = words_for(got, expected, one);
        judge.same(got, expected, about);
    }
    judge.pass();
}

}  // namespace lanes::exercises
