// sobel_operator: both responses of a filter, combined.
#include "exercise.hpp"

#include "../common/correlation_values.hpp"
#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "lanes/ops/sobel.hpp"
#include "notebook/exercise/guard_blocks.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::correlated;
using notebook::Judge;
using notebook::Values;
using notebook::values_of;

Values transposed(const Values& a) {
    Values result{{a.columns(), a.rows()}, {}};
    for (std::size_t j = 0; j < a.columns(); ++j)
        for (std::size_t i = 0; i < a.rows(); ++i) result.numbers.push_back(a.at(i, j));
    return result;
}

Values combined(const Values& x, const Values& y, double (*f)(double, double)) {
    Values result = x;
    for (std::size_t i = 0; i < x.numbers.size(); ++i)
        result.numbers[i] = f(x.numbers[i], y.numbers[i]);
    return result;
}

About about(const Values& filter, const Values& image, const Values& gx, const Values& gy) {
    About about;
    about.tolerance = notebook::correlation_tolerance(filter, image);
    const Values across = transposed(filter);
    about.known = {
        {combined(gx, gy, [](double a, double b) { return a * a + b * b; }),
         "The root is missing."},
        {combined(gx, gy, [](double a, double b) { return std::fabs(a) + std::fabs(b); }),
         "This is |gx| + |gy|: an approximation. The task asks for the root of the sum of "
         "squares."},
        {combined(gx, gy, [](double a, double b) { return a + b; }),
         "This is gx + gy: squares and the root are missing, and edges cancel each other."},
        {combined(gx, gy, [](double a, double b) { return std::sqrt(std::fabs(a + b)); }),
         "This is the root of gx + gy: the squares are missing."},
        {combined(gx, gy, [](double a, double b) { return std::sqrt(std::fabs(a * a - b * b)); }),
         "The squares are subtracted, not added."},
        {combined(gx, gy, [](double a, double) { return std::fabs(a); }),
         "Only gx is in it: edges that run across are missing."},
        {combined(gx, gx, [](double a, double b) { return std::hypot(a, b); }),
         "Both responses are those of the filter itself: the second one needs it transposed."},
        {gx, "This is gx alone: edges that run across are missing, and signs remain."},
        {gy, "This is gy alone: edges that run down are missing, and signs remain."},
        {combined(gy, gy, [](double a, double b) { return std::hypot(a, b); }),
         "Both responses are those of the transposed filter: is gx written over before it is "
         "used?"},
        {combined(gx, correlated(across, gx), [](double a, double b) { return std::hypot(a, b); }),
         "The second correlation is that of the first one's result: both are of the image itself."},
        {combined(gx, gy, [](double a, double b) { return std::max(std::fabs(a), std::fabs(b)); }),
         "This is the larger of |gx| and |gy|. The task asks for the root of the sum of squares."},
        {combined(gx, gy, [](double a, double b) { return (std::fabs(a) + std::fabs(b)) / 2; }),
         "This is the mean of |gx| and |gy|. The task asks for the root of the sum of squares."},
        {combined(gx, gy, [](double a, double b) { return std::fabs(a + b); }),
         "This is |gx + gy|: each of them is squared by itself, and then they are added."},
        {combined(gx, gy, [](double a, double b) { return std::sqrt(std::fabs(a * b)); }),
         "gx and gy are multiplied by each other: each is multiplied by itself."},
        {combined(gx, gy, [](double a, double b) { return std::atan2(b, a); }),
         "This is the direction of an edge, not how strong it is."},
        {combined(
             gx, gy,
             [](double a, double b) { return std::hypot(std::max(a, 0.0), std::max(b, 0.0)); }),
         "Responses below 0 are cut off before they are squared: a square has no sign."},
        {combined(gx, gy, [](double a, double b) { return std::min(std::hypot(a, b), 1.0); }),
         "All above 1 is cut off to 1. A response may be larger than any pixel."},
        {combined(gx, gy, [](double a, double b) { return std::min(std::hypot(a, b), 255.0); }),
         "All above 255 is cut off to 255. A response may be larger than any pixel."},
        {combined(gx, gy, [](double, double) { return 1.0; }),
         "Everything is 1: a number to the power 0. 1 / 2 is 0 in C++, 0.5f is a half."},
        {image, "This is the image itself."}};
    return about;
}

