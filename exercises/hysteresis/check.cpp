#include "exercise.hpp"

#include "../common/edges.hpp"
#include "../common/needs.hpp"
#include "lanes/ops/edges.hpp"
#include "notebook/exercise/guard_blocks.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::Judge;
using notebook::Values;
using notebook::values_of;

struct Case {
    std::string words;
    Matrix thinned;
    float low, high;
};

// S: above both thresholds, w: between them, n: below both but not 0, h and l: equal to them, .: 0
Case drawn(const std::string& words, const std::vector<std::string>& rows) {
    Case one{words, Matrix::from_shape({rows.size(), rows[0].size()}), 0.2F, 0.5F};
    for (std::size_t y = 0; y < rows.size(); ++y)
        for (std::size_t x = 0; x < rows[y].size(); ++x) {
            const char c = rows[y][x];
            one.thinned(y, x) = c == 'S'   ? 0.9F
                                : c == 'w' ? 0.3F
                                : c == 'n' ? 0.1F
                                : c == 'h' ? one.high
                                : c == 'l' ? one.low
                                           : 0.0F;
        }
    return one;
}

Case random(std::size_t rows, std::size_t columns, float low, float high) {
    Case one{"random values, " + std::to_string(rows) + "x" + std::to_string(columns),
             Matrix::from_shape({rows, columns}), low, high};
    Rng(73).split(rows).fill_uniform(one.thinned.data(), one.thinned.size(), 0, 1);
    return one;
}

std::vector<Case> cases() {
    return {drawn("a chain of weak pixels that begins at a strong one",
                  {".......", ".Swwww.", "......."}),
            drawn("a chain that touches only weak pixels",
                  {"wwww...", ".......", "...S..S", ".......", ".wwwww."}),
            drawn("a chain that runs back to the left and up",
                  {"www....", "..w.www", "..w...w", "..wwwww", "......S"}),
            drawn("links over corners, and a gap", {"w...w..", ".w.w.n.", "..S...w"}),
            drawn("the end of a row and the start of the next one",
                  {"....S", "w....", "....w", "S...."}),
            drawn("one strong pixel", {"S"}),
            drawn("pixels that are equal to a threshold", {"h......", ".......", "....Slw"}),
            random(12, 17, 0.55F, 0.9F),
            random(6, 9, 0.5F, 0.5F),
            random(0, 3, 0.2F, 0.5F),
            random(50, 41, 0.6F, 0.97F)};
}

struct Variant {
    int steps = -1;       // how often the edge grows; -1: until nothing changes
    bool four = false;    // neighbours
    bool raster = false;  // one pass from the top left, in place
    bool ahead = false;   // in this pass strong pixels count that it has not reached yet
    bool wraps = false;   // the end of a row is next to the start of the next one
    bool equal = false;   // what is equal to a threshold counts as above it
};

Values grown(const Case& one, const Variant& variant) {
    const auto above = [&](double value, double threshold) {
        return value > threshold || (variant.equal && value == threshold);
    };
    const int rows = static_cast<int>(one.thinned.shape(0));
    const int columns = static_cast<int>(one.thinned.shape(1));
    Values edges = values_of(one.thinned);
    const bool begins_empty = variant.raster && !variant.ahead;
    for (double& value : edges.numbers) value = above(value, one.high) && !begins_empty ? 1 : 0;
    const auto touches = [&](const Values& now, int y, int x) {
        for (int i = -1; i <= 1; ++i)
            for (int j = -1; j <= 1; ++j) {
                if (variant.four && std::abs(i) + std::abs(j) != 1) continue;
                const int k = (y + i) * columns + x + j;
                if (k < 0 || k >= rows * columns) continue;
                if (!variant.wraps && (x + j < 0 || x + j >= columns)) continue;
                if (now.numbers[static_cast<std::size_t>(k)] == 1) return true;
            }
        return false;
    };
    for (int step = 0; step != (variant.raster ? 1 : variant.steps); ++step) {
        const Values before = edges;
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x)
                if (above(one.thinned(y, x), one.high) ||
                    (above(one.thinned(y, x), one.low) &&
                     touches(variant.raster ? edges : before, y, x)))
                    edges.numbers[static_cast<std::size_t>(y * columns + x)] = 1;
        if (edges.numbers == before.numbers) break;
    }
    return edges;
}

