// Each pixel of the result is a weighted mean of pixels of the image. The weights along an axis are
// those of Pillow: a triangle around the centre of the pixel, whose width grows with the reduction.
// Rows are combined first and columns second, both in float; only the result is rounded.
#include "resize.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

namespace lanes::data {

namespace {

// For each pixel of the result along one axis: the pixels of the image that it combines.
struct Taps {
    std::vector<std::size_t> first;
    std::vector<std::size_t> count;
    std::vector<float> weights;  // stride numbers for each pixel of the result
    std::size_t stride = 0;

    const float* weights_of(std::size_t out) const { return weights.data() + out * stride; }
};

// start, length: the part of the axis that becomes `out` pixels; size: of the whole axis.
Taps taps_of(double start, double length, std::size_t size, std::size_t out) {
    const double scale = length / static_cast<double>(out);
    const double support = std::max(scale, 1.0);  // half the width of the triangle
    // Pixels belong to the part if at least half of them is inside.
    const double begin = std::min(std::round(start), static_cast<double>(size) - 1);
    const double end =
        std::max(begin + 1, std::min(static_cast<double>(size), std::round(start + length)));
    Taps taps;
    taps.stride = static_cast<std::size_t>(std::ceil(support)) * 2 + 1;
    taps.weights.resize(out * taps.stride);
    for (std::size_t i = 0; i < out; ++i) {
        const double center = start + (static_cast<double>(i) + 0.5) * scale;
        const double low = std::min(std::max(begin, std::trunc(center - support + 0.5)), end - 1);
        const double high = std::min(end, std::trunc(center + support + 0.5));
        const auto first = static_cast<std::size_t>(low);
        const auto count = static_cast<std::size_t>(std::max(1.0, high - low));
        float* const weights = taps.weights.data() + i * taps.stride;
        double sum = 0;
        for (std::size_t x = 0; x < count; ++x) {
            const double distance = (static_cast<double>(first + x) - center + 0.5) / support;
            const double weight = std::max(0.0, 1 - std::abs(distance));
            weights[x] = static_cast<float>(weight);
            sum += weight;
        }
        for (std::size_t x = 0; x < count; ++x) weights[x] = static_cast<float>(weights[x] / sum);
        taps.first.push_back(first);
        taps.count.push_back(count);
    }
    return taps;
}

// line[i] = sum of weights[t] * rows[t * stride + i] for `count` rows
void combine_rows(const unsigned char* rows, std::size_t stride, const float* weights,
                  std::size_t count, float* line, std::size_t length) {
    constexpr std::size_t chunk = 16;  // sums stay in registers
    std::size_t i = 0;
    for (; i + chunk <= length; i += chunk) {
        std::array<float, chunk> sums{};
        for (std::size_t t = 0; t < count; ++t)
            for (std::size_t j = 0; j < chunk; ++j)
                sums[j] += weights[t] * static_cast<float>(rows[t * stride + i + j]);
        std::copy(sums.begin(), sums.end(), line + i);
    }
    for (; i < length; ++i) {
        line[i] = 0;
        for (std::size_t t = 0; t < count; ++t)
            line[i] += weights[t] * static_cast<float>(rows[t * stride + i]);
    }
}

// Red, green, blue and the red of the next pixel, which is not used: one vector instruction serves
// all channels.
typedef float Pixel __attribute__((vector_size(16)));

Pixel load(const float* from) {
    Pixel pixel;
    std::memcpy(&pixel, from, sizeof pixel);
    return pixel;
}

// line: red, green, blue of one row, in float, and one more number
void combine_columns(const float* line, const Taps& taps, unsigned char* out) {
    for (std::size_t x = 0; x < taps.first.size(); ++x) {
        const float* const weights = taps.weights_of(x);
        const float* from = line + 3 * taps.first[x];
        Pixel sum{0.5f, 0.5f, 0.5f, 0.5f};  // rounds; weights add up to 1, so at most 255.5
        for (std::size_t i = 0; i < taps.count[x]; ++i, from += 3) sum += weights[i] * load(from);
        for (int channel = 0; channel < 3; ++channel)
            *out++ = static_cast<unsigned char>(sum[channel]);
    }
}

}  // namespace

ColorImage resize(const ColorImage& image, const Part& part, std::size_t rows,
                  std::size_t columns) {
    LANES_REQUIRE(rows > 0 && columns > 0, "resize: to ", rows, " x ", columns,
                  " pixels. Give at least one pixel.");
    LANES_REQUIRE(part.rows > 0 && part.columns > 0, "resize: a part of ", part.rows, " x ",
                  part.columns, " pixels. Give at least one pixel.");
    const Taps down = taps_of(part.top, part.rows, image.shape(0), rows);
    const Taps across = taps_of(part.left, part.columns, image.shape(1), columns);
    const std::size_t begin = across.first.front();  // columns of the image that are needed
    const std::size_t end = across.first.back() + across.count.back();
    ColorImage result(std::array<std::size_t, 3>{rows, columns, 3});
    std::vector<float> line(3 * image.shape(1) + 1);
    for (std::size_t y = 0; y < rows; ++y) {
        combine_rows(image.data() + 3 * (down.first[y] * image.shape(1) + begin),
                     3 * image.shape(1), down.weights_of(y), down.count[y], line.data() + 3 * begin,
                     3 * (end - begin));
        combine_columns(line.data(), across, result.data() + 3 * y * columns);
    }
    return result;
}

}  // namespace lanes::data
