// process_image: special pictures show with which arguments the operators were called, one operator
// at a time.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "notebook/exercise/judge.hpp"
#include "notebook/exercise/randomness.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::values_of;
using Answer = ProcessImage::Answer;

constexpr int calls = 200;
constexpr int side = 29, middle = 14;

// A soft white spot on black.
Matrix spot(double row, double column) {
    Matrix image(std::array<std::size_t, 2>{side, side});
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            image(y, x) = static_cast<float>(
                std::exp(-((y - row) * (y - row) + (x - column) * (x - column)) / 4));
    return image;
}

struct Place {
    double row = 0, column = 0;
};

std::optional<Place> centre_of(const Matrix& image) {
    Place sum;
    double weight = 0;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            weight += image(y, x);
            sum.row += y * static_cast<double>(image(y, x));
            sum.column += x * static_cast<double>(image(y, x));
        }
    if (weight < 1) return {};
    return Place{sum.row / weight, sum.column / weight};
}

Place centre_inside(Judge& judge, const Matrix& image, const char* advice) {
    const auto centre = centre_of(image);
    judge.require(centre.has_value(), "the image has left the picture.", advice);
    return centre.value_or(Place{});  // require has thrown if there is none
}

Matrix called(Judge& judge, Answer answer, const Matrix& image, const AugmentationBounds& bounds,
              Rng& rng) {
    const Matrix before = image;  // NOLINT(performance-unnecessary-copy-initialization): an answer
                                  // may write into it all the same
    Matrix result = judge.call([&] { return answer(image, bounds, rng); });
    judge.require(image == before, "the image that it was given has changed.",
                  "Write into new matrices: the training images are needed again as they are.");
    judge.require(result.shape() == image.shape(),
                  "the shape is " + lanes::detail::Part(result.shape()).text() + ", expected " +
                      lanes::detail::Part(image.shape()).text() + ".");
    return result;
}

std::string rounded(double x) { return to_text(static_cast<float>(std::round(x * 100) / 100)); }

// The lowest and the highest argument of many calls, against what the bound allows. off: how well
// it can be read off the picture.
void judge_range(Judge& judge, double lowest, double highest, double bound, double off,
                 const std::string& what, const std::string& operation) {
    const std::string seen = "in " + std::to_string(calls) + " calls " + what + " lies between " +
                             rounded(lowest) + " and " + rounded(highest) + ", expected " +
                             rounded(-bound) + " to " + rounded(bound) + ".";
    const bool never = highest - lowest < 0.2 * bound && std::fabs(highest + lowest) < 0.2 * bound;
    judge.require(
        !never, "in " + std::to_string(calls) + " calls nothing is seen of " + operation + ".",
        "Give each operator the result of the one before: image2 = " + operation + "(image1, …).");
    judge.require(highest - lowest > 0.2 * bound, seen,
                  "It is always the same: draw it again from rng in each call.");
    judge.require(lowest < -0.2 * bound, seen, "It goes one way only: draw from -bound to bound.");
    judge.require(highest > 0.2 * bound, seen, "It goes one way only: draw from -bound to bound.");
    judge.require(lowest >= -bound - off && highest <= bound + off, seen,
                  "It goes too far: take the bound from bounds.");
    judge.require(lowest < -0.75 * bound + off && highest > 0.75 * bound - off, seen,
                  "It does not go far enough: take the bound from bounds.");
}

AugmentationBounds none() { return {0, 0, 0, 0}; }

void judge_unchanged(Judge& judge, Answer answer) {
    judge.begin("all bounds are 0");
    Rng rng(41);
    Matrix image(std::array<std::size_t, 2>{28, 28});
    rng.fill_uniform(image.data(), image.size(), 0, 1);
    judge.same(values_of(called(judge, answer, image, none(), rng)), values_of(image));
}

