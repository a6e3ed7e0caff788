#include "exercise.hpp"

#include "../common/needs.hpp"
#include "lanes/base/rng.hpp"
#include "notebook/exercise/judge.hpp"

#include <string>
#include <vector>

namespace lanes::exercises {

namespace {

using notebook::About;
using notebook::Judge;
using notebook::Values;

struct PartCase {
    std::size_t image_rows;
    std::size_t image_columns;
    std::size_t top;
    std::size_t left;
    std::size_t rows;
    std::size_t columns;
    bool flip;
};

std::string words(const PartCase& one) {
    const auto text = [](std::size_t number) { return std::to_string(number); };
    return "top " + text(one.top) + ", left " + text(one.left) + ", " + text(one.rows) +
           " rows and " + text(one.columns) + " columns of an image of " + text(one.image_rows) +
           " x " + text(one.image_columns) + " pixels, flip " + (one.flip ? "true" : "false");
}

ColorImage random_image(const PartCase& one) {
    Rng rng = Rng(93).split(one.image_rows * 100 + one.image_columns);
    ColorImage image = ColorImage::from_shape({one.image_rows, one.image_columns, 3});
    for (auto& value : image) value = static_cast<unsigned char>(rng.integer(0, 255));
    return image;
}

struct Way {
    bool mirrors = false;
    bool flips_image = false;  // the whole image is mirrored first, then the part is taken
    bool upside_down = false;
    std::size_t skipped = 1;  // the last column of the part is number columns - skipped
    bool uses_corner = true;
    bool exchanges_corner = false;  // top counts columns and left counts rows
    bool reverses_channels = false;
};

// The part that an answer returns if it works in that way; empty if it reads outside of the image.
Values result(const PartCase& one, const ColorImage& image, const Way& way) {
    Values values{{one.rows, one.columns, 3}, {}};
    const std::size_t top = way.uses_corner ? (way.exchanges_corner ? one.left : one.top) : 0;
    const std::size_t left = way.uses_corner ? (way.exchanges_corner ? one.top : one.left) : 0;
    for (std::size_t i = 0; i < one.rows; ++i)
        for (std::size_t j = 0; j < one.columns; ++j)
            for (std::size_t c = 0; c < 3; ++c) {
                const std::size_t y = top + (way.upside_down ? one.rows - 1 - i : i);
                std::size_t x = left + (way.mirrors ? one.columns - way.skipped - j : j);
                if (way.flips_image) x = one.image_columns - 1 - x;
                if (y >= one.image_rows || x >= one.image_columns) return {};
                values.numbers.push_back(image(y, x, way.reverses_channels ? 2 - c : c));
            }
    return values;
}

// The right numbers with the channel as the first axis.
Values channels_first(const Values& right) {
    Values values{{3, right.shape[0], right.shape[1]}, {}};
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t pixel = 0; pixel < right.shape[0] * right.shape[1]; ++pixel)
            values.numbers.push_back(right.numbers[3 * pixel + c]);
    return values;
}

}  // namespace

CropAndFlip::CropAndFlip()
    : Exercise(text_of<CropAndFlip>(
          "crop_and_flip",
          "Returns a part of an image, (rows, columns, 3): it begins in row top and column left "
          "of the image. If flip is true, left and right of the part are exchanged.",
          "eight lines",
          "Three loops: part(i, j, c) = image(top + i, left + from, c). from is j, or "
          "columns - 1 - j if the part is mirrored.")) {}

void CropAndFlip::check(Answer answer) const {
    const std::vector<PartCase> cases{{5, 10, 1, 2, 3, 4, false}, {5, 10, 1, 2, 3, 4, true},
                                      {4, 5, 0, 0, 4, 5, true},   {6, 4, 3, 1, 3, 3, true},
                                      {3, 6, 2, 1, 1, 5, false},  {7, 2, 1, 1, 5, 1, true},
                                      {1, 1, 0, 0, 1, 1, false}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const PartCase& one) {
        const ColorImage image = random_image(one);
        const auto by = [&](void (*change)(Way&)) {
            Way way;
            way.mirrors = one.flip;
            change(way);
            return result(one, image, way);
        };
        const Values right = by([](Way&) {});
        const ColorImage got = judge.call(
            [&] { return answer(image, one.top, one.left, one.rows, one.columns, one.flip); });
        About about;
        about.tolerance = {0, 0};
        about.known = {
            {by([](Way& way) { way.mirrors = !way.mirrors; }),
             one.flip ? "flip is true, but left and right are not exchanged. (Who exchanges each "
                        "pair of pixels twice has the part as it was.)"
                      : "flip is false: the part must not be mirrored."},
            {by([](Way& way) {
                 way.flips_image = way.mirrors;
                 way.mirrors = false;
             }),
             "The whole image was mirrored, and then the part was taken. left is a column of the "
             "image as it is: take the part first, then mirror it."},
            {by([](Way& way) {
                 way.upside_down = way.mirrors;
                 way.mirrors = false;
             }),
             "Top and bottom are exchanged. A mirror image exchanges left and right: the columns."},
            {by([](Way& way) { way.skipped = 0; }),
             "The part is one column too far to the right: its last column has the number "
             "columns - 1."},
            {by([](Way& way) { way.uses_corner = false; }),
             "The part begins in row 0 and column 0: add top to the row and left to the column."},
            {by([](Way& way) { way.exchanges_corner = true; }),
             "top and left are exchanged: top is a row of the image, left is a column."},
            {by([](Way& way) { way.reverses_channels = true; }),
             "Red and blue are exchanged: a pixel moves with its three numbers in their order."},
            {channels_first(right),
             "The numbers are right. The axes of the result are row, column, channel, as those of "
             "the image."}};
        judge.same(notebook::values_of(got), right, about);
    });
}

}  // namespace lanes::exercises
