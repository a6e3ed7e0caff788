#pragma once

#include "array.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::plain {

// The number of places for a window along an axis.
inline std::size_t places(std::size_t size, std::size_t kernel, std::size_t stride,
                          std::size_t padding) {
    return (size + 2 * padding - kernel) / stride + 1;
}

// x: (batch, in, height, width), weight: (out, in, kernel height, kernel width), bias: (out)
template <class T>
Array<T> conv2d(const Array<T>& x, const Array<T>& weight, const Array<T>& bias, std::size_t stride,
                std::size_t padding) {
    const std::size_t in = weight.shape[1];
    const std::size_t rows = weight.shape[2];
    const std::size_t columns = weight.shape[3];
    Array<T> y(Shape{x.shape[0], weight.shape[0], places(x.shape[2], rows, stride, padding),
                     places(x.shape[3], columns, stride, padding)});
    for (std::size_t position = 0; position < y.size(); ++position) {
        const auto index = index_of(position, y.shape);  // image, output channel, row, column
        const std::size_t out = index[1];
        T sum = bias[out];
        for (std::size_t c = 0; c < in; ++c)
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t j = 0; j < columns; ++j) {
                    const auto row = static_cast<std::ptrdiff_t>(index[2] * stride + i) -
                                     static_cast<std::ptrdiff_t>(padding);
                    const auto column = static_cast<std::ptrdiff_t>(index[3] * stride + j) -
                                        static_cast<std::ptrdiff_t>(padding);
                    sum += x.padded(index[0], c, row, column) *
                           weight[((out * in + c) * rows + i) * columns + j];
                }
        y[position] = sum;
    }
    return y;
}

// Calls visit(value, inside) for what the window at (index[2], index[3]) sees.
template <class T, class Visit>
void for_each_in_window(const Array<T>& x, const std::vector<std::size_t>& index,
                        std::size_t kernel, std::size_t stride, std::size_t padding, Visit visit) {
    for (std::size_t i = 0; i < kernel; ++i)
        for (std::size_t j = 0; j < kernel; ++j) {
            const auto row = static_cast<std::ptrdiff_t>(index[2] * stride + i) -
                             static_cast<std::ptrdiff_t>(padding);
            const auto column = static_cast<std::ptrdiff_t>(index[3] * stride + j) -
                                static_cast<std::ptrdiff_t>(padding);
            const bool inside = row >= 0 && column >= 0 &&
                                row < static_cast<std::ptrdiff_t>(x.shape[2]) &&
                                column < static_cast<std::ptrdiff_t>(x.shape[3]);
            visit(x.padded(index[0], index[1], row, column), inside);
        }
}

template <class T>
Array<T> max_pool2d(const Array<T>& x, std::size_t kernel, std::size_t stride,
                    std::size_t padding) {
    Array<T> y(Shape{x.shape[0], x.shape[1], places(x.shape[2], kernel, stride, padding),
                     places(x.shape[3], kernel, stride, padding)});
    for (std::size_t position = 0; position < y.size(); ++position) {
        T largest = -INFINITY;
        for_each_in_window(x, index_of(position, y.shape), kernel, stride, padding,
                           [&](T value, bool inside) {
                               if (inside) largest = std::max(largest, value);
                           });
        y[position] = largest;
    }
    return y;
}

// The padding counts as zeros.
template <class T>
Array<T> avg_pool2d(const Array<T>& x, std::size_t kernel, std::size_t stride,
                    std::size_t padding) {
    Array<T> y(Shape{x.shape[0], x.shape[1], places(x.shape[2], kernel, stride, padding),
                     places(x.shape[3], kernel, stride, padding)});
    for (std::size_t position = 0; position < y.size(); ++position) {
        T sum = 0;
        for_each_in_window(x, index_of(position, y.shape), kernel, stride, padding,
                           [&](T value, bool) { sum += value; });
        y[position] = sum / static_cast<T>(kernel * kernel);
    }
    return y;
}

// Window i of n along an axis of `size` elements is [i * size / n, (i + 1) * size / n), rounded
// down and up.
template <class T>
Array<T> adaptive_avg_pool2d(const Array<T>& x, std::size_t height, std::size_t width) {
    Array<T> y(Shape{x.shape[0], x.shape[1], height, width});
    for (std::size_t position = 0; position < y.size(); ++position) {
        const auto index = index_of(position, y.shape);
        const std::size_t first_row = index[2] * x.shape[2] / height;
        const std::size_t last_row = ((index[2] + 1) * x.shape[2] + height - 1) / height;
        const std::size_t first_column = index[3] * x.shape[3] / width;
        const std::size_t last_column = ((index[3] + 1) * x.shape[3] + width - 1) / width;
        T sum = 0;
        for (std::size_t i = first_row; i < last_row; ++i)
            for (std::size_t j = first_column; j < last_column; ++j)
                sum += x.padded(index[0], index[1], static_cast<std::ptrdiff_t>(i),
                                static_cast<std::ptrdiff_t>(j));
        y[position] = sum / static_cast<T>((last_row - first_row) * (last_column - first_column));
    }
    return y;
}

}  // namespace lanes::plain
