// No fused multiply-add: a coordinate must fall inside or outside of the image as it does in SciPy and on every machine.
#include "augment_loops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#pragma clang fp contract(off)

namespace lanes::augment {

namespace {

// Where a pixel of the result comes from: row = row_0 + a * y + b * x, column = column_0 + c * y + d * x.
struct Map {
    double row_0, a, b, column_0, c, d;
};

// Two neighbours, loaded as one: gathering pixels from all over an image is what takes the time.
struct Pair {
    std::uint64_t bits;

    float left() const { return of(little_endian ? 0 : 32); }
    float right() const { return of(little_endian ? 32 : 0); }

private:
    static constexpr bool little_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    float of(int place) const {
        const auto half = static_cast<std::uint32_t>(bits >> place);
        float value;
        std::memcpy(&value, &half, sizeof value);
        return value;
    }
};

Pair pair_at(const float* pixels) {
    Pair pair;
    std::memcpy(&pair.bits, pixels, sizeof pair.bits);
    return pair;
}

// The first and the last row that are not black; a digit leaves some of them free. First is behind last where all are black.
struct LitRows {
    std::ptrdiff_t first, last;
};

LitRows lit_rows(const float* image, Shape shape) {
    const auto is_black = [&](std::ptrdiff_t y) {
        const float* const row = image + y * static_cast<std::ptrdiff_t>(shape.columns);
        int lit = 0;
        for (std::size_t x = 0; x < shape.columns; ++x) lit |= static_cast<int>(row[x] != 0);
        return lit == 0;
    };
    LitRows lit{0, static_cast<std::ptrdiff_t>(shape.rows) - 1};
    while (lit.first <= lit.last && is_black(lit.first)) ++lit.first;
    while (lit.last > lit.first && is_black(lit.last)) --lit.last;
    return lit;
}

// Bilinear. C is the type of coordinates: float is enough for small images, and twice as wide.
template <class C>
void resample(const float* __restrict image, float* __restrict out, Shape shape, const Map& map) {
    constexpr std::int32_t width = 16;  // pixels at once: whole registers, the last of them beyond the end of the line
    const auto columns = static_cast<std::int32_t>(shape.columns);
    const auto last_row = static_cast<C>(shape.rows - 1), last_column = static_cast<C>(shape.columns - 1);
    const auto row_before_last = static_cast<std::int32_t>(shape.rows - 2), column_before_last = static_cast<std::int32_t>(shape.columns - 2);
    const C b = static_cast<C>(map.b), d = static_cast<C>(map.d);
    const LitRows lit = lit_rows(image, shape);
    const C first_lit = static_cast<C>(lit.first), last_lit = static_cast<C>(lit.last), across = b * static_cast<C>(width);
    alignas(64) std::int32_t places[width];
    alignas(64) float rights[width], downs[width], insides[width], part[width];
    for (std::size_t y = 0; y < shape.rows; ++y) {
        const C row_begin = static_cast<C>(map.row_0 + map.a * static_cast<double>(y)),
                column_begin = static_cast<C>(map.column_0 + map.c * static_cast<double>(y));
        float* const line = out + y * shape.columns;
        for (std::int32_t begin = 0; begin < columns; begin += width) {
            const C here = row_begin + b * static_cast<C>(begin);  // the rows from which the next pixels come lie between this and here + across
            if (std::max(here, here + across) + 1 < first_lit || std::min(here, here + across) >= last_lit + 1) {
                std::fill_n(line + begin, std::min(width, columns - begin), 0.0f);
                continue;
            }
#pragma clang loop vectorize_width(width) unroll(disable)
            for (std::int32_t i = 0; i < width; ++i) {
                const C x = static_cast<C>(begin + i), row = row_begin + b * x, column = column_begin + d * x;
                const C r = row < 0 ? 0 : row > last_row ? last_row : row, c = column < 0 ? 0 : column > last_column ? last_column : column;
                // never beyond the last but one: a coordinate on the border is then all the way from that one to the last
                const std::int32_t r0 = std::min(static_cast<std::int32_t>(r), row_before_last),
                                   c0 = std::min(static_cast<std::int32_t>(c), column_before_last);
                places[i] = r0 * columns + c0;
                downs[i] = static_cast<float>(r - static_cast<C>(r0));
                rights[i] = static_cast<float>(c - static_cast<C>(c0));
                insides[i] = static_cast<float>((r == row) & (c == column));  // otherwise it was moved to the border from outside
            }
#pragma clang loop vectorize_width(width) unroll(disable)
            for (std::int32_t i = 0; i < width; ++i) {
                const Pair upper = pair_at(image + places[i]), lower = pair_at(image + places[i] + columns);
                const float above = upper.left() * (1 - rights[i]) + upper.right() * rights[i],
                            below = lower.left() * (1 - rights[i]) + lower.right() * rights[i];
                part[i] = insides[i] > 0 ? above * (1 - downs[i]) + below * downs[i] : 0.0f;
            }
            std::copy_n(part, std::min(width, columns - begin), line + begin);
        }
    }
}

void resample(const float* image, float* out, Shape shape, const Map& map) {
    if (shape.rows < 2 || shape.columns < 2) {  // one line has no neighbours; pixels between lines are outside
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const auto y = static_cast<double>(i / shape.columns), x = static_cast<double>(i % shape.columns);
            const double row = map.row_0 + map.a * y + map.b * x, column = map.column_0 + map.c * y + map.d * x;
            const double along = shape.rows < 2 ? column : row, across = shape.rows < 2 ? row : column, last = static_cast<double>(shape.size() - 1);
            const auto before = static_cast<std::size_t>(std::clamp(along, 0.0, last));
            const float part = static_cast<float>(along - static_cast<double>(before)), next = image[std::min(before + 1, shape.size() - 1)];
            out[i] = across == 0 && along >= 0 && along <= last ? image[before] * (1 - part) + next * part : 0.0f;
        }
    } else if (std::max(shape.rows, shape.columns) <= 64) {
        resample<float>(image, out, shape, map);
    } else {
        resample<double>(image, out, shape, map);
    }
}

struct Turn {
    double sine, cosine;
};

// Exact for whole quarters: a rotation by 90 degrees moves pixels to pixels.
Turn turn_by(double degrees) {
    const double quarters = std::nearbyint(degrees / 90), rest = (degrees - 90 * quarters) * (std::acos(-1.0) / 180);
    const double sine = std::sin(rest), cosine = std::cos(rest);
    switch (static_cast<int>(std::fmod(std::fmod(quarters, 4) + 4, 4))) {
        case 0:
            return {sine, cosine};
        case 1:
            return {cosine, -sine};
        case 2:
            return {-sine, -cosine};
        default:
            return {-cosine, sine};
    }
}

}  // namespace

