// resize_rows: random images, made smaller and larger. The right numbers are not rounded, so that
// an answer that rounds is at most 0.5 away from them, and one that cuts off fractions is further.
#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "notebook/exercise/judge.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

struct RowsCase {
    std::size_t from;
    std::size_t columns;
    std::size_t to;
};

std::string words(const RowsCase& one) {
    return std::to_string(one.from) + " x " + std::to_string(one.columns) + " pixels to " +
           std::to_string(one.to) + (one.to == 1 ? " row" : " rows");
}

ColorImage random_image(const RowsCase& one) {
    Rng rng = Rng(94).split(one.from * 100 + one.columns);
    ColorImage image = ColorImage::from_shape({one.from, one.columns, 3});
    for (auto& value : image) value = static_cast<unsigned char>(rng.integer(0, 255));
    return image;
}

struct Way {
    double offset = 0.5;        // of a pixel's centre
    bool to_the_ends = false;   // the first and last rows stay where they are
    bool antialiasing = true;   // the triangle grows with the reduction
    bool always_grows = false;  // also where the image is made larger, and the triangle shrinks
    bool divides = true;        // by the sum of the weights
    bool repeats_border = false;
    bool upside_down = false;  // the scale
    bool whole = false;        // the scale is a whole number
    bool all_rows = false;     // also those whose weight is below 0
};

Values result(const RowsCase& one, const ColorImage& image, const Way& way) {
    const auto size = static_cast<double>(one.from);
    double scale = way.to_the_ends ? (size - 1) / std::max(1.0, static_cast<double>(one.to) - 1)
                                   : size / static_cast<double>(one.to);
    if (way.upside_down) scale = 1 / scale;
    if (way.whole) scale = std::floor(scale);
    const double reach = way.always_grows ? scale : way.antialiasing ? std::max(scale, 1.0) : 1;
    const double offset = way.to_the_ends ? 0 : way.offset;
    Values values{{one.to, one.columns, 3}, {}};
    for (std::size_t i = 0; i < one.to; ++i) {
        const double centre = (static_cast<double>(i) + offset) * scale - offset;
        for (std::size_t j = 0; j < one.columns; ++j)
            for (std::size_t c = 0; c < 3; ++c) {
                double sum = 0;
                double all = 0;
                const double first = way.all_rows ? 0 : std::ceil(centre - reach);
                const double last = way.all_rows ? size - 1 : std::floor(centre + reach);
                for (double k = first; k <= last; ++k) {
                    if ((k < 0 || k >= size) && !way.repeats_border) continue;
                    const double weight = reach - std::abs(k - centre);
                    const auto row = static_cast<std::size_t>(std::clamp(k, 0.0, size - 1));
                    sum += weight * image(row, j, c);
                    all += weight;
                }
                values.numbers.push_back(way.divides ? sum / all : sum);
            }
    }
    return values;
}

Values nearest(const RowsCase& one, const ColorImage& image) {
    Values values{{one.to, one.columns, 3}, {}};
    for (std::size_t i = 0; i < one.to; ++i)
        for (std::size_t j = 0; j < one.columns; ++j)
            for (std::size_t c = 0; c < 3; ++c)
                values.numbers.push_back(image(i * one.from / one.to, j, c));
    return values;
}

// Whether the rows near the border of the image are wrong, and no others.
bool only_at_border(const Values& got, const Values& right, const RowsCase& one) {
    const double scale = static_cast<double>(one.from) / static_cast<double>(one.to);
    const double reach = std::max(scale, 1.0);
    bool any_inside = false;
    for (std::size_t i = 0; i < got.numbers.size(); ++i) {
        const auto row = static_cast<double>(i / (3 * one.columns));
        const double centre = (row + 0.5) * scale - 0.5;
        if (centre - reach <= -1 || centre + reach >= static_cast<double>(one.from)) continue;
        if (std::abs(got.numbers[i] - right.numbers[i]) > 0.51) return false;
        any_inside = true;
    }
    return any_inside;
}

Way way(void (*change)(Way&)) {
    Way one;
    change(one);
    return one;
}

