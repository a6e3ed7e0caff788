#pragma once

#include "array.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::plain {

// operation(x) for each element.
template <class T, class Operation>
Array<T> map(const Array<T>& x, Operation operation) {
    Array<T> y(x.shape);
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = operation(x[i]);
    return y;
}

// The element of x that stands for `index` of a larger shape: shapes are aligned at the last axis,
// and an axis of extent 1 is repeated.
template <class T>
T repeated(const Array<T>& x, const std::vector<std::size_t>& index) {
    std::size_t position = 0;
    const std::size_t missing = index.size() - x.shape.rank();
    for (std::size_t axis = 0; axis < x.shape.rank(); ++axis)
        position = position * x.shape[axis] + (x.shape[axis] == 1 ? 0 : index[axis + missing]);
    return x[position];
}

// operation(a, b) for each pair of elements; result: the shape to which both are broadcast.
template <class T, class Operation>
Array<T> combine(const Array<T>& a, const Array<T>& b, const Shape& result, Operation operation) {
    Array<T> y(result);
    for (std::size_t i = 0; i < y.size(); ++i) {
        const auto index = index_of(i, result);
        y[i] = operation(repeated(a, index), repeated(b, index));
    }
    return y;
}

template <class T>
Array<T> relu(const Array<T>& x) {
    return map(x, [](T v) { return v > 0 ? v : T(0); });
}

template <class T>
Array<T> sigmoid(const Array<T>& x) {
    return map(x, [](T v) { return 1 / (1 + std::exp(-v)); });
}

}  // namespace lanes::plain