void rotate(const float* image, float* out, Shape shape, double degrees) {
    const Turn turn = turn_by(degrees);
    const double middle_row = (static_cast<double>(shape.rows) - 1) / 2, middle_column = (static_cast<double>(shape.columns) - 1) / 2;
    resample(image, out, shape,
             {middle_row - (turn.cosine * middle_row + turn.sine * middle_column), turn.cosine, turn.sine,
              middle_column - (-turn.sine * middle_row + turn.cosine * middle_column), -turn.sine, turn.cosine});
}

void shift_by_parts(const float* image, float* out, Shape shape, double dx, double dy) { resample(image, out, shape, {dy, 1, 0, dx, 0, 1}); }

namespace {

// line[x] = from[x + left], black outside.
void shift_line(const float* from, float* line, std::ptrdiff_t columns, std::ptrdiff_t left) {
    const std::ptrdiff_t first = std::clamp<std::ptrdiff_t>(-left, 0, columns), last = std::clamp<std::ptrdiff_t>(columns - left, 0, columns);
    std::fill_n(line, std::min(first, columns), 0.0f);
    if (first < last) std::copy_n(from + first + left, last - first, line + first);
    std::fill(line + std::max(first, last), line + columns, 0.0f);
}

}  // namespace

void shift(const float* image, float* out, Shape shape, int dx, int dy) {
    const auto rows = static_cast<std::ptrdiff_t>(shape.rows), columns = static_cast<std::ptrdiff_t>(shape.columns);
    for (std::ptrdiff_t y = 0; y < rows; ++y) {
        if (y + dy < 0 || y + dy >= rows)
            std::fill_n(out + y * columns, columns, 0.0f);
        else
            shift_line(image + (y + dy) * columns, out + y * columns, columns, dx);
    }
}

