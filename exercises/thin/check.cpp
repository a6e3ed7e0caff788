#include "exercise.hpp"

#include "../common/edges.hpp"
#include "../common/needs.hpp"
#include "lanes/ops/edges.hpp"
#include "notebook/exercise/guard_blocks.hpp"
#include "notebook/exercise/judge.hpp"

#include <array>
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
    Matrix magnitude;
    Directions sectors;
};

Case of_image(const std::string& words, const Matrix& image) {
    const edge_check::Gradient of = edge_check::gradient(image);
    return {"the gradient of " + words, of.magnitude, lanes::direction(of.gx, of.gy)};
}

// Magnitudes and directions that have nothing to do with each other; many neighbours are equal.
Case random(std::size_t rows, std::size_t columns) {
    Rng rng(72);
    Case one{
        "random magnitudes and directions, " + std::to_string(rows) + "x" + std::to_string(columns),
        edge_check::eighths(rows, columns, rng.split(rows)),
        Directions::from_shape({rows, columns})};
    for (int& sector : one.sectors) sector = static_cast<int>(rng.integer(0, 3));
    return one;
}

std::vector<Case> cases() {
    return {of_image("a vertical step", edge_check::step(7, 10, 1, 0)),
            of_image("a horizontal step", edge_check::step(10, 7, 0, 1)),
            of_image("a diagonal step", edge_check::step(9, 9, 1, 1)),
            of_image("the other diagonal step", edge_check::step(9, 9, -1, 1)),
            of_image("a ramp", edge_check::step(7, 12, 1, 0, 4)),
            random(11, 14),
            random(2, 5),
            random(5, 1),
            random(0, 3),
            random(60, 47)};
}

struct Variant {
    int turn = 0;               // added to the direction
    bool mirrored = false;      // 1 and 3 are exchanged
    bool before_equal = false;  // >= instead of > before
    bool after_larger = false;  // > instead of >= after
    bool border = false;        // pixels at the border are not 0; outside everything is 0
    bool ones = false;          // 1 instead of the magnitude
    bool opposite = false;      // suppresses the largest
    bool either = false;        // || instead of &&
};

Values thinned(const Case& one, const Variant& variant) {
    constexpr std::array<int, 4> right{1, 1, 0, -1};
    constexpr std::array<int, 4> down{0, 1, 1, 1};
    const int rows = static_cast<int>(one.magnitude.shape(0));
    const int columns = static_cast<int>(one.magnitude.shape(1));
    Values result{{one.magnitude.shape(0), one.magnitude.shape(1)},
                  std::vector<double>(one.magnitude.size(), 0)};
    const auto at = [&](int y, int x) {
        return y >= 0 && y < rows && x >= 0 && x < columns ? one.magnitude(y, x) : 0.0F;
    };
    const int edge = variant.border ? 0 : 1;
    for (int y = edge; y < rows - edge; ++y)
        for (int x = edge; x < columns - edge; ++x) {
            const int turned = (one.sectors(y, x) + variant.turn) % 4;
            const auto s = static_cast<std::size_t>(variant.mirrored ? (4 - turned) % 4 : turned);
            const float here = at(y, x), before = at(y - down[s], x - right[s]),
                        after = at(y + down[s], x + right[s]);
            const bool beats_before = variant.before_equal ? here >= before : here > before;
            const bool beats_after = variant.after_larger ? here > after : here >= after;
            const bool is_kept =
                variant.either ? beats_before || beats_after : beats_before && beats_after;
            if (is_kept != variant.opposite)
                result.numbers[static_cast<std::size_t>(y) * one.magnitude.shape(1) +
                               static_cast<std::size_t>(x)] = variant.ones ? 1 : here;
        }
    return result;
}

std::vector<notebook::KnownMistake> mistakes(const Case& one) {
    std::vector<notebook::KnownMistake> known;
    const auto add = [&](const Variant& variant, const std::string& words) {
        known.push_back({thinned(one, variant), words});
    };
    Variant variant;
    variant.after_larger = true;
    add(variant,
        "Of two equal neighbours none remains: a sharp step has two equal magnitudes side by side. "
        "Larger than the one before (>), but not smaller than the one after (>=).");
    variant = {};
    variant.before_equal = true;
    add(variant,
        "Of two equal neighbours both remain, so a sharp step gives a line of two pixels. Larger "
        "than the one before (>), and not smaller than the one after (>=).");
    variant.after_larger = true;
    add(variant,
        "Of equal neighbours the last one remains. The first one should: larger than the one "
        "before (>), and not smaller than the one after (>=).");
    variant = {};
    variant.turn = 2;
    add(variant,
        "The neighbours along the edge are compared. The direction is that of the "
        "gradient, across the edge: direction 0 means the left and the right neighbour.");
    variant = {};
    variant.mirrored = true;
    add(variant,
        "The diagonals are exchanged: in direction 1 the neighbours are (y - 1, x - 1) "
        "and (y + 1, x + 1), in direction 3 (y - 1, x + 1) and (y + 1, x - 1).");
    variant = {};
    variant.border = true;
    add(variant, "Pixels at the border have no neighbour on one side: they become 0.");
    variant = {};
    variant.ones = true;
    add(variant,
        "These are ones. A pixel that remains keeps its magnitude: the thresholds come "
        "later.");
    variant = {};
    variant.opposite = true;
    add(variant, "The maxima are removed, and all others remain: it is the other way round.");
    variant = {};
    variant.either = true;
    add(variant,
        "Larger than one of the two neighbours is not enough: both must hold, && instead of ||.");
    known.push_back(
        {values_of(one.magnitude), "This is the magnitude itself: nothing is removed."});
    // Only the left and the right neighbour, whatever the direction.
    Case fixed = one;
    fixed.sectors.fill(0);
    known.push_back({thinned(fixed, {}),
                     "Always the left and the right neighbour are compared: "
                     "which ones depends on the pixel's direction."});
    return known;
}

// A simple image may show several mistakes alike; this case tells them apart.
std::string diagnosis(Thin::Answer answer) {
    const Case one = random(11, 14);
    try {
        const Values got = values_of(answer(one.magnitude, one.sectors));
        for (const notebook::KnownMistake& mistake : mistakes(one))
            if (notebook::are_close(got, mistake.gives)) return mistake.words;
    } catch (const std::exception&) {  // the cases report it
    }
    return "";
}

}  // namespace

Thin::Thin()
    : Exercise(text_of<Thin>(
          "thin",
          "Keeps the magnitude of a pixel if it is larger than that of the neighbour before it, "
          "and "
          "not smaller than that of the one after it, in the direction of its sector;\n"
          "all others become 0, and so do the pixels at the border of the image.",
          "nine lines",
          "Two small arrays give the neighbour after a pixel: dx[] = {1, 1, 0, -1} and dy[] = {0, "
          "1, 1, 1}. The one before it is at y - dy[s], x - dx[s].")) {}

void Thin::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    const std::string words = diagnosis(answer);
    for (const Case& one : cases()) {
        judge.begin(one.words);
        const Values expected = values_of(lanes::thin(one.magnitude, one.sectors));
        const Values got = values_of(notebook::call_with_guard_blocks(
            judge, one.magnitude.size(), [&] { return answer(one.magnitude, one.sectors); }));
        notebook::About about;
        about.words = words;
        if (words.empty()) about.known = mistakes(one);
        judge.same(got, expected, about);
    }
    judge.pass();
}

}  // namespace lanes::exercises
