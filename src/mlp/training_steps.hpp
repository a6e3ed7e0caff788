// Training steps on groups of batches, by the fused step or by the plain one.
#pragma once

#include "lanes/mlp/batch.hpp"
#include "lanes/mlp/parts.hpp"
#include "mlp/fused/fused.hpp"
#include "mlp/plain_step.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lanes::detail {

template <class T>
class TrainingSteps {
public:
    using Batches = std::vector<BasicBatch<T>>;

    virtual ~TrainingSteps() = default;

    // Trains on these batches, which must stay in place until wait() has returned. async: if
    // possible, training runs on separate threads; a second start may then come before the first
    // wait.
    virtual void start(const Batches& batches, std::optional<int> threads, bool async) = 0;
    virtual bool is_done() const = 0;  // the next wait() would return at once
    virtual double wait() = 0;         // until the first of the started groups is done; its loss

    virtual void store_weights() {}  // writes the weights back to the network
};

template <class T>
class FusedSteps : public TrainingSteps<T> {
public:
    using typename TrainingSteps<T>::Batches;

    FusedSteps(const Sizes& sizes, Weights<T>& weights, Biases<T>& biases, T learning_rate)
        : weights_(weights),
          biases_(biases),
          learning_rate_(learning_rate),
          network_(fused::make_network(sizes, weights, biases)) {}

    void start(const Batches& batches, std::optional<int> threads, bool async) override {
        async_ = async;
        if (async)
            network_->start(batches, learning_rate_, threads);
        else
            loss_ = network_->train(batches, learning_rate_, threads);
    }
    bool is_done() const override { return !async_ || network_->is_done(); }
    double wait() override { return async_ ? network_->wait() : loss_; }
    void store_weights() override { network_->store(weights_, biases_); }

private:
    Weights<T>& weights_;
    Biases<T>& biases_;
    T learning_rate_;
    std::unique_ptr<fused::Network<T>> network_;
    bool async_ = false;
    double loss_ = 0;
};

template <class T>
class PlainSteps : public TrainingSteps<T> {
public:
    using typename TrainingSteps<T>::Batches;

    PlainSteps(const BasicNetworkParts<T>& parts, const Sizes& sizes, Weights<T>& weights,
               Biases<T>& biases, T learning_rate)
        : parts_(plain::with_defaults(parts)),
          sizes_(sizes),
          weights_(weights),
          biases_(biases),
          learning_rate_(learning_rate) {}

    void start(const Batches& batches, std::optional<int> /*threads*/, bool /*async*/) override {
        double loss = 0;
        for (const BasicBatch<T>& batch : batches)
            loss += plain::step(parts_, sizes_, weights_, biases_, batch.gather(), learning_rate_,
                                gradients_);
        losses_.push_back(loss);
    }
    bool is_done() const override { return true; }
    double wait() override {
        const double loss = losses_.front();
        losses_.pop_front();
        return loss;
    }

private:
    BasicNetworkParts<T> parts_;
    const Sizes& sizes_;
    Weights<T>& weights_;
    Biases<T>& biases_;
    T learning_rate_;
    plain::Gradients<T> gradients_{};
    std::deque<double> losses_;
};

// The groups of batches that are being trained on, in the order in which they were started. Call
// finish() before it is destroyed: other threads may still use the batches.
template <class T>
class BatchGroups {
public:
    using Batches = std::vector<BasicBatch<T>>;

    explicit BatchGroups(TrainingSteps<T>& steps) : steps_(steps) {}

    void start(Batches batches, std::optional<int> threads, bool async) {
        groups_.push_back(std::move(batches));
        steps_.start(groups_.back(), threads, async);
        ++running_;
        batches_started_ += groups_.back().size();
    }
    void wait() {
        --running_;
        loss_ += steps_.wait();
        batches_done_ += groups_.front().size();
        groups_.pop_front();
    }
    void finish() {
        while (running_ > 0) wait();
        steps_.store_weights();
    }

    bool is_done() const { return steps_.is_done(); }  // the next wait() would return at once
    std::size_t running() const { return running_; }
    std::size_t batches_started() const { return batches_started_; }
    std::size_t batches_done() const { return batches_done_; }
    double loss() const { return loss_; }  // sum over all images so far

private:
    TrainingSteps<T>& steps_;
    std::deque<Batches> groups_;
    std::size_t running_ = 0;
    std::size_t batches_started_ = 0;
    std::size_t batches_done_ = 0;
    double loss_ = 0;
};

}  // namespace lanes::detail
