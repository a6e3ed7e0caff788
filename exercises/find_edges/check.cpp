#include "exercise.hpp"

#include "../common/edges.hpp"
#include "../common/needs.hpp"
#include "lanes/ops/edges.hpp"
#include "notebook/exercise/guard_blocks.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::each;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;

struct Case {
    std::string words;
    Matrix image;
    float low, high;
};

// No threshold is a magnitude that occurs: all of them are roots of whole numbers, divided by 32.
std::vector<Case> cases() {
    return {{"a vertical step", edge_check::step(7, 10, 1, 0), 0.101F, 0.303F},
            {"a diagonal step", edge_check::step(9, 9, -1, 1), 0.101F, 0.303F},
            {"a faint step", edge_check::step(8, 11, 0, 1) / 4, 0.101F, 0.303F},
            {"areas of one brightness each", edge_check::patches(33, 44, Rng(74)), 0.203F, 0.607F},
            {"a random image", edge_check::eighths(25, 31, Rng(75)), 0.203F, 0.607F}};
}

std::vector<notebook::KnownMistake> mistakes(const Case& one) {
    std::vector<notebook::KnownMistake> known;
    const auto add = [&](const Values& gives, const std::string& words) {
        known.push_back({gives, words});
    };
    const edge_check::Gradient of = edge_check::gradient(one.image);
    const auto sectors = lanes::direction(of.gx, of.gy);
    const Matrix thinned = lanes::thin(of.magnitude, sectors);
    const double low = one.low, high = one.high;
    const Matrix four_times = 4 * of.magnitude;
    add(values_of(lanes::hysteresis(lanes::thin(four_times, sectors), one.low, one.high)),
        "The magnitude is not divided by 4: the thresholds are fractions of a step from 0 to 1.");
    add(values_of(lanes::hysteresis(of.magnitude, one.low, one.high)),
        "The edges are not thinned: hysteresis gets the result of thin.");
    add(each(values_of(thinned), [=](double v) { return v > high ? 1.0 : 0.0; }),
        "Only the upper threshold is used: hysteresis comes last, with low before high.");
    add(each(values_of(thinned), [=](double v) { return v > low ? 1.0 : 0.0; }),
        "Only the lower threshold is used: hysteresis comes last.");
    add(values_of(lanes::hysteresis(lanes::thin(of.magnitude, lanes::direction(of.gy, of.gx)),
                                    one.low, one.high)),
        "gx and gy are exchanged in the call of direction.");
    add(values_of(lanes::hysteresis(
            lanes::thin(Matrix(xt::abs(of.gx) / 4), lanes::direction(of.gx, of.gy)), one.low,
            one.high)),
        "The magnitude is |gx| alone: horizontal edges are missing.");
    add(values_of(lanes::hysteresis(lanes::thin(of.magnitude, lanes::direction(of.gx, of.gx)),
                                    one.low, one.high)),
        "direction gets gx twice.");
    add(values_of(thinned), "These are the thinned magnitudes: hysteresis is missing.");
    add(values_of(of.magnitude),
        "This is the gradient magnitude: thin and hysteresis are missing.");
    return known;
}

}  // namespace

FindEdges::FindEdges()
    : Exercise(text_of<FindEdges>(
          "find_edges",
          "Gives the edges of an image, 1 on an edge and 0 elsewhere: the responses gx and gy to "
          "sobel_3x3 and its transpose, the magnitude\n"
          "divided by 4, the direction, thin and hysteresis with the two thresholds.",
          "six lines",
          "direction(gx, gy) and the magnitude sqrt(gx * gx + gy * gy) / 4 go into thin; its "
          "result and the thresholds go into hysteresis.")) {}

void FindEdges::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    for (const Case& one : cases()) {
        judge.begin(one.words);
        const Values expected = values_of(lanes::find_edges(one.image, one.low, one.high));
        const Values got = values_of(notebook::call_with_guard_blocks(
            judge, one.image.size(), [&] { return answer(one.image, one.low, one.high); }));
        notebook::About about;
        about.known = mistakes(one);
        judge.same(got, expected, about);
    }
    judge.pass();
}

}  // namespace lanes::exercises