void judge_shifts(Judge& judge, Answer answer) {
    judge.begin("shifts of up to 3 cells alone");
    AugmentationBounds bounds = none();
    bounds.cells = 3;
    Rng rng(42);
    const Matrix image = spot(middle, middle);
    Place lowest, highest;
    bool always_equal = true, never_equal = true;
    for (int i = 0; i < calls; ++i) {
        const Matrix result = called(judge, answer, image, bounds, rng);
        const Place centre =
            centre_inside(judge, result, "A shift is by at most bounds.cells cells.");
        const double dx = std::round(middle - centre.column), dy = std::round(middle - centre.row);
        About about;
        about.what = "call " + std::to_string(i + 1);
        judge.same(values_of(result),
                   values_of(lanes::shift(image, static_cast<int>(dx), static_cast<int>(dy))),
                   about);
        lowest = {std::min(lowest.row, dy), std::min(lowest.column, dx)};
        highest = {std::max(highest.row, dy), std::max(highest.column, dx)};
        always_equal = always_equal && dx == dy;
        never_equal = never_equal && dx != dy;
    }
    judge_range(judge, lowest.column, highest.column, 3, 0, "dx", "shift");
    judge_range(judge, lowest.row, highest.row, 3, 0, "dy", "shift");
    judge.require(!always_equal,
                  "dx and dy are the same in each of " + std::to_string(calls) + " calls.",
                  "Draw twice: a shift along the diagonal alone is half the variety.");
}

// measure: the argument that made the picture of the spot.
template <class Measure>
void judge_spot(Judge& judge, Answer answer, const AugmentationBounds& bounds, const Matrix& image,
                double bound, double off, const char* what, const char* operation,
                Measure measure) {
    Rng rng(43);
    double lowest = 1e9, highest = -1e9;
    for (int i = 0; i < calls; ++i) {
        const Place centre = centre_inside(judge, called(judge, answer, image, bounds, rng),
                                           "The argument is at most the bound.");
        lowest = std::min(lowest, measure(centre));
        highest = std::max(highest, measure(centre));
    }
    judge_range(judge, lowest, highest, bound, off, what, operation);
}

void judge_noise(Judge& judge, Answer answer) {
    judge.begin("noise of 0.1 alone");
    AugmentationBounds bounds = none();
    bounds.noise = 0.1;
    Rng rng(44);
    const Matrix image = xt::ones<float>({side, side}) * 0.5f,
                 noisy = called(judge, answer, image, bounds, rng);
    const auto [lowest, highest] = std::minmax_element(noisy.begin(), noisy.end());
    judge.require(*lowest != *highest, "no noise is seen.",
                  "Give each operator the result of the one before: image2 = add_noise(image1, "
                  "bounds.noise, rng).");
    judge.require(
        *lowest >= 0.4f - 1e-5f && *highest <= 0.6f + 1e-5f && *lowest < 0.45f && *highest > 0.55f,
        "pixels of 0.5 become " + rounded(*lowest) + " to " + rounded(*highest) +
            ", expected 0.4 to 0.6.",
        "The noise is bounds.noise, as it is.");
}

void judge_all(Judge& judge, Answer answer) {
    judge.begin("all of them: is it random?");
    const AugmentationBounds bounds{10, 2, 0.05, 0.1};
    const Matrix image = spot(8, 20);
    const Matrix a = notebook::judge_randomness(judge, {"give", "gives", "image"}, [&](Rng& rng) {
        return called(judge, answer, image, bounds, rng);
    });
    judge.require(std::all_of(a.begin(), a.end(), [](float x) { return x >= 0 && x <= 1; }),
                  "a pixel has left 0 to 1.", "Noise is added last, or cut off.");
}

}  // namespace

ProcessImage::ProcessImage()
    : Exercise(text_of<ProcessImage>(
          "process_image",
          "Runs your four operators one after another, in any order, with random arguments that "
          "are drawn from rng:\n"
          "an angle of up to bounds.degrees, a shift of up to bounds.cells whole cells in x and in "
          "y, a tilt of up to bounds.tilt,\n"
          "each either way; and noise of bounds.noise. The image that was given stays as it is.",
          "six lines",
          "rng.uniform(-bounds.degrees, bounds.degrees) draws an angle, rng.integer(-cells, cells) "
          "a whole number, both ends included.")) {}

void ProcessImage::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    judge_unchanged(judge, answer);
    judge_shifts(judge, answer);

    judge.begin("angles of up to 20 degrees alone");
    AugmentationBounds turns = none();
    turns.degrees = 20;
    judge_spot(judge, answer, turns, spot(middle, middle + 9), 20, 0.8, "the angle", "rotate",
               [](const Place& at) {
                   return std::atan2(middle - at.row, at.column - middle) * 180 /
                          3.14159265358979323846;
               });

    judge.begin("tilts of up to 0.3 alone");
    AugmentationBounds tilts = none();
    tilts.tilt = 0.3;
    judge_spot(judge, answer, tilts, spot(22, middle), 0.3, 0.06, "the tilt", "skew",
               [](const Place& at) { return (middle - at.column) / 22; });

    judge_noise(judge, answer);
    judge_all(judge, answer);
    judge.pass();
}

}  // namespace lanes::exercises
