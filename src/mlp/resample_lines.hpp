// Computes which pixels of a resampled image can differ from black ("lit"), for sixteen lines at a
// time. All other pixels are skipped: a digit covers less than half of its image.
#pragma once

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
#pragma GCC diagnostic ignored \
    "-Wpsabi"  // long vectors are passed only between functions of one file

namespace lanes::augment {

constexpr std::int32_t width =
    16;  // pixels; the compiler splits it on machines with shorter registers
using Floats __attribute__((vector_size(width * sizeof(float)))) = float;
using Doubles __attribute__((vector_size(width * sizeof(double)))) = double;
using Ints __attribute__((vector_size(width * sizeof(std::int32_t)))) = std::int32_t;
using Words __attribute__((vector_size(width * sizeof(std::uint32_t)))) = std::uint32_t;
using LongWords __attribute__((vector_size(width * sizeof(std::uint64_t)))) = std::uint64_t;

constexpr Ints count_up{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// Coordinates of sixteen pixels: float is precise enough for small images and half as long.
template <class C>
using Coordinates = std::conditional_t<std::is_same_v<C, float>, Floats, Doubles>;

template <class Vector>
inline Vector least(Vector a, Vector b) {
    return a < b ? a : b;
}
template <class Vector>
inline Vector most(Vector a, Vector b) {
    return a > b ? a : b;
}

constexpr std::size_t small =
    64;  // the most rows or columns of images that are searched for black parts

// One bit per pixel, for sixteen pixels: 1 if it is not black.
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

// The smallest rectangle that holds all pixels that are not black; first and last are both
// included. If the whole image is black, first is larger than last.
class Lit {
public:
    double first_row = 0, last_row, first_column = 0, last_column;

    // most_rows: the most rows of the image that one line of the result reads.
    Lit(const float* image, Shape shape, double most_rows)
        : last_row(static_cast<double>(shape.rows - 1)),
          last_column(static_cast<double>(shape.columns - 1)) {
        if (std::max(shape.rows, shape.columns) > small)
            return;  // large pictures seldom have a black frame
        std::array<std::uint32_t, small> rows{};
        std::uint64_t lit_rows = 0, lit_columns = 0;
        const std::size_t last_begin = shape.columns - width;
        for (std::size_t y = 0; y < shape.rows; ++y, image += shape.columns) {
            std::uint64_t row = lit_of(image) | lit_of(image + last_begin) << last_begin;
            for (std::size_t x = width; x < last_begin; x += width) row |= lit_of(image + x) << x;
            rows[y] = static_cast<std::uint32_t>(row);
            lit_columns |= row;
            lit_rows |= std::uint64_t{row != 0} << y;
        }
        first_row = first_of(lit_rows);
        last_row = last_of(lit_rows);
        first_column = first_of(lit_columns);
        last_column = last_of(lit_columns);
        if (std::max(shape.rows, shape.columns) > std::size_t{2} * width) return;
        std::memcpy(&upper_, rows.data(), sizeof upper_);
        std::memcpy(&lower_, rows.data() + width, sizeof lower_);
        window_ = 1;
        // the window grows until two of them, which may overlap, cover the rows of any line
        if (most_rows > 2) add_rows_below<1>();
        if (most_rows > 4) add_rows_below<2>();
        if (most_rows > 8) add_rows_below<4>();
        if (most_rows > 16) add_rows_below<8>();
    }

    // Whether every lit pixel is so far from the border that none of its neighbours is outside of
    // the image.
    bool framed(Shape shape) const {
        return first_row >= 2 && last_row <= static_cast<double>(shape.rows) - 3 &&
               first_column >= 2 && last_column <= static_cast<double>(shape.columns) - 3;
    }

    bool knows_rows() const { return window_ > 0; }

    struct Span {
        Ints first, last;  // columns; first is larger than last if all are black
    };

    // The columns that are not black in the rows low to high, or in a few more rows.
    Span columns_of(Ints low, Ints high) const {
        const Ints other = most(low, high + (1 - window_));
        Span span;
#if defined(__AVX512CD__)
        const auto upper = reinterpret_cast<__m512i>(upper_),
                   lower = reinterpret_cast<__m512i>(lower_);
        const auto rows = [&](Ints at) {
            return _mm512_permutex2var_epi32(upper, reinterpret_cast<__m512i>(at), lower);
        };
        const auto bits = reinterpret_cast<Words>(_mm512_or_si512(rows(low), rows(other)));
        const auto zeros_above = [](Words of) {
            return reinterpret_cast<Ints>(_mm512_lzcnt_epi32(reinterpret_cast<__m512i>(of)));
        };
        span.last = 31 - zeros_above(bits);
        span.first = bits == 0 ? Ints{} + 32 : 31 - zeros_above(bits & -bits);
#else
        std::array<std::uint32_t, std::size_t{2} * width> rows;
        std::memcpy(rows.data(), &upper_, sizeof upper_);
        std::memcpy(rows.data() + width, &lower_, sizeof lower_);
        for (std::int32_t i = 0; i < width; ++i) {
            const std::uint32_t bits =
                rows[static_cast<std::size_t>(low[i])] | rows[static_cast<std::size_t>(other[i])];
            span.last[i] = bits == 0 ? -1 : 31 - __builtin_clz(bits);
            span.first[i] = bits == 0 ? 32 : __builtin_ctz(bits);
        }
#endif
        return span;
    }

private:
    static double first_of(std::uint64_t bits) {
        return bits == 0 ? double{small} : static_cast<double>(__builtin_ctzll(bits));
    }
    static double last_of(std::uint64_t bits) {
        return bits == 0 ? -1 : static_cast<double>(63 - __builtin_clzll(bits));
    }

    template <int count>
    void add_rows_below() {
        const auto below = [](Words a, Words b) {
            return __builtin_shufflevector(a, b, count, count + 1, count + 2, count + 3, count + 4,
                                           count + 5, count + 6, count + 7, count + 8, count + 9,
                                           count + 10, count + 11, count + 12, count + 13,
                                           count + 14, count + 15);
        };
        upper_ |= below(upper_, lower_);
        lower_ |= below(lower_, Words{});
        window_ += count;
    }

    // Only for images of at most 32 x 32. One word per row, one bit per column: 1 if a pixel of
    // this row or of the window_ - 1 rows below it is not black.
    Words upper_{}, lower_{};
    std::int32_t window_ = 0;
};

struct Move {
    double dx, dy, tilt;
};

// 1 / step; for a step of 0 a number so large that a line is either all inside or all outside.
inline double steps_to(double step) { return std::abs(step) < 1e-9 ? 1e9 : 1 / step; }

// Lines of the result. Line i is black except for begin <= x < end; these pixels are read at (row,
// column) + (x + left) * (b, d) of the image.
template <class C>
class Lines {
public:
    Lines(Shape shape, const Map& map, const Move& move, const Lit& lit)
        : map_(map),
          move_(move),
          lit_(lit),
          rows_(static_cast<C>(shape.rows)),
          columns_(static_cast<C>(shape.columns)),
          by_row_(static_cast<C>(steps_to(map.b))),
          by_column_(static_cast<C>(steps_to(map.d))) {}

    // Two vectors of lines take hardly longer than one, because each waits for its own results.
    static constexpr std::size_t at_once = std::size_t{2} * width;

    std::array<C, at_once> row, column, left;
    std::array<std::int32_t, at_once> begin, end;

    // Computes the lines from `top` on. Returns false if a line cannot be moved as a whole: see
    // resample_and_move.
    bool plan(std::size_t top) {
        const bool first = plan_some(top, 0), second = plan_some(top + width, width);
        return first && second;
    }

private:
    using Vector = Coordinates<C>;
    // In pixels: a pixel contributes to positions less than 1 away; 0.01 covers rounding errors.
    static constexpr C reach = static_cast<C>(1.01);
    // A column so far outside of the image that any larger one gives the same result.
    static constexpr C far = std::is_same_v<C, float> ? 128 : 1 << 29;

    // Stores line `top` at index `place`, and the next fifteen lines after it.
    bool plan_some(std::size_t top, std::size_t place) {
        std::array<double, width> froms, rows, columns, skews;
        const double last = static_cast<double>(columns_) - 1;
        int split_lines = 0;
        for (std::int32_t i = 0; i < width; ++i) {
            const double y = static_cast<double>(top) + i, lean = y * move_.tilt;
            froms[i] = y + move_.dy;
            rows[i] = map_.row_0 + map_.a * froms[i] + 0.0;  // no -0
            columns[i] = map_.column_0 + map_.c * froms[i] + 0.0;
            skews[i] = std::floor(lean);
            split_lines |= static_cast<int>(std::floor(last + lean) - last != skews[i]);
        }
        const Vector from = vector_of(froms), skewed = vector_of(skews);
        row_ = vector_of(rows);
        column_ = vector_of(columns);
        left_ = skewed + static_cast<C>(move_.dx);
        // Pixels that the shift moves out of the image do not come back by the skew.
        first_ = most(Vector{}, -least(skewed, left_));
        last_ = (columns_ - 1) - most(Vector{}, most(skewed, left_));
        // Where the line enters and leaves the part of the image that is not black.
        narrow((static_cast<C>(lit_.first_row) - reach - row_) * by_row_,
               (static_cast<C>(lit_.last_row) + reach - row_) * by_row_);
        narrow((static_cast<C>(lit_.first_column) - reach - column_) * by_column_,
               (static_cast<C>(lit_.last_column) + reach - column_) * by_column_);
        last_ = ((from >= 0) & (from < rows_)) ? last_ : Vector{} - 1;
        if constexpr (std::is_same_v<C, float>)
            if (lit_.knows_rows()) look_closer();
        const Ints first = -whole_below(-first_), behind = whole_below(last_) + 1,
                   is_lit = first < behind;
        std::memcpy(&row[place], &row_, sizeof row_);
        std::memcpy(&column[place], &column_, sizeof column_);
        std::memcpy(&left[place], &left_, sizeof left_);
        const Ints begin_lit = first & is_lit;
        std::memcpy(&begin[place], &begin_lit, sizeof begin_lit);
        const Ints end_lit = behind & is_lit;
        std::memcpy(&end[place], &end_lit, sizeof end_lit);
        return split_lines == 0;
    }

    static Vector vector_of(const std::array<double, width>& numbers) {
        Doubles all;
        std::memcpy(&all, numbers.data(), sizeof all);
        return __builtin_convertvector(all, Vector);
    }

    static Ints whole_below(Vector x) {
        return __builtin_convertvector(least(most(x, Vector{} - far), Vector{} + far) + far, Ints) -
               static_cast<std::int32_t>(far);
    }

    // Limits first_ and last_ to the part between two positions of the line before it was moved.
    void narrow(Vector one, Vector other) {
        first_ = most(first_, least(one, other) - left_);
        last_ = least(last_, most(one, other) - left_);
    }

    // Limits them further, to the columns that are not black in the rows that the line reads.
    void look_closer() {
        const Vector b = Vector{} + static_cast<C>(map_.b), one = row_ + b * (first_ + left_),
                     other = row_ + b * (last_ + left_);
        const Vector last_row = Vector{} + (rows_ - 1);
        const Vector low = least(last_row, most(Vector{}, least(one, other) - (reach - 1))),
                     high = least(last_row, most(one, other) + reach);
        const Vector none{};  // rows of a black line may be too large to convert to integers
        const Lit::Span lit =
            lit_.columns_of(__builtin_convertvector(first_ <= last_ ? low : none, Ints),
                            __builtin_convertvector(first_ <= last_ ? high : none, Ints));
        narrow((__builtin_convertvector(lit.first, Vector) - reach - column_) * by_column_,
               (__builtin_convertvector(lit.last, Vector) + reach - column_) * by_column_);
        last_ = lit.first <= lit.last ? last_ : Vector{} - 1;
    }

    Vector row_, column_, left_, first_, last_;  // lit pixels have first_ <= x <= last_
    const Map& map_;
    const Move& move_;
    const Lit& lit_;
    C rows_, columns_, by_row_, by_column_;
};

}  // namespace lanes::augment
