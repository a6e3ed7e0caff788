// Bilinear interpolation with vectors of sixteen pixels. resample_lines.hpp first computes, for
// some lines at a time, which pixels can differ from black; only these are computed here.
//
// No fused multiply-add: whether a coordinate is inside of the image must not depend on the
// machine, and must agree with SciPy.
#include "resample.hpp"

#include "resample_lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace lanes::augment {

namespace {

constexpr std::int32_t half = width / 2;

// A vector whose first half is one number and whose second half is another.
template <class Vector, class Number>
Vector halves(Number first, Number second) {
    return __builtin_shufflevector(Vector{} + first, Vector{} + second, 0, 0, 0, 0, 0, 0, 0, 0, 16,
                                   16, 16, 16, 16, 16, 16, 16);
}

// Which values are from 0 to last. None of them is -0, so one unsigned comparison of their bits is
// enough: a negative number has its top bit set and counts as large.
template <class C>
Ints up_to(C last, Coordinates<C> values) {
    using Bits = std::conditional_t<std::is_same_v<C, float>, Words, LongWords>;
    std::conditional_t<std::is_same_v<C, float>, std::uint32_t, std::uint64_t> most;
    std::memcpy(&most, &last, sizeof most);
    return __builtin_convertvector(reinterpret_cast<Bits>(values) <= most, Ints);
}

// Pixels at sixteen places, and their neighbours to the right. Most time goes into gathering them
// from all over the image, so each pair is loaded as one value.
struct Pairs {
    Floats left, right;
};

// Pixels whose `inside` is 0 are either black or the first pixel of the image: call black_outside
// on the result.
inline Pairs pairs_at(const float* pixels, Ints places, Ints inside) {
    Pairs pairs;
#if defined(__AVX512F__) && defined(__AVX512DQ__)
    const auto index = reinterpret_cast<__m512i>(places);
    const __mmask16 mask = _mm512_movepi32_mask(reinterpret_cast<__m512i>(inside));
    const __m512d none = _mm512_setzero_pd();
    const auto some = [&](__m256i at, int first) {
        return _mm512_mask_i32gather_pd(none, static_cast<__mmask8>(mask >> first), at, pixels,
                                        sizeof(float));
    };
    const __m512 first = _mm512_castpd_ps(some(_mm512_castsi512_si256(index), 0)),
                 second = _mm512_castpd_ps(some(_mm512_extracti64x4_epi64(index, 1), half));
    pairs.left = _mm512_permutex2var_ps(first, reinterpret_cast<__m512i>(2 * count_up), second);
    pairs.right =
        _mm512_permutex2var_ps(first, reinterpret_cast<__m512i>(2 * count_up + 1), second);
#else
    const Ints read = inside & places;
    for (std::int32_t i = 0; i < width; ++i) {
        pairs.left[i] = pixels[read[i]];
        pairs.right[i] = pixels[read[i] + 1];
    }
#endif
    return pairs;
}

inline Floats black_outside(Floats pixels, Ints inside) {
#if defined(__AVX512F__) && defined(__AVX512DQ__)
    static_cast<void>(inside);
    return pixels;
#else
    return inside ? pixels : Floats{};
#endif
}

// row * columns; for small images as products of 16 bits, which have a shorter latency
template <class C>
Ints places_of(Ints row, std::int32_t columns) {
#if defined(__AVX512BW__)
    if constexpr (std::is_same_v<C, float>)
        return reinterpret_cast<Ints>(
            _mm512_madd_epi16(reinterpret_cast<__m512i>(row), _mm512_set1_epi32(columns)));
#endif
    return row * columns;
}

// framed: every pixel that is read lies within the image and has a neighbour to the right and
// below, so nothing has to be checked.
template <class C, bool framed>
bool resample(const float* __restrict image, float* __restrict out, Shape shape, const Map& map,
              const Move& move, const Lit& lit) {
    const auto columns = static_cast<std::int32_t>(shape.columns), last_begin = columns - width;
    const auto last_row = static_cast<C>(shape.rows - 1),
               last_column = static_cast<C>(shape.columns - 1);
    const auto row_before_last = static_cast<std::int32_t>(shape.rows - 2),
               column_before_last = columns - 2;
    const C b = static_cast<C>(map.b), d = static_cast<C>(map.d);
    const auto pixels_at = [&](Coordinates<C> row, Coordinates<C> column, Ints inside) {
        Ints r0 = __builtin_convertvector(row, Ints), c0 = __builtin_convertvector(column, Ints);
        if constexpr (!framed) {
            inside &= up_to(last_row, row) & up_to(last_column, column);
            // at most the last but one: a coordinate on the border is then one whole step away
            // from it, and its right (or lower) neighbour counts fully
            r0 = r0 < row_before_last ? r0 : row_before_last;
            c0 = c0 < column_before_last ? c0 : column_before_last;
        }
        const Floats down = __builtin_convertvector(
                         row - __builtin_convertvector(r0, Coordinates<C>), Floats),
                     right = __builtin_convertvector(
                         column - __builtin_convertvector(c0, Coordinates<C>), Floats);
        const Ints places = places_of<C>(r0, columns) + c0;
        const Pairs upper = pairs_at(image, places, inside),
                    lower = pairs_at(image + columns, places, inside);
        const Floats above = upper.left * (1 - right) + upper.right * right,
                     below = lower.left * (1 - right) + lower.right * right;
        return black_outside(above * (1 - down) + below * down, inside);
    };
    std::memset(out, 0, shape.size() * sizeof *out);
    Lines<C> lines(shape, map, move, lit);
    const Coordinates<C> count = __builtin_convertvector(count_up, Coordinates<C>);
    // Computes a line except for its last eight pixels or less, and returns where these begin. The
    // last vector may write black past the end of the line, because the next line is written later.
    const auto most_of_line = [&](std::size_t i, float* line, bool is_last) {
        const std::int32_t end = lines.end[i];
        std::int32_t x = lines.begin[i];
        for (; end - x > half; x += width) {
            const Coordinates<C> from = count + (lines.left[i] + static_cast<C>(x));
            const Floats pixels =
                pixels_at(lines.row[i] + b * from, lines.column[i] + d * from, count_up < end - x);
            if (is_last && x > last_begin)
                std::memcpy(line + x, &pixels, static_cast<std::size_t>(columns - x) * sizeof *out);
            else
                std::memcpy(line + x, &pixels, sizeof pixels);
        }
        return x;
    };
    for (std::size_t y = 0; y < shape.rows; y += 2) {  // the ends of two lines share a vector
        if (y % Lines<C>::at_once == 0 && !lines.plan(y)) return false;
        const std::size_t i = y % Lines<C>::at_once, j = y + 1 < shape.rows ? i + 1 : i;
        float *const line = out + y * shape.columns, *const next_line =
                                                         line + (j - i) * shape.columns;
        const std::int32_t rest = most_of_line(i, line, y + 1 == shape.rows),
                           next_rest =
                               j > i ? most_of_line(j, next_line, y + 2 == shape.rows) : rest;
        if (rest >= lines.end[i] && next_rest >= lines.end[j]) continue;
        const std::int32_t x = std::min(rest, columns - half),
                           next_x = std::min(next_rest, columns - half);
        const auto from = __builtin_convertvector(count_up % half, Coordinates<C>) +
                          halves<Coordinates<C>>(lines.left[i] + static_cast<C>(x),
                                                 lines.left[j] + static_cast<C>(next_x));
        const Ints moved_in =
            reinterpret_cast<Words>(count_up % half +
                                    halves<Ints>(x - lines.begin[i], next_x - lines.begin[j])) <
            reinterpret_cast<Words>(
                halves<Ints>(lines.end[i] - lines.begin[i], lines.end[j] - lines.begin[j]));
        const Floats pixels = pixels_at(
            halves<Coordinates<C>>(lines.row[i], lines.row[j]) + b * from,
            halves<Coordinates<C>>(lines.column[i], lines.column[j]) + d * from, moved_in);
        std::memcpy(line + x, &pixels, sizeof pixels / 2);
        std::memcpy(next_line + next_x, reinterpret_cast<const char*>(&pixels) + sizeof pixels / 2,
                    sizeof pixels / 2);
    }
    return true;
}

bool is_small(Shape shape) { return shape.rows < 2 || shape.columns < width; }

bool resample(const float* image, float* out, Shape shape, const Map& map, const Move& move) {
    const Lit lit(image, shape, std::abs(map.b) * static_cast<double>(shape.columns) + 3);
    if (std::max(shape.rows, shape.columns) > small)
        return resample<double, false>(image, out, shape, map, move, lit);
    return lit.framed(shape) ? resample<float, true>(image, out, shape, map, move, lit)
                             : resample<float, false>(image, out, shape, map, move, lit);
}

}  // namespace

