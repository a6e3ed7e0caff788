// Backpropagation of errors to the layer below: errors * weights^T. The sums run along the rows of
// the weights. A SIMD register holds one number of each of several images, not neighbouring
// columns, so the weights need not be transposed, which would take as long as the product itself.
// The errors are transposed instead: they are few.
#pragma once

#include "mlp/fused/input.hpp"
#include "mlp/fused/loops.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace lanes::fused {

constexpr std::size_t max_sums = tile_rows * tile_units;  // that fit into registers

// sums[i] += row i of the weights * errors, for `count` columns. errors[column] holds several
// images.
template <std::size_t Rows, class Stride, class T>
inline void add_along_rows(Unit<T> (&sums)[Rows], const T* weights, Stride stride,
                           const Unit<T>* errors, std::size_t count) {
    for (std::size_t column = 0; column < count; ++column)
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Rows; ++i)
            sums[i] += weights[i * stride + column] * errors[column];
}

template <class T>
class BackpropProduct {
public:
    explicit BackpropProduct(std::size_t columns = 0) : errors_(round_up(columns, unit<T>)) {}

    // errors: (images, columns), weights: (rows, columns) -> errors * weights^T: (images, rows). Of
    // the result the columns `mine` are passed in units to finish(image, first column, sums).
    template <class Finish>
    void product(std::size_t images, const Padded<T>& errors, const Panels<T>& weights,
                 std::size_t rows, std::size_t columns, Columns mine, const Finish& finish) {
        for (std::size_t first = 0; first < images; first += unit<T>) {
            const std::size_t here = std::min(unit<T>, images - first);
            for (std::size_t column = 0; column < columns; column += unit<T>)
                transpose_errors(errors, first, here, column);
            for (std::size_t row = mine.first; row < mine.last; row += unit<T>) {
                Unit<T> sums[unit<T>] = {};
                const std::size_t whole = std::min(unit<T>, rows - row);  // the rest is padding
                std::size_t i = 0;
                for (; i + at_once <= whole; i += at_once)
                    sum_rows<at_once>(weights, row + i, columns, &sums[i]);
                for (; i < whole; ++i) sum_rows<1>(weights, row + i, columns, &sums[i]);
                transpose<T>(sums);
                for (std::size_t image = 0; image < here; ++image)
                    finish(first + image, row, sums[image]);
            }
        }
    }

private:
    static constexpr std::size_t at_once = std::min(unit<T>, max_sums);

    void transpose_errors(const Padded<T>& errors, std::size_t first, std::size_t images,
                          std::size_t column) {
        Unit<T> block[unit<T>];
        for (std::size_t i = 0; i < unit<T>; ++i)
            block[i] = *units(errors.row(first + std::min(i, images - 1)) + column);
        transpose<T>(block);
        std::copy_n(block, unit<T>, &errors_[column]);
    }

    template <std::size_t Rows>
    void sum_rows(const Panels<T>& weights, std::size_t row, std::size_t columns,
                  Unit<T>* to) const {
        Unit<T> sums[Rows] = {};
        for (std::size_t column = 0; column < columns; column += Panels<T>::width) {
            const std::size_t count = std::min(Panels<T>::width, columns - column),
                              stride = weights.stride(column);
            if (stride == Panels<T>::width)
                add_along_rows(sums, weights.at(row, column),
                               std::integral_constant<std::size_t, Panels<T>::width>(),
                               &errors_[column], count);
            else
                add_along_rows(sums, weights.at(row, column), stride, &errors_[column], count);
        }
        std::copy_n(sums, Rows, to);
    }

    std::vector<Unit<T>> errors_;  // [column]: of several images
};

}  // namespace lanes::fused
