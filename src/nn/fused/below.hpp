// Errors go down through weights as they lie, (rows, columns): what comes out are sums along rows.
// Side by side in a register are images here, not columns, so that no weights have to be
// transposed, which would take as long as the product itself; errors are, and they are few.
#pragma once

#include "input.hpp"
#include "loops.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace lanes::fused {

constexpr std::size_t most_sums = tile_rows * tile_units;  // that are in registers

// sums[i] += row i of the weights * errors, for `count` columns; errors: [column], images side by
// side
template <std::size_t Rows, class Stride, class T>
inline void add_along_rows(Unit<T> (&sums)[Rows], const T* weights, Stride stride,
                           const Unit<T>* errors, std::size_t count) {
    for (std::size_t column = 0; column < count; ++column)
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < Rows; ++i)
            sums[i] += weights[i * stride + column] * errors[column];
}

template <class T>
class Below {
public:
    explicit Below(std::size_t columns = 0) : errors_(up_to_units(columns, unit<T>)) {}

    // errors: (images, columns), weights: (rows, columns) -> errors * (weights, transposed), of
    // which the columns `mine` go in units to finish(image, first column, sums)
    template <class Finish>
    void product(std::size_t images, const Padded<T>& errors, const Panels<T>& weights,
                 std::size_t rows, std::size_t columns, Columns mine, const Finish& finish) {
        for (std::size_t first = 0; first < images; first += unit<T>) {
            const std::size_t here = std::min(unit<T>, images - first);
            for (std::size_t column = 0; column < columns; column += unit<T>)
                turn_errors(errors, first, here, column);
            for (std::size_t row = mine.first; row < mine.last; row += unit<T>) {
                Unit<T> sums[unit<T>] = {};
                const std::size_t whole = std::min(unit<T>, rows - row);  // the others are padding
                std::size_t i = 0;
                for (; i + at_once <= whole; i += at_once)
                    sum_up<at_once>(weights, row + i, columns, &sums[i]);
                for (; i < whole; ++i) sum_up<1>(weights, row + i, columns, &sums[i]);
                transpose<T>(sums);
                for (std::size_t image = 0; image < here; ++image)
                    finish(first + image, row, sums[image]);
            }
        }
    }

private:
    static constexpr std::size_t at_once = std::min(unit<T>, most_sums);

    void turn_errors(const Padded<T>& errors, std::size_t first, std::size_t images,
                     std::size_t column) {
        Unit<T> block[unit<T>];
        for (std::size_t i = 0; i < unit<T>; ++i)
            block[i] = *units(errors.row(first + std::min(i, images - 1)) + column);
        transpose<T>(block);
        std::copy_n(block, unit<T>, &errors_[column]);
    }

    template <std::size_t Rows>
    void sum_up(const Panels<T>& weights, std::size_t row, std::size_t columns, Unit<T>* to) const {
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

    std::vector<Unit<T>> errors_;  // [column], images side by side
};

}  // namespace lanes::fused