void skew(const float* image, float* out, Shape shape, double tilt) {
    const auto columns = static_cast<std::ptrdiff_t>(shape.columns);
    for (std::size_t y = 0; y < shape.rows; ++y) {
        const double lean = static_cast<double>(y) * tilt, last = static_cast<double>(columns - 1);
        const float* const from = image + y * shape.columns;
        float* const line = out + y * shape.columns;
        const double left = std::floor(lean);
        if (std::abs(left) >= static_cast<double>(columns)) {
            std::fill_n(line, columns, 0.0f);
        } else if (std::floor(last + lean) - last == left) {  // as good as always: x + lean was nowhere rounded up to the next whole number
            shift_line(from, line, columns, static_cast<std::ptrdiff_t>(left));
        } else {
            for (std::ptrdiff_t x = 0; x < columns; ++x) {
                const double column = std::floor(static_cast<double>(x) + lean);
                line[x] = column >= 0 && column <= last ? from[static_cast<std::ptrdiff_t>(column)] : 0.0f;
            }
        }
    }
}

// A pass over the image less than the two one after another. What the shift pushes out does not come back by the skew.
void shift_and_skew(const float* image, float* out, Shape shape, int dx, int dy, double tilt) {
    const auto rows = static_cast<std::ptrdiff_t>(shape.rows), columns = static_cast<std::ptrdiff_t>(shape.columns), right = std::ptrdiff_t{dx};
    for (std::ptrdiff_t y = 0; y < rows; ++y) {
        const double lean = static_cast<double>(y) * tilt, last = static_cast<double>(columns - 1), whole = std::floor(lean);
        float* const line = out + y * columns;
        if (y + dy < 0 || y + dy >= rows || std::abs(whole) >= static_cast<double>(columns)) {
            std::fill_n(line, columns, 0.0f);
            continue;
        }
        const float* const from = image + (y + dy) * columns;
        if (std::floor(last + lean) - last == whole) {  // as in skew
            const auto left = static_cast<std::ptrdiff_t>(whole);
            const std::ptrdiff_t first = std::max<std::ptrdiff_t>({0, -left, -left - right}), end = std::min({columns, columns - left, columns - left - right});
#pragma clang loop vectorize(enable) vectorize_predicate(enable)
            for (std::ptrdiff_t x = 0; x < columns; ++x) line[x] = x >= first && x < end ? from[x + left + right] : 0.0f;
        } else {
            for (std::ptrdiff_t x = 0; x < columns; ++x) {
                const double column = std::floor(static_cast<double>(x) + lean);
                const bool inside = column >= 0 && column <= last && column + dx >= 0 && column + dx <= last;
                line[x] = inside ? from[static_cast<std::ptrdiff_t>(column) + right] : 0.0f;
            }
        }
    }
}

void add_noise(const float* image, float* out, Shape shape, double noise, Rng& rng) {
    std::array<std::uint32_t, 512> words;  // one for two pixels: 65,536 steps between -noise and noise are more than an image shows
    const float low = static_cast<float>(-noise), step = static_cast<float>(noise * 0x1p-15);
    const auto legal = [&](float pixel, std::uint32_t bits) {
        const float value = pixel + (low + step * (static_cast<float>(static_cast<std::int32_t>(bits)) + 0.5f));
        return std::clamp(value, 0.0f, 1.0f);
    };
    const std::size_t half = shape.size() / 2, both = 2 * half;
    for (std::size_t done = 0; done < half;) {
        const std::size_t count = std::min(words.size(), half - done);
        rng.fill_bits(words.data(), count);
        const float *const first = image + done, *const second = image + half + done;
        for (std::size_t i = 0; i < count; ++i) {
            out[done + i] = legal(first[i], words[i] & 0xffff);
            out[half + done + i] = legal(second[i], words[i] >> 16);
        }
        done += count;
    }
    if (both < shape.size()) out[both] = legal(image[both], static_cast<std::uint32_t>(rng.bits() & 0xffff));
}

}  // namespace lanes::augment
