// Data layouts and inner loops of the fused step. Widths are constants, so that sums stay in
// registers and the compiler vectorises each loop. A `unit` is a cache line of numbers. Rows are
// padded to whole units and aligned to them, and a thread owns whole units of columns, so no two
// threads write to the same cache line.
#pragma once

#include "lanes/mlp/sigmoid.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace lanes {

namespace fused {

template <class T>
constexpr std::size_t unit = 64 / sizeof(T);

constexpr std::size_t round_up(std::size_t count, std::size_t width) {
    return (count + width - 1) / width * width;
}

#ifdef __AVX512F__
// 16 sums, one register each: half of the registers, and enough to keep two multipliers busy.
constexpr std::size_t tile_rows = 8;
constexpr std::size_t tile_units = 2;
#else
constexpr std::size_t tile_rows = 4;  // 16 sums in registers of 16 bytes
constexpr std::size_t tile_units = 1;
#endif

template <class T>
struct Simd {
    typedef T Type __attribute__((vector_size(64), may_alias));
};
template <class T>
using Unit = typename Simd<T>::Type;

template <class T>
inline Unit<T>* units(T* numbers) {
    return reinterpret_cast<Unit<T>*>(numbers);
}
template <class T>
inline const Unit<T>* units(const T* numbers) {
    return reinterpret_cast<const Unit<T>*>(numbers);
}

}  // namespace fused

template <>
struct detail::ExpOfNegative<fused::Unit<float>> {
    static fused::Unit<float> of(fused::Unit<float> x) {
        return exp_by_series<fused::Unit<float>, fused::Unit<std::uint32_t>>(x);
    }
};
template <>
struct detail::ExpOfNegative<fused::Unit<double>> {
    static fused::Unit<double> of(fused::Unit<double> x) {
        for (std::size_t i = 0; i < fused::unit<double>; ++i) x[i] = std::exp(x[i]);
        return x;
    }
};

namespace fused {

struct Columns {  // first, …, last - 1; both are multiples of a unit
    std::size_t first;
    std::size_t last;
};

// A matrix (rows, columns), each row padded with zeros to whole units.
template <class T>
class Padded {
public:
    Padded() = default;
    Padded(std::size_t rows, std::size_t columns)
        : stride_(round_up(columns, unit<T>)), lines_(rows * stride_ / unit<T>) {}

    T* row(std::size_t i) { return reinterpret_cast<T*>(lines_.data()) + i * stride_; }
    const T* row(std::size_t i) const {
        return reinterpret_cast<const T*>(lines_.data()) + i * stride_;
    }
    const T* at(std::size_t i, std::size_t column) const { return row(i) + column; }
    std::size_t stride() const { return stride_; }
    std::size_t stride(std::size_t /*column*/) const { return stride_; }
    Columns all() const { return {0, stride_}; }

private:
    std::size_t stride_ = 0;
    std::vector<Unit<T>> lines_;
};

// The same matrix, stored as panels of a few units of columns, one panel after the other. So the
// columns of each thread are contiguous in memory. With whole rows, the hardware prefetcher of one
// core would fetch cache lines that the thread of the next columns is writing.
template <class T>
class Panels {
public:
    static constexpr std::size_t width = tile_units * unit<T>;

    Panels() = default;
    Panels(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(round_up(columns, unit<T>)), lines_(rows * columns_ / unit<T>) {}

    T* at(std::size_t i, std::size_t column) {
        return reinterpret_cast<T*>(lines_.data()) + place(i, column);
    }
    const T* at(std::size_t i, std::size_t column) const {
        return reinterpret_cast<const T*>(lines_.data()) + place(i, column);
    }
    std::size_t stride(std::size_t column) const {
        const std::size_t left = columns_ - column / width * width;
        return left < width ? left : width;
    }

private:
    std::size_t place(std::size_t i, std::size_t column) const {
        return column / width * width * rows_ + i * stride(column) + column % width;
    }

    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
    std::vector<Unit<T>> lines_;
};

// Calls what(column, width) for tiles of `width` units that together cover these columns. They are
// whole panels if possible.
template <class T, class What>
inline void in_tiles(Columns columns, const What& what) {
    for (std::size_t column = columns.first; column < columns.last;) {
        if (column % Panels<T>::width == 0 && column + Panels<T>::width <= columns.last) {
            what(column, std::integral_constant<std::size_t, tile_units>());
            column += Panels<T>::width;
        } else {
            what(column, std::integral_constant<std::size_t, 1>());
            column += unit<T>;
        }
    }
}

// A matrix that is read along its rows.
template <class T>
struct Rows {
    const T* data;
    std::size_t step;  // numbers from row to row
};

template <std::size_t Count, std::size_t Width, class T, class Finish>
inline void tile(std::size_t row, std::size_t column, std::size_t depth, Rows<T> a, const T* b,
                 std::size_t stride, const Finish& finish) {
    Unit<T> sums[Count][Width] = {};
    const T* left = a.data + row * a.step;
    const T* right = b;
    for (std::size_t k = 0; k < depth; ++k, ++left, right += stride) {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Count; ++i)
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < Width; ++j)
                sums[i][j] += left[i * a.step] * units(right)[j];
    }
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < Count; ++i)
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j) finish(row + i, column + j * unit<T>, sums[i][j]);
}

template <std::size_t Width, class T, class Finish>
inline void tiles_of_column(std::size_t rows, std::size_t column, std::size_t depth, Rows<T> a,
                            const T* b, std::size_t stride, const Finish& finish) {
    std::size_t row = 0;
    for (; row + tile_rows <= rows; row += tile_rows)
        tile<tile_rows, Width>(row, column, depth, a, b, stride, finish);
    for (; row + 4 <= rows; row += 4) tile<4, Width>(row, column, depth, a, b, stride, finish);
    for (; row < rows; ++row) tile<1, Width>(row, column, depth, a, b, stride, finish);
}

// a: (rows, depth), b: (depth, columns). Each unit of the product a * b is passed to
// finish(row, first column, sums).
template <class T, class Right, class Finish>
inline void product(std::size_t rows, std::size_t depth, Rows<T> a, const Right& b, Columns columns,
                    const Finish& finish) {
    in_tiles<T>(columns, [&](std::size_t column, auto width) {
        tiles_of_column<width>(rows, column, depth, a, b.at(0, column), b.stride(column), finish);
    });
}

}  // namespace fused

}  // namespace lanes
