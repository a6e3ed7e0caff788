// What each operation computes, in loops as simple as possible and for any number type. The float
// versions explain the fast ones; the double versions are what tests compare with, and their
// central differences what gradients are compared with.
#pragma once

#include "lanes/tensor/shape.hpp"

#include <cstddef>
#include <vector>

namespace lanes::plain {

template <class T>
struct Array {
    Shape shape;
    std::vector<T> data;  // row-major

    explicit Array(const Shape& s, T value = 0) : shape(s), data(s.count(), value) {}
    Array(const Shape& s, std::vector<T> values) : shape(s), data(std::move(values)) {}

    T& operator[](std::size_t i) { return data[i]; }
    T operator[](std::size_t i) const { return data[i]; }
    std::size_t size() const { return data.size(); }

    // 0 outside the image
    T padded(std::size_t n, std::size_t c, std::ptrdiff_t i, std::ptrdiff_t j) const {
        const auto height = static_cast<std::ptrdiff_t>(shape[2]);
        const auto width = static_cast<std::ptrdiff_t>(shape[3]);
        if (i < 0 || j < 0 || i >= height || j >= width) return 0;
        return data[((n * shape[1] + c) * shape[2] + static_cast<std::size_t>(i)) * shape[3] +
                    static_cast<std::size_t>(j)];
    }
};

// The index of an element along each axis, from its position.
inline std::vector<std::size_t> index_of(std::size_t position, const Shape& shape) {
    std::vector<std::size_t> index(shape.rank());
    for (std::size_t axis = shape.rank(); axis-- > 0;) {
        index[axis] = position % shape[axis];
        position /= shape[axis];
    }
    return index;
}

inline std::size_t position_of(const std::vector<std::size_t>& index, const Shape& shape) {
    std::size_t position = 0;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis)
        position = position * shape[axis] + index[axis];
    return position;
}

}  // namespace lanes::plain
