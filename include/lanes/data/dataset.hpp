// Images with their labels, one per row: what a network is trained on.
//
//   const lanes::Dataset data{xt::zeros<float>({3, 784}), lanes::one_hot({5, 0, 4})};
//   const lanes::Dataset two = lanes::rows_of(data, {2, 0});
//   const std::size_t images = two.size();     // 2
//   const lanes::Matrix first = two.image(0);  // (28, 28)
#pragma once

#include "lanes/array/types.hpp"

#include <cstddef>
#include <vector>

namespace lanes {

template <class T>
struct BasicDataset {
    xt::xtensor<T, 2> x;  // (images, pixels), 0 to 1
    xt::xtensor<T, 2> y;  // (images, classes), one-hot: 1 in the column of the class, 0 elsewhere

    std::size_t size() const { return x.shape(0); }

    // Row `index` of x as a square image, (rows, columns). Throws Error if there is no such row, or
    // if the number of pixels is not a square number.
    xt::xtensor<T, 2> image(std::size_t index) const;
};

using Dataset = BasicDataset<float>;

// labels: one class per image, 0 <= class < classes. Gives (labels, classes). Throws Error for a
// class out of this range.
template <class T = float>
xt::xtensor<T, 2> one_hot(const std::vector<unsigned char>& labels, std::size_t classes = 10);

// Rows of a dataset in the given order, repeats allowed. Throws Error for a row out of range.
template <class T>
BasicDataset<T> rows_of(const BasicDataset<T>& data, const std::vector<std::size_t>& rows);

// The rows first, first + 1, …, last - 1.
template <class T>
BasicDataset<T> slice_of(const BasicDataset<T>& data, std::size_t first, std::size_t last);

// The same numbers in another precision: to_precision<double>(dataset).
template <class To, class From>
BasicDataset<To> to_precision(const BasicDataset<From>& data) {
    return {xt::cast<To>(data.x), xt::cast<To>(data.y)};
}

}  // namespace lanes
