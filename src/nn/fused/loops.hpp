// The inner loops of the fused step. Widths are constants, so that sums stay in registers and the compiler turns each loop into SIMD. A `unit` is a cache line
// of numbers: rows are padded to whole units and begin at one, and a thread owns whole units of columns, so that no two threads write one line.
#pragma once

#include "lanes/nn/sigmoid.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanes {

namespace fused {

template <class T>
constexpr std::size_t unit = 64 / sizeof(T);

constexpr std::size_t up_to_units(std::size_t count, std::size_t width) { return (count + width - 1) / width * width; }

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
    static fused::Unit<float> of(fused::Unit<float> x) { return exp_by_series<fused::Unit<float>, fused::Unit<std::uint32_t>>(x); }
};
template <>
struct detail::ExpOfNegative<fused::Unit<double>> {
    static fused::Unit<double> of(fused::Unit<double> x) {
        for (std::size_t i = 0; i < fused::unit<double>; ++i) x[i] = std::exp(x[i]);
        return x;
    }
};

namespace fused {

struct Columns {
    std::size_t first, last;  // multiples of a unit
};

// rows x columns numbers, each row padded by zeros to whole units
template <class T>
class Padded {
public:
    Padded() = default;
    Padded(std::size_t rows, std::size_t columns) : stride_(up_to_units(columns, unit<T>)), lines_(rows * stride_ / unit<T>) {}

    T* row(std::size_t i) { return reinterpret_cast<T*>(lines_.data()) + i * stride_; }
    const T* row(std::size_t i) const { return reinterpret_cast<const T*>(lines_.data()) + i * stride_; }
    const T* at(std::size_t i, std::size_t column) const { return row(i) + column; }
    std::size_t stride() const { return stride_; }
    std::size_t stride(std::size_t /*column*/) const { return stride_; }
    bool together(std::size_t /*column*/, std::size_t /*units*/) const { return true; }  // do these units of a row lie side by side?
    Columns all() const { return {0, stride_}; }

private:
    std::size_t stride_ = 0;
    std::vector<Unit<T>> lines_;
};

// The same cut into panels of a few units, one behind the other: each thread's columns lie in memory of their own. In whole rows the processor, which fetches
// what comes next in memory, would take lines away from the thread that owns the next columns.
template <class T>
class Panels {
public:
    static constexpr std::size_t width = 4 * unit<T>;

    Panels() = default;
    Panels(std::size_t rows, std::size_t columns) : rows_(rows), columns_(up_to_units(columns, unit<T>)), lines_(rows * columns_ / unit<T>) {}

    T* at(std::size_t i, std::size_t column) { return reinterpret_cast<T*>(lines_.data()) + place(i, column); }
    const T* at(std::size_t i, std::size_t column) const { return reinterpret_cast<const T*>(lines_.data()) + place(i, column); }
    std::size_t stride(std::size_t column) const {
        const std::size_t left = columns_ - column / width * width;
        return left < width ? left : width;
    }
    bool together(std::size_t column, std::size_t units) const { return column % width + units * unit<T> <= width; }

private:
    std::size_t place(std::size_t i, std::size_t column) const { return column / width * width * rows_ + i * stride(column) + column % width; }

    std::size_t rows_ = 0, columns_ = 0;
    std::vector<Unit<T>> lines_;
};

// A matrix to be read along rows (step 1 in depth) or along columns (step 1 in rows) without a copy.
template <class T>
struct Left {
    const T* data;
    std::size_t row_step, depth_step;
};

#ifdef __AVX512F__
constexpr std::size_t tile_units = 2;  // 4 rows of 2 registers: as many sums as two multipliers need to be busy
#else
constexpr std::size_t tile_units = 1;
#endif
constexpr std::size_t tile_rows = 4;

template <std::size_t Rows, std::size_t Width, class T, class Finish>
inline void tile(std::size_t row, std::size_t column, std::size_t depth, Left<T> a, const T* b, std::size_t stride, const Finish& finish) {
    Unit<T> sums[Rows][Width] = {};
    const T* left = a.data + row * a.row_step;
    const T* right = b;
    for (std::size_t k = 0; k < depth; ++k, left += a.depth_step, right += stride) {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Rows; ++i)
#pragma clang loop unroll(full)
            for (std::size_t j = 0; j < Width; ++j) sums[i][j] += left[i * a.row_step] * units(right)[j];
    }
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < Rows; ++i)
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j) finish(row + i, column + j * unit<T>, sums[i][j]);
}

