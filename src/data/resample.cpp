// No fused multiply-add: a coordinate must fall inside or outside of the image as it does in SciPy and on every machine.
//
// Lines are looked at sixteen at a time, first what is to be read for each of them, then their pixels, sixteen at a time too.
#include "resample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#pragma clang fp contract(off)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors longer than a register pass between functions of this file alone

namespace lanes::augment {

namespace {

constexpr std::int32_t width = 16;  // on a machine with shorter registers, several of them
using Floats __attribute__((vector_size(width * sizeof(float)))) = float;
using Doubles __attribute__((vector_size(width * sizeof(double)))) = double;
using Ints __attribute__((vector_size(width * sizeof(std::int32_t)))) = std::int32_t;
using Words __attribute__((vector_size(width * sizeof(std::uint32_t)))) = std::uint32_t;
using LongWords __attribute__((vector_size(width * sizeof(std::uint64_t)))) = std::uint64_t;

constexpr std::int32_t half = width / 2;
constexpr Ints count_up{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// Of the coordinates of sixteen pixels: float is enough for small images, and half as long.
template <class C>
using Coordinates = std::conditional_t<std::is_same_v<C, float>, Floats, Doubles>;

// Half of them one number, half of them another.
template <class Vector, class Number>
Vector halves(Number first, Number second) {
    return __builtin_shufflevector(Vector{} + first, Vector{} + second, 0, 0, 0, 0, 0, 0, 0, 0, 16, 16, 16, 16, 16, 16, 16, 16);
}

// Those that are from 0 to last. There is no -0 among them, so that one comparison of their bits does: what is negative is a large number then.
template <class C>
Ints up_to(C last, Coordinates<C> values) {
    using Bits = std::conditional_t<std::is_same_v<C, float>, Words, LongWords>;
    std::conditional_t<std::is_same_v<C, float>, std::uint32_t, std::uint64_t> most;
    std::memcpy(&most, &last, sizeof most);
    return __builtin_convertvector(reinterpret_cast<Bits>(values) <= most, Ints);
}

// Pixels at some places, and their neighbours to the right: gathering them from all over an image is what takes the time, so both are loaded as one.
struct Pairs {
    Floats left, right;
};

inline Pairs pairs_at(const float* pixels, Ints places) {
    Pairs pairs;
#if defined(__AVX512F__)
    const auto index = reinterpret_cast<__m512i>(places);
    const __m512 first = _mm512_castpd_ps(_mm512_i32gather_pd(_mm512_castsi512_si256(index), pixels, sizeof(float))),
                 second = _mm512_castpd_ps(_mm512_i32gather_pd(_mm512_extracti64x4_epi64(index, 1), pixels, sizeof(float)));
    pairs.left = _mm512_permutex2var_ps(first, reinterpret_cast<__m512i>(2 * count_up), second);
    pairs.right = _mm512_permutex2var_ps(first, reinterpret_cast<__m512i>(2 * count_up + 1), second);
#else
    for (std::int32_t i = 0; i < width; ++i) {
        pairs.left[i] = pixels[places[i]];
        pairs.right[i] = pixels[places[i] + 1];
    }
#endif
    return pairs;
}

// Between which rows and columns an image is not black, all of these included: a digit leaves some free at every side. First is behind last where all is black.
struct Lit {
    double first_row, last_row, first_column, last_column;
};

// For each of sixteen pixels a bit: is it not black?
inline std::uint64_t lit_of(const float* pixels) {
#if defined(__AVX512F__)
    const __m512i bits = _mm512_loadu_si512(pixels);
    return _mm512_test_epi32_mask(bits, bits);
#else
    Ints bits;
    std::memcpy(&bits, pixels, sizeof bits);
    std::uint64_t lit = 0;
    for (std::int32_t i = 0; i < width; ++i) lit |= std::uint64_t{bits[i] != 0} << i;
    return lit;
#endif
}

Lit lit_part(const float* image, Shape shape) {
    const auto rows = static_cast<std::int32_t>(shape.rows), columns = static_cast<std::int32_t>(shape.columns);
    if (columns > 64) return {0, static_cast<double>(rows - 1), 0, static_cast<double>(columns - 1)};  // large pictures seldom have a black frame
    std::uint64_t lit_columns = 0;
    std::int32_t first = rows, last = -1;
    for (std::int32_t y = 0; y < rows; ++y, image += columns) {
        std::uint64_t lit = 0;
        for (std::int32_t x = 0; x < columns; x += width) {
            const std::int32_t begin = std::min(x, columns - width);
            lit |= lit_of(image + begin) << begin;
        }
        lit_columns |= lit;
        first = std::min(first, lit != 0 ? y : rows);
        last = lit != 0 ? y : last;
    }
    if (lit_columns == 0) return {static_cast<double>(rows), -1, static_cast<double>(columns), -1};
    return {static_cast<double>(first), static_cast<double>(last), static_cast<double>(__builtin_ctzll(lit_columns)),
            static_cast<double>(63 - __builtin_clzll(lit_columns))};
}

// 1 / step, and for steps of nothing a number so large that all or nothing lies within limits.
double steps_to(double step) { return std::abs(step) < 1e-9 ? 1e9 : 1 / step; }

struct Move {
    double dx, dy, tilt;
};

// Sixteen lines of the result. Line i has its pixel x from (x + left) of a line of the resampled image, for begin <= x < end, and is black elsewhere; that
// line's own pixels come from (row, column) + x * (b, d) of the image.
template <class C>
struct Lines {
    std::array<C, width> row, column;
    std::array<std::int32_t, width> left, begin, end;

    // False: a line is torn.
    bool plan(std::size_t top, Shape shape, const Map& map, const Move& move, const Lit& lit) {
        const double rows = static_cast<double>(shape.rows), columns = static_cast<double>(shape.columns);
        const double by_row = steps_to(map.b), by_column = steps_to(map.d);
        int torn = 0;
        for (std::int32_t i = 0; i < width; ++i) {
            const double y = static_cast<double>(top) + i, from = y + move.dy, lean = y * move.tilt, skewed = std::floor(lean), moved = skewed + move.dx;
            torn |= static_cast<int>(std::floor(columns - 1 + lean) - (columns - 1) != skewed);
            // what the shift pushes out does not come back by the skew
            const double low = std::max(0.0, std::max(-skewed, -moved)), high = std::min(columns, std::min(columns - skewed, columns - moved));
            const double row_0 = map.row_0 + map.a * from, column_0 = map.column_0 + map.c * from;
            // Where the line goes into the part that is not black, and where it leaves it: a pixel counts for its neighbours, and rounding is far below 0.1.
            const double above = (lit.first_row - 1.1 - row_0) * by_row, below = (lit.last_row + 1.1 - row_0) * by_row;
            const double near = (lit.first_column - 1.1 - column_0) * by_column, far = (lit.last_column + 1.1 - column_0) * by_column;
            const double lit_from = std::floor(std::max(std::min(above, below), std::min(near, far)) - moved);
            const double lit_to = std::ceil(std::min(std::max(above, below), std::max(near, far)) - moved) + 1;
            const double first = std::max(low, lit_from), last = std::min(high, lit_to);
            const bool black = !(first < last) | (from < 0) | (from >= rows);
            row[i] = static_cast<C>(row_0 + 0.0);  // no -0
            column[i] = static_cast<C>(column_0 + 0.0);
            left[i] = static_cast<std::int32_t>(black ? 0 : moved);
            begin[i] = static_cast<std::int32_t>(black ? 0 : first);
            end[i] = static_cast<std::int32_t>(black ? 0 : last);
        }
        return torn == 0;
    }
};

template <class C>
bool resample(const float* __restrict image, float* __restrict out, Shape shape, const Map& map, const Move& move) {
    const auto columns = static_cast<std::int32_t>(shape.columns), last_begin = columns - width;
    const auto last_row = static_cast<C>(shape.rows - 1), last_column = static_cast<C>(shape.columns - 1);
    const auto row_before_last = static_cast<std::int32_t>(shape.rows - 2), column_before_last = columns - 2;
    const C b = static_cast<C>(map.b), d = static_cast<C>(map.d);
    const Lit lit = lit_part(image, shape);
    const auto pixels_at = [&](Coordinates<C> row, Coordinates<C> column, Ints moved_in) {
        const Ints inside = moved_in & up_to(last_row, row) & up_to(last_column, column);
        // never beyond the last but one: a coordinate on the border is then all the way from that one to the last
        Ints r0 = __builtin_convertvector(row, Ints), c0 = __builtin_convertvector(column, Ints);
        r0 = r0 < row_before_last ? r0 : row_before_last;
        c0 = c0 < column_before_last ? c0 : column_before_last;
        const Floats down = __builtin_convertvector(row - __builtin_convertvector(r0, Coordinates<C>), Floats),
                     right = __builtin_convertvector(column - __builtin_convertvector(c0, Coordinates<C>), Floats);
        const Ints places = inside & (r0 * columns + c0);
        const Pairs upper = pairs_at(image, places), lower = pairs_at(image + columns, places);
        const Floats above = upper.left * (1 - right) + upper.right * right, below = lower.left * (1 - right) + lower.right * right;
        return inside ? above * (1 - down) + below * down : Floats{};
    };
    std::memset(out, 0, shape.size() * sizeof *out);
    Lines<C> lines;
    // A line but for its last eight pixels or less; gives where these begin.
    const auto most_of_line = [&](std::size_t i, float* line) {
        const std::int32_t begin = lines.begin[i], end = lines.end[i];
        std::int32_t next = begin;
        for (; end - next > half; next += width) {
            const std::int32_t x = std::min(next, last_begin);  // what is beyond the end of the line is computed twice
            const auto from = __builtin_convertvector(count_up + (x + lines.left[i]), Coordinates<C>);
            const Ints moved_in = reinterpret_cast<Words>(count_up + (x - begin)) < static_cast<std::uint32_t>(end - begin);
            const Floats pixels = pixels_at(lines.row[i] + b * from, lines.column[i] + d * from, moved_in);
            std::memcpy(line + x, &pixels, sizeof pixels);
        }
        return next;
    };
    for (std::size_t y = 0; y < shape.rows; y += 2) {  // and the rests of two lines at once
        if (y % width == 0 && !lines.plan(y, shape, map, move, lit)) return false;
        const std::size_t i = y % width, j = y + 1 < shape.rows ? i + 1 : i;
        float *const line = out + y * shape.columns, *const next_line = line + (j - i) * shape.columns;
        const std::int32_t rest = most_of_line(i, line), next_rest = j > i ? most_of_line(j, next_line) : rest;
        if (rest >= lines.end[i] && next_rest >= lines.end[j]) continue;
        const std::int32_t x = std::min(rest, columns - half), next_x = std::min(next_rest, columns - half);
        const auto from = __builtin_convertvector(count_up % half + halves<Ints>(x + lines.left[i], next_x + lines.left[j]), Coordinates<C>);
        const Ints moved_in = reinterpret_cast<Words>(count_up % half + halves<Ints>(x - lines.begin[i], next_x - lines.begin[j])) <
                              reinterpret_cast<Words>(halves<Ints>(lines.end[i] - lines.begin[i], lines.end[j] - lines.begin[j]));
        const Floats pixels = pixels_at(halves<Coordinates<C>>(lines.row[i], lines.row[j]) + b * from,
                                        halves<Coordinates<C>>(lines.column[i], lines.column[j]) + d * from, moved_in);
        std::memcpy(line + x, &pixels, sizeof pixels / 2);
        std::memcpy(next_line + next_x, reinterpret_cast<const char*>(&pixels) + sizeof pixels / 2, sizeof pixels / 2);
    }
    return true;
}

bool is_small(Shape shape) { return shape.rows < 2 || shape.columns < width; }

bool resample(const float* image, float* out, Shape shape, const Map& map, const Move& move) {
    return std::max(shape.rows, shape.columns) <= 64 ? resample<float>(image, out, shape, map, move) : resample<double>(image, out, shape, map, move);
}

}  // namespace

void resample_plain(const float* image, float* out, Shape shape, const Map& map) {
    const double last_row = static_cast<double>(shape.rows) - 1, last_column = static_cast<double>(shape.columns) - 1;
    for (std::size_t y = 0; y < shape.rows; ++y)
        for (std::size_t x = 0; x < shape.columns; ++x, ++out) {
            const double row = map.row_0 + map.a * static_cast<double>(y) + map.b * static_cast<double>(x),
                         column = map.column_0 + map.c * static_cast<double>(y) + map.d * static_cast<double>(x);
            *out = 0;
            if (row < 0 || row > last_row || column < 0 || column > last_column) continue;
            const auto r0 = static_cast<std::size_t>(row), c0 = static_cast<std::size_t>(column);
            const std::size_t r1 = std::min(r0 + 1, shape.rows - 1), c1 = std::min(c0 + 1, shape.columns - 1);
            const float down = static_cast<float>(row - static_cast<double>(r0)), right = static_cast<float>(column - static_cast<double>(c0));
            const auto along = [&](std::size_t r) { return image[r * shape.columns + c0] * (1 - right) + image[r * shape.columns + c1] * right; };
            *out = along(r0) * (1 - down) + along(r1) * down;
        }
}

void resample(const float* image, float* out, Shape shape, const Map& map) {
    is_small(shape) ? resample_plain(image, out, shape, map) : void(resample(image, out, shape, map, Move{}));
}

bool resample_and_move(const float* image, float* out, Shape shape, const Map& map, int dx, int dy, double tilt) {
    return !is_small(shape) && resample(image, out, shape, map, {static_cast<double>(dx), static_cast<double>(dy), tilt});
}

}  // namespace lanes::augment
