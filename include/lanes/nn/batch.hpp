// A batch: the images of one training step. It either names rows of a dataset, without a copy, or owns its images.
#pragma once

#include "lanes/data/dataset.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace lanes {

template <class T>
class BasicBatch {
public:
    // Rows of a dataset, which must outlive the batch.
    BasicBatch(const BasicDataset<T>& source, std::vector<std::size_t> rows) : source_(&source), rows_(std::move(rows)) {}

    // Images of its own.
    explicit BasicBatch(BasicDataset<T> images)
        : owned_(std::make_shared<const BasicDataset<T>>(std::move(images))), source_(owned_.get()), rows_(source_->size()) {
        for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i] = i;
    }

    std::size_t size() const { return rows_.size(); }
    std::size_t pixels() const { return source_->x.shape(1); }
    std::size_t classes() const { return source_->y.shape(1); }
    const T* x(std::size_t i) const { return source_->x.data() + rows_[i] * pixels(); }   // the pixels of image i of the batch
    const T* y(std::size_t i) const { return source_->y.data() + rows_[i] * classes(); }  // its label

    BasicDataset<T> gather() const { return rows_of(*source_, rows_); }

private:
    std::shared_ptr<const BasicDataset<T>> owned_;
    const BasicDataset<T>* source_;
    std::vector<std::size_t> rows_;
};

using Batch = BasicBatch<float>;

}  // namespace lanes