template <std::size_t Width, class T, class Finish>
inline void tiles_of_column(std::size_t rows, std::size_t column, std::size_t depth, Left<T> a, const T* b, std::size_t stride, const Finish& finish) {
    std::size_t row = 0;
    for (; row + tile_rows <= rows; row += tile_rows) tile<tile_rows, Width>(row, column, depth, a, b, stride, finish);
    for (; row < rows; ++row) tile<1, Width>(row, column, depth, a, b, stride, finish);
}

// a: (rows, depth), b: (depth, columns): each unit of sums goes to finish(row, first column, sums).
template <class T, class Right, class Finish>
inline void product(std::size_t rows, std::size_t depth, Left<T> a, const Right& b, Columns columns, const Finish& finish) {
    std::size_t column = columns.first;
    while (column < columns.last) {
        const T* const right = b.at(0, column);
        if (column + tile_units * unit<T> <= columns.last && b.together(column, tile_units)) {
            tiles_of_column<tile_units>(rows, column, depth, a, right, b.stride(column), finish);
            column += tile_units * unit<T>;
        } else {
            tiles_of_column<1>(rows, column, depth, a, right, b.stride(column), finish);
            column += unit<T>;
        }
    }
}

// The numbers of a row that are not 0; gives how many. Without a branch on a number: in a picture it would be guessed wrong at each border. Places that are
// empty as a whole, most of a picture, are passed over.
template <class T>
inline std::size_t compact(const T* row, std::size_t count, std::uint32_t* places, T* values) {
    constexpr std::size_t block = 16;
    std::size_t found = 0;
    for (std::size_t begin = 0; begin < count; begin += block) {
        const std::size_t end = begin + block < count ? begin + block : count;
        if (end == begin + block) {
            unsigned any = 0;
            for (std::size_t k = 0; k < block; ++k) any |= static_cast<unsigned>(row[begin + k] != T{0});
            if (any == 0) continue;
        }
        for (std::size_t k = begin; k < end; ++k) {
            places[found] = static_cast<std::uint32_t>(k);
            values[found] = row[k];
            found += row[k] != T{0};
        }
    }
    return found;
}

// Width units of a row of a product whose left row is given by its numbers that are not 0.
template <std::size_t Width, class T, class Finish>
inline void sparse_row(std::size_t row, std::size_t column, const std::uint32_t* places, const T* values, std::size_t count, const Panels<T>& b,
                       const Finish& finish) {
    Unit<T> sums[Width] = {};
    const T* const from = b.at(0, column);
    const std::size_t stride = b.stride(column);
    for (std::size_t n = 0; n < count; ++n) {
        const T* const right = from + places[n] * stride;
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j) sums[j] += values[n] * units(right)[j];
    }
#pragma clang loop unroll(full)
    for (std::size_t j = 0; j < Width; ++j) finish(row, column + j * unit<T>, sums[j]);
}

// to -= scale * (the sum of factors[i] * row i over the bits i of `which`), Width units
template <std::size_t Width, class T>
inline void subtract_scaled_rows(T* to, std::uint64_t which, const T* factors, T scale, const T* rows, std::size_t stride) {
    Unit<T> sums[Width] = {};
    for (; which != 0; which &= which - 1) {
        const auto i = static_cast<std::size_t>(__builtin_ctzll(which));
#pragma clang loop unroll(full)
        for (std::size_t j = 0; j < Width; ++j) sums[j] += factors[i] * units(rows + i * stride)[j];
    }
#pragma clang loop unroll(full)
    for (std::size_t j = 0; j < Width; ++j) units(to)[j] -= scale * sums[j];
}

}  // namespace fused

}  // namespace lanes
