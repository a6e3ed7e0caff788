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
using Channels = std::array<float, 3>;

struct ImageCase {
    std::size_t rows;
    std::size_t columns;
    Channels mean;
    Channels deviation;
};

std::string words(const ImageCase& one) {
    return "an image of " + std::to_string(one.rows) + " x " + std::to_string(one.columns) +
           " pixels";
}

ColorImage random_image(const ImageCase& one) {
    Rng rng = Rng(92).split(one.rows * 100 + one.columns);
    ColorImage image = ColorImage::from_shape({one.rows, one.columns, 3});
    for (auto& value : image) value = static_cast<unsigned char>(rng.integer(0, 255));
    return image;
}

struct Way {
    double largest = 255;
    bool uses_mean = true;
    bool uses_deviation = true;
    bool divides_first = false;  // x / deviation - mean
    bool rotates_channels = false;
    bool truncates = false;  // the division of whole numbers
};

Values result(const ImageCase& one, const ColorImage& image, const Way& way) {
    Values values{{3, one.rows, one.columns}, {}};
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < one.rows; ++i)
            for (std::size_t j = 0; j < one.columns; ++j) {
                const double pixel = image(i, j, way.rotates_channels ? 2 - c : c);
                const double mean = way.uses_mean ? static_cast<double>(one.mean[c]) : 0;
                const double scale = way.uses_deviation ? static_cast<double>(one.deviation[c]) : 1;
                const double x = way.truncates ? (pixel == 255 ? 1 : 0) : pixel / way.largest;
                values.numbers.push_back(way.divides_first ? x / scale - mean : (x - mean) / scale);
            }
    return values;
}

// The right numbers with the channel as the last axis.
Values channels_last(const Values& right) {
    Values values{{right.shape[1], right.shape[2], 3}, {}};
    const std::size_t pixels = right.shape[1] * right.shape[2];
    for (std::size_t pixel = 0; pixel < pixels; ++pixel)
        for (std::size_t c = 0; c < 3; ++c)
            values.numbers.push_back(right.numbers[c * pixels + pixel]);
    return values;
}

Way way(void (*change)(Way&)) {
    Way one;
    change(one);
    return one;
}

}  // namespace

NormaliseImage::NormaliseImage()
    : Exercise(text_of<NormaliseImage>(
          "normalise",
          "Turns an image, (rows, columns, 3) with whole numbers from 0 to 255, into what the "
          "network gets: (3, rows, columns), each number divided by 255, less the mean of its "
          "channel, divided by the standard deviation of its channel.",
          "six lines",
          "Three loops: x(c, i, j) = (image(i, j, c) / 255.0f - mean[c]) / deviation[c].")) {}

void NormaliseImage::check(Answer answer) const {
    const Channels mean{0.485f, 0.456f, 0.406f};
    const Channels deviation{0.229f, 0.224f, 0.225f};
    const std::vector<ImageCase> cases{{3, 4, mean, deviation},
                                       {5, 2, mean, deviation},
                                       {4, 4, {0.1f, 0.5f, 0.9f}, {0.5f, 2, 0.25f}},
                                       {1, 1, mean, deviation}};
    notebook::judge_cases(text(), answer, cases, [&](Judge& judge, const ImageCase& one) {
        const ColorImage image = random_image(one);
        const Values right = result(one, image, {});
        const Tensor3 got = judge.call([&] { return answer(image, one.mean, one.deviation); });
        About about;
        about.tolerance = {1e-4, 1e-4};
        about.known = {
            {result(one, image, way([](Way& w) { w.largest = 1; })),
             "The pixels are from 0 to 255 still: divide them by 255 first."},
            {result(one, image, way([](Way& w) { w.truncates = true; })),
             "image(i, j, c) / 255 divides whole numbers, and the result is 0 or 1. Divide by "
             "255.0f."},
            {result(one, image, way([](Way& w) { w.uses_mean = false; })),
             "The mean of the channel is not subtracted."},
            {result(one, image, way([](Way& w) { w.uses_deviation = false; })),
             "It is not divided by the standard deviation of the channel."},
            {result(one, image, way([](Way& w) { w.divides_first = true; })),
             "Subtract the mean first, then divide the difference by the standard deviation."},
            {result(one, image, way([](Way& w) { w.rotates_channels = true; })),
             "Red and blue are exchanged: channel c of the result is channel c of the image."},
            {channels_last(right),
             "The numbers are right. The axes of the result are channel, row, column."}};
        judge.same(notebook::values_of(got), right, about);
    });
}

}  // namespace lanes::exercises
