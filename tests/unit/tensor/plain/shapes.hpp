#pragma once

#include "array.hpp"

#include <cstddef>
#include <vector>

namespace lanes::plain {

template <class T>
Array<T> permute(const Array<T>& x, const std::vector<std::size_t>& axes) {
    Shape shape = x.shape;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) shape[axis] = x.shape[axes[axis]];
    Array<T> y(shape);
    for (std::size_t i = 0; i < y.size(); ++i) {
        const auto to = index_of(i, shape);
        std::vector<std::size_t> from(to.size());
        for (std::size_t axis = 0; axis < axes.size(); ++axis) from[axes[axis]] = to[axis];
        y[i] = x[position_of(from, x.shape)];
    }
    return y;
}

// Rows and columns of `value` around the last two axes.
template <class T>
Array<T> pad(const Array<T>& x, std::size_t left, std::size_t right, std::size_t top,
             std::size_t bottom, T value) {
    const std::size_t rank = x.shape.rank();
    Shape shape = x.shape;
    shape[rank - 2] += top + bottom;
    shape[rank - 1] += left + right;
    Array<T> y(shape, value);
    for (std::size_t i = 0; i < x.size(); ++i) {
        auto index = index_of(i, x.shape);
        index[rank - 2] += top;
        index[rank - 1] += left;
        y[position_of(index, shape)] = x[i];
    }
    return y;
}

template <class T>
Array<T> cat(const std::vector<Array<T>>& arrays, std::size_t axis) {
    Shape shape = arrays.front().shape;
    shape[axis] = 0;
    for (const Array<T>& one : arrays) shape[axis] += one.shape[axis];
    Array<T> y(shape);
    std::size_t first = 0;
    for (const Array<T>& one : arrays) {
        for (std::size_t i = 0; i < one.size(); ++i) {
            auto index = index_of(i, one.shape);
            index[axis] += first;
            y[position_of(index, shape)] = one[i];
        }
        first += one.shape[axis];
    }
    return y;
}

template <class T>
Array<T> index_select(const Array<T>& x, const std::vector<int>& rows) {
    Shape shape = x.shape;
    shape[0] = rows.size();
    Array<T> y(shape);
    const std::size_t length = y.size() / rows.size();
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = x[static_cast<std::size_t>(rows[i / length]) * length + i % length];
    return y;
}

}  // namespace lanes::plain
