#pragma once

#include "array.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::plain {

// Sum along the axes that are marked; they keep an extent of 1.
template <class T>
Array<T> sum(const Array<T>& x, const std::vector<std::size_t>& axes) {
    Shape shape = x.shape;
    for (const std::size_t axis : axes) shape[axis] = 1;
    Array<T> y(shape);
    for (std::size_t i = 0; i < x.size(); ++i) {
        auto index = index_of(i, x.shape);
        for (const std::size_t axis : axes) index[axis] = 0;
        y[position_of(index, shape)] += x[i];
    }
    return y;
}

// Largest element along an axis, which keeps an extent of 1.
template <class T>
Array<T> max(const Array<T>& x, std::size_t axis) {
    Shape shape = x.shape;
    shape[axis] = 1;
    Array<T> y(shape, -INFINITY);
    for (std::size_t i = 0; i < x.size(); ++i) {
        auto index = index_of(i, x.shape);
        index[axis] = 0;
        T& largest = y[position_of(index, shape)];
        largest = std::max(largest, x[i]);
    }
    return y;
}

// exp(x - max) / sum, along an axis: without the maximum large numbers would overflow.
template <class T>
Array<T> softmax(const Array<T>& x, std::size_t axis) {
    const Array<T> largest = max(x, axis);
    Array<T> y(x.shape);
    const auto line = [&](std::size_t i) {
        auto index = index_of(i, x.shape);
        index[axis] = 0;
        return position_of(index, largest.shape);
    };
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = std::exp(x[i] - largest[line(i)]);
    const Array<T> total = sum(y, {axis});
    for (std::size_t i = 0; i < x.size(); ++i) y[i] /= total[line(i)];
    return y;
}

// logits: (batch, classes) -> mean of -log softmax(logits)[label]
template <class T>
Array<T> cross_entropy(const Array<T>& logits, const std::vector<int>& labels) {
    const std::size_t classes = logits.shape[1];
    T loss = 0;
    for (std::size_t row = 0; row < labels.size(); ++row) {
        const auto first = logits.data.begin() + static_cast<std::ptrdiff_t>(row * classes);
        const T largest = *std::max_element(first, first + static_cast<std::ptrdiff_t>(classes));
        T sum = 0;
        for (std::size_t i = 0; i < classes; ++i) sum += std::exp(first[i] - largest);
        loss += largest + std::log(sum) - first[labels[row]];
    }
    return Array<T>(Shape{}, loss / static_cast<T>(labels.size()));
}

}  // namespace lanes::plain
