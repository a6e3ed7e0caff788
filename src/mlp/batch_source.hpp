// Where training gets its batches from: made at once for each epoch, or delivered by workers while
// training runs.
#pragma once

#include "lanes/mlp/batch.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace lanes::detail {

template <class T>
class BatchSource {
public:
    using Batches = std::vector<BasicBatch<T>>;

    BatchSource() = default;
    BatchSource(const BatchSource&) = delete;
    BatchSource& operator=(const BatchSource&) = delete;
    virtual ~BatchSource() = default;

    // Begins an epoch (1, 2, …) and returns its number of batches.
    virtual std::size_t start_epoch(std::size_t epoch) = 0;

    // The batches that follow the first `first` ones of the epoch: at least one, for which it may
    // wait. preferred: how many the caller would like at most, in order to report its progress.
    virtual Batches next(std::size_t first, std::size_t preferred) = 0;

    // Threads for the training steps if the options leave it open; empty: as many as are useful.
    virtual std::optional<int> training_threads() const { return {}; }

    // Threads that validate an epoch while the next one is trained. Its line is then printed at the
    // end of the next epoch. 0: training waits for the validation.
    virtual int validation_threads() const { return 0; }

    // True: training runs on separate threads, and the calling thread calls on_wait meanwhile.
    virtual bool is_async() const { return false; }

    // Does what there is to do until is_done() returns true. May return earlier.
    virtual void on_wait(const std::function<bool()>& /*is_done*/) {}
};

// All batches of an epoch at once, handed to training in groups.
template <class T>
class EpochBatches : public BatchSource<T> {
public:
    using typename BatchSource<T>::Batches;
    using Create = std::function<Batches()>;

    explicit EpochBatches(Create create) : create_(std::move(create)) {}

    std::size_t start_epoch(std::size_t /*epoch*/) override {
        batches_ = create_();
        return count_ = batches_.size();
    }

    Batches next(std::size_t first, std::size_t preferred) override {
        const std::size_t size = std::min(preferred, group_size());
        if (size == count_) return std::move(batches_);
        const auto begin = batches_.begin() + static_cast<std::ptrdiff_t>(first);
        return Batches(begin, begin + static_cast<std::ptrdiff_t>(std::min(size, count_ - first)));
    }

private:
    // The interrupt button is checked between two groups, so a group must not take long. A long
    // epoch is one group nevertheless: it needs many batches to find out which number of threads is
    // fastest.
    std::size_t group_size() const {
        return count_ <= 800 ? std::min<std::size_t>(count_, 100) : count_;
    }

    Create create_;
    Batches batches_;
    std::size_t count_ = 0;
};

}  // namespace lanes::detail