// gy with a filter that is rotated by 90 degrees, either way. For filters that are symmetric up to
// a sign both are the same.
Values turned(const Values& a, bool clockwise) {
    Values result = transposed(a);
    for (std::size_t i = 0; i < result.rows(); ++i)
        for (std::size_t j = 0; j < result.columns(); ++j)
            result.numbers[i * result.columns() + j] =
                clockwise ? a.at(a.rows() - 1 - j, i) : a.at(j, a.columns() - 1 - i);
    return result;
}

void add_turned(About& about, const Values& filter, const Values& image, const Values& gx) {
    for (const bool clockwise : {false, true})
        about.known.push_back({combined(gx, correlated(turned(filter, clockwise), image),
                                        [](double a, double b) { return std::hypot(a, b); }),
                               "The second filter is turned by 90 degrees: right for the Sobel "
                               "filters, but the transpose is mirrored at the diagonal."});
}

// The same with a filter that is always the same one.
void add_fixed_filter(About& about, const Values& filter, const Values& image) {
    const Values f = values_of(sobel_3x3());
    if (f.shape == filter.shape && f.numbers == filter.numbers) return;
    about.known.push_back(
        {combined(correlated(f, image), correlated(transposed(f), image),
                  [](double a, double b) { return std::hypot(a, b); }),
         "This is what sobel_3x3 gives, whatever filter is given. Use the one that is."});
}

std::string words_for(const Values& got, const Values& expected, const Values& filter,
                      const std::vector<std::size_t>& shape_before) {
    if (got.shape == filter.shape && got.shape != expected.shape)
        return "Filter and image are swapped: it is correlation(filter, image).";
    if (got.shape != expected.shape)
        return got.shape == shape_before
                   ? "This is the shape of the case before: does something static keep its value?"
                   : "";
    return notebook::border_words(got, expected, std::max(filter.rows(), filter.columns()),
                                  std::max(filter.rows(), filter.columns()));
}

// Not symmetric, not even up to a sign: rotating or mirroring it instead of transposing gives
// another result.
const Matrix& lopsided() {
    static const Matrix filter{{1, 4, -2, 0, 3}, {-3, 2, 5, 1, -1}, {0, -4, 2, 6, 1}};
    return filter;
}

}  // namespace

SobelOperator::SobelOperator()
    : Exercise(text_of<SobelOperator>(
          "sobel_operator",
          "Gives sqrt(gx^2 + gy^2) for each pixel, where gx is the correlation of the image with "
          "the filter, and gy that with the filter\n"
          "transposed. The correlation is your own.",
          "four lines",
          "xt::transpose(filter) is an expression: const lanes::Matrix turned = "
          "xt::transpose(filter); makes a matrix of it.")) {}

void SobelOperator::check(Answer answer) const {
    Judge judge(text());
    judge.look_at(answer);
    int number = 0;
    std::vector<std::size_t> shape_before;
    for (const Matrix* given :
         {&sobel_3x3(), &scharr_3x3(), &sobel_5x3(), &sobel_5x5(), &ring_3x3()}) {
        for (const std::array<std::size_t, 2>& size :
             {std::array<std::size_t, 2>{9, 13}, std::array<std::size_t, 2>{1, 6},
              std::array<std::size_t, 2>{60, 47}}) {
            const bool is_large = size[0] == 60;
            const Matrix* filter = given == &ring_3x3() && is_large ? &lopsided() : given;
            judge.begin("a filter of " + std::to_string(filter->shape(0)) + "x" +
                        std::to_string(filter->shape(1)) + ", an image of " +
                        std::to_string(size[0]) + "x" + std::to_string(size[1]));
            Matrix image(size);
            Rng(27)
                .split(static_cast<std::uint64_t>(number++))
                .fill_uniform(image.data(), image.size(), 0, is_large ? 255 : 1);
            const Values f = values_of(*filter), x = values_of(image);
            const Values gx = correlated(f, x), gy = correlated(transposed(f), x);
            const Values got = values_of(notebook::call_with_guard_blocks(
                judge, image.size(), [&] { return answer(*filter, image); }));
            const Values expected =
                combined(gx, gy, [](double a, double b) { return std::hypot(a, b); });
            About mistakes = about(f, x, gx, gy);
            add_fixed_filter(mistakes, f, x);
            add_turned(mistakes, f, x, gx);
            mistakes.words = words_for(got, expected, f, shape_before);
            judge.same(got, expected, mistakes);
            shape_before = x.shape;
        }
    }
    judge.pass();
}

}  // namespace lanes::exercises
