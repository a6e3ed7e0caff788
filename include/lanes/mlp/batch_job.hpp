// The messages between a network and its augmentation workers: a job names the images of one batch,
// the result holds the augmented images. Introduced in lesson 04a_augmentation.
//
//   const lanes::BatchJob job{7, {0, 3}, xt::zeros<float>({2, 10})};  // batch 7: images 0 and 3
//   const lanes::ImageBatch batch{job.index, xt::zeros<float>({2, 784}), job.labels};
//   const lanes::ImageBatch copy = lanes::batch_of(lanes::to_bytes(batch));
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/mlp/augment.hpp"
#include "lanes/parallel/message.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

struct BatchJob {
    // Of the batch, counted through all epochs. Random numbers depend on the seed and this index.
    std::uint64_t index = 0;
    std::vector<std::uint64_t> images;              // rows of the training data
    Matrix labels;                                  // (images, classes)
    std::optional<AugmentationBounds> bounds = {};  // for this batch, instead of the worker's
};

struct ImageBatch {
    std::uint64_t index = 0;  // of its job
    Matrix x;                 // (images, pixels)
    Matrix y;                 // (images, classes)
};

template <>
struct Message<BatchJob> {
    static std::string_view bytes(const BatchJob& job, std::string& scratch);
    static BatchJob from(const std::string& bytes);
};

template <>
struct Message<ImageBatch> {
    static std::string_view bytes(const ImageBatch& batch, std::string& scratch);
    static ImageBatch from(const std::string& bytes);
};

// Converts a batch to bytes and back, for queues of bytes.
std::string to_bytes(const ImageBatch& batch);
ImageBatch batch_of(const std::string& bytes);

// The same without copies. begin_batch writes a message with the labels and with space for the
// images, and returns a pointer to that space.
float* begin_batch(std::string& bytes, std::uint64_t index, std::size_t pixels,
                   const Matrix& labels);
struct BatchView {
    std::uint64_t index;
    std::size_t images, pixels, classes;
    const float *x, *y;  // in the bytes, which must outlive the view
};
BatchView view_of(const std::string& bytes);

}  // namespace lanes
