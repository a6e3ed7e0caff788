// Where training gets its batches from: made at once for each epoch, or delivered by workers while
// training runs.
#pragma once

#include "lanes/mlp/batch.hpp"

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace lanes::detail {

template <class T>
class BatchSource {
public:
    BatchSource() = default;
    BatchSource(const BatchSource&) = delete;
    BatchSource& operator=(const BatchSource&) = delete;
    virtual ~BatchSource() = default;

    // Begins an epoch (1, 2, …) and returns its number of batches.
    virtual std::size_t start_epoch(std::size_t epoch) = 0;

    // The next batch of the epoch, for which it may wait.
    virtual BasicBatch<T> next() = 0;
};

template <class T>
class EpochBatches : public BatchSource<T> {
public:
    using Create = std::function<std::vector<BasicBatch<T>>()>;

    explicit EpochBatches(Create create) : create_(std::move(create)) {}

    std::size_t start_epoch(std::size_t /*epoch*/) override {
        batches_ = create_();
        next_ = 0;
        return batches_.size();
    }

    BasicBatch<T> next() override { return std::move(batches_[next_++]); }

private:
    Create create_;
    std::vector<BasicBatch<T>> batches_;
    std::size_t next_ = 0;
};

}  // namespace lanes::detail