// An image has whole numbers only: `got` is one of these ways if no number is further away than by
// rounding, or by cutting off.
std::string recognised(const Values& got, const Values& right, const RowsCase& one,
                       const ColorImage& image) {
    const auto is = [&](const Values& values, double below, double above) {
        if (got.shape != values.shape) return false;
        for (std::size_t i = 0; i < got.numbers.size(); ++i) {
            // What does not fit into a pixel begins at 0 again.
            const double away = std::remainder(got.numbers[i] - values.numbers[i], 256);
            if (!(away >= -below && away <= above)) return false;
        }
        return true;
    };
    const auto rounded = [&](const Values& values) { return is(values, 0.51, 0.51); };
    if (is(right, 1, 0.01))
        return "The fractions are cut off. Round: xt::round(sum / all), std::lround for one "
               "number.";
    if (rounded(nearest(one, image)))
        return "Each row is a copy of one row of the image. It is a weighted mean of the rows near "
               "its centre.";
    if (rounded(result(one, image, way([](Way& w) { w.offset = 0; }))))
        return "The centre of row i is at (i + 0.5) * scale - 0.5: a row is a strip, and its "
               "centre "
               "lies half a row below its beginning.";
    if (rounded(result(one, image, way([](Way& w) { w.to_the_ends = true; }))))
        return "The first and the last row stay where they are. scale is image.shape(0) / rows, "
               "without - 1.";
    if (rounded(result(one, image, way([](Way& w) { w.antialiasing = false; }))))
        return "The triangle must grow when the image is made smaller, else rows between are left "
               "out: reach is the larger of scale and 1.";
    if (rounded(result(one, image, way([](Way& w) { w.always_grows = true; }))))
        return "reach is the larger of scale and 1, also where the image is made larger.";
    if (rounded(result(one, image, way([](Way& w) { w.divides = false; }))))
        return "Divide the weighted sum by the sum of the weights, which is not always 1.";
    if (rounded(result(one, image, way([](Way& w) { w.repeats_border = true; }))))
        return "Rows outside of the image count as the row at its border. Leave them out: begin at "
               "row 0 and end at the last row.";
    if (rounded(result(one, image, way([](Way& w) { w.upside_down = true; }))))
        return "scale is the rows of the image per row of the result, image.shape(0) / rows, not "
               "rows / image.shape(0).";
    if (rounded(result(one, image, way([](Way& w) { w.whole = true; }))))
        return "image.shape(0) / rows is a division of whole numbers. Write 1.0 * image.shape(0) / "
               "rows.";
    if (rounded(result(one, image, way([](Way& w) { w.all_rows = true; }))))
        return "Rows further away than reach have weights below 0. Leave these rows out.";
    if (got.shape == right.shape && only_at_border(got, right, one))
        return "Only rows near the border of the image are wrong: begin at row 0 and end at the "
               "last row. Let k be an int: as a std::size_t, -1 is a huge number.";
    return "";
}

}  // namespace

ResizeRows::ResizeRows()
    : Exercise(text_of<ResizeRows>(
          "resize_rows",
          "Gives the image, (rows, columns, 3), another number of rows: each is a weighted mean of "
          "the rows of the image near its centre, rounded.",
          "fourteen lines",
          "scale = 1.0 * image.shape(0) / rows, reach = std::max(scale, 1.0), centre = (i + 0.5) * "
          "scale - 0.5. Row k of the image has the weight reach - std::abs(k - centre), if that is "
          "above 0. Divide the weighted sum by the sum of the weights.")) {}

void ResizeRows::check(Answer answer) const {
    const std::vector<RowsCase> cases{{7, 3, 3},  {8, 2, 4}, {5, 4, 9}, {6, 3, 6},
                                      {10, 1, 1}, {1, 2, 3}, {30, 2, 7}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const RowsCase& one) {
        const ColorImage image = random_image(one);
        const Values got = notebook::values_of(judge.call([&] { return answer(image, one.to); }));
        About about;
        about.tolerance = {0.51, 0};
        const Values right = result(one, image, {});
        about.words = recognised(got, right, one, image);
        judge.same(got, right, about);
    });
}

}  // namespace lanes::exercises