std::vector<notebook::KnownMistake> mistakes(const Case& one, const Values& expected) {
    std::vector<notebook::KnownMistake> known;
    const auto add = [&](Values gives, const std::string& words) {
        known.push_back({std::move(gives), words});
    };
    const Values x = values_of(one.thinned);
    const double low = one.low, high = one.high;
    Variant variant;
    variant.steps = 1;
    add(grown(one, variant),
        "Only weak pixels that touch a strong one are kept. Those that touch "
        "them belong to the edge, too: go on until nothing is added.");
    variant = {};
    variant.raster = true;
    for (const bool ahead : {false, true}) {
        variant.ahead = ahead;
        add(grown(one, variant),
            "One pass from the first row to the last follows an edge only to the "
            "right and down. Go on until nothing is added.");
    }
    variant = {};
    variant.four = true;
    add(grown(one, variant), "Only four neighbours are looked at: diagonal ones count, too.");
    variant.steps = 1;
    add(grown(one, variant),
        "Only the four neighbours of strong pixels are looked at: there are "
        "eight, and the edge goes on from each pixel that is added.");
    variant = {};
    variant.wraps = true;
    add(grown(one, variant),
        "The end of a row is taken as the neighbour of the start of the next "
        "row: test the column as well.");
    variant = {};
    variant.equal = true;
    add(grown(one, variant),
        "Pixels that are equal to a threshold are taken as above it: > instead of >=.");
    add(each(x, [=](double v) { return v > high ? 1.0 : 0.0; }),
        "These are the strong pixels alone: weak ones that are connected with them are missing.");
    add(each(x, [=](double v) { return v > low ? 1.0 : 0.0; }),
        "These are all pixels above the lower threshold: a chain that touches only weak pixels "
        "must be removed.");
    add(each(x, [=](double v) { return v > low && v <= high ? 1.0 : 0.0; }),
        "These are the weak pixels alone.");
    add(each(expected, [](double v) { return 1 - v; }), "0 and 1 are exchanged: 1 is an edge.");
    Values kept = expected;
    for (std::size_t k = 0; k < kept.numbers.size(); ++k) kept.numbers[k] *= x.numbers[k];
    add(kept, "These are magnitudes. The result is 1 on an edge and 0 elsewhere.");
    Case swapped = one;
    std::swap(swapped.low, swapped.high);
    add(grown(swapped, {}),
        "The thresholds are exchanged: an edge begins above `high` and goes on "
        "above `low`.");
    return known;
}

// A simple image may show several mistakes alike; this case tells them apart.
std::string diagnosis(Hysteresis::Answer answer) {
    const Case one = random(12, 17, 0.55F, 0.9F);
    try {
        const Values got = values_of(answer(one.thinned, one.low, one.high));
        const Values expected = values_of(lanes::hysteresis(one.thinned, one.low, one.high));
        for (const notebook::KnownMistake& mistake : mistakes(one, expected))
            if (notebook::are_close(got, mistake.gives) &&
                !notebook::are_close(expected, mistake.gives))
                return mistake.words;
    } catch (const std::exception&) {  // the cases report it
    }
    return "";
}

}  // namespace

Hysteresis::Hysteresis()
    : Exercise(text_of<Hysteresis>(
          "hysteresis",
          "Gives 1 for each pixel above `high`, and for each pixel above `low` that is connected "
          "with such a pixel by pixels above `low`;\n"
          "each of the eight neighbours counts. All others are 0. low <= high.",
          "thirteen lines",
          "Keep a list of pixels to visit, at first all above `high`. As long as there is one, "
          "take "
          "it out; if it lies in the image, is above `low` and is not marked, mark it and put its "
          "eight neighbours on the list.")) {}

void Hysteresis::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    const std::string words = diagnosis(answer);
    for (const Case& one : cases()) {
        judge.begin(one.words);
        const Values expected = values_of(lanes::hysteresis(one.thinned, one.low, one.high));
        const Values got = values_of(notebook::call_with_guard_blocks(
            judge, one.thinned.size(), [&] { return answer(one.thinned, one.low, one.high); }));
        notebook::About about;
        about.words = words;
        if (words.empty()) about.known = mistakes(one, expected);
        judge.same(got, expected, about);
    }
    judge.pass();
}

}  // namespace lanes::exercises