void resample_plain(const float* image, float* out, Shape shape, const Map& map) {
    const double last_row = static_cast<double>(shape.rows) - 1,
                 last_column = static_cast<double>(shape.columns) - 1;
    for (std::size_t y = 0; y < shape.rows; ++y)
        for (std::size_t x = 0; x < shape.columns; ++x, ++out) {
            const double row = map.row_0 + map.a * static_cast<double>(y) +
                               map.b * static_cast<double>(x),
                         column = map.column_0 + map.c * static_cast<double>(y) +
                                  map.d * static_cast<double>(x);
            *out = 0;
            if (row < 0 || row > last_row || column < 0 || column > last_column) continue;
            const auto r0 = static_cast<std::size_t>(row), c0 = static_cast<std::size_t>(column);
            const std::size_t r1 = std::min(r0 + 1, shape.rows - 1),
                              c1 = std::min(c0 + 1, shape.columns - 1);
            const float down = static_cast<float>(row - static_cast<double>(r0)),
                        right = static_cast<float>(column - static_cast<double>(c0));
            const auto along = [&](std::size_t r) {
                return image[r * shape.columns + c0] * (1 - right) +
                       image[r * shape.columns + c1] * right;
            };
            *out = along(r0) * (1 - down) + along(r1) * down;
        }
}

void resample(const float* image, float* out, Shape shape, const Map& map) {
    is_small(shape) ? resample_plain(image, out, shape, map)
                    : void(resample(image, out, shape, map, Move{}));
}

bool resample_and_move(const float* image, float* out, Shape shape, const Map& map, int dx, int dy,
                       double tilt) {
    return !is_small(shape) && resample(image, out, shape, map,
                                        {static_cast<double>(dx), static_cast<double>(dy), tilt});
}

}  // namespace lanes::augment
