// A batch: the images of one training step. It refers to rows of a dataset, without a copy, or owns
// its images, or shares the ownership of the memory that holds them.
//
//   const lanes::Dataset data{lanes::Matrix{{0, 0}, {0, 1}, {1, 0}}, lanes::Matrix{{0}, {1}, {1}}};
//   const lanes::Batch batch(data, {2, 0});  // rows 2 and 0; data must outlive the batch
//   const float first_pixel = batch.x(0)[0];  // 1
#pragma once

#include "lanes/base/error.hpp"
#include "lanes/data/dataset.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace lanes {

template <class T>
class BasicBatch {
public:
    // Rows of a dataset, which must outlive the batch. Throws Error for a row out of range, and if
    // the dataset does not have one label for each image.
    BasicBatch(const BasicDataset<T>& source, std::vector<std::size_t> rows)
        : x_(source.x.data()),
          y_(source.y.data()),
          pixels_(source.x.shape(1)),
          classes_(source.y.shape(1)),
          rows_(std::move(rows)) {
        require_a_label_for_each(source);
        for (const std::size_t row : rows_)
            LANES_REQUIRE(row < source.size(), "Batch: row ", row, " of ", source.size(),
                          " images. Give rows of the dataset; they are counted from 0.");
    }

    // Owns these images. Throws Error if there is not one label for each.
    explicit BasicBatch(BasicDataset<T> images)
        : BasicBatch(std::make_shared<const BasicDataset<T>>(std::move(images))) {}

    // x: (images, pixels), y: (images, classes). `owner` keeps this memory alive until the last
    // copy of the batch is destroyed.
    BasicBatch(std::shared_ptr<const void> owner, const T* x, const T* y, std::size_t images,
               std::size_t pixels, std::size_t classes)
        : owner_(std::move(owner)),
          x_(x),
          y_(y),
          pixels_(pixels),
          classes_(classes),
          rows_(images) {
        for (std::size_t i = 0; i < images; ++i) rows_[i] = i;
    }

    std::size_t size() const { return rows_.size(); }
    std::size_t pixels() const { return pixels_; }
    std::size_t classes() const { return classes_; }

    // Image i of the batch: pixels() numbers, and its label: classes() numbers.
    const T* x(std::size_t i) const { return x_ + rows_[i] * pixels_; }
    const T* y(std::size_t i) const { return y_ + rows_[i] * classes_; }

    const std::vector<std::size_t>& rows() const { return rows_; }

    // True if rows() are rows of this dataset.
    bool is_of(const BasicDataset<T>& source) const {
        return x_ == source.x.data() && y_ == source.y.data();
    }

    // A copy of the images and labels, in the order of the batch.
    BasicDataset<T> gather() const {
        BasicDataset<T> images{xt::xtensor<T, 2>(std::array<std::size_t, 2>{size(), pixels_}),
                               xt::xtensor<T, 2>(std::array<std::size_t, 2>{size(), classes_})};
        for (std::size_t i = 0; i < size(); ++i) {
            std::copy_n(x(i), pixels_, images.x.data() + i * pixels_);
            std::copy_n(y(i), classes_, images.y.data() + i * classes_);
        }
        return images;
    }

private:
    explicit BasicBatch(const std::shared_ptr<const BasicDataset<T>>& images)
        : BasicBatch(images, images->x.data(), images->y.data(), images->size(), images->x.shape(1),
                     images->y.shape(1)) {
        require_a_label_for_each(*images);
    }

    static void require_a_label_for_each(const BasicDataset<T>& images) {
        LANES_REQUIRE(images.x.shape(0) == images.y.shape(0), "Batch: ", images.x.shape(0),
                      " images but ", images.y.shape(0), " labels. Give one label for each image.");
    }

    std::shared_ptr<const void> owner_;
    const T* x_;
    const T* y_;
    std::size_t pixels_;
    std::size_t classes_;
    std::vector<std::size_t> rows_;
};

using Batch = BasicBatch<float>;

}  // namespace lanes
