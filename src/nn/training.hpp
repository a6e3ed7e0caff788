// How a network is trained on batches, by the fused step or as its parts say, and which batches are
// on the way.
#pragma once

#include "fused/trainer.hpp"
#include "lanes/nn/batch.hpp"
#include "lanes/nn/parts.hpp"
#include "plain_step.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace lanes::detail {

template <class T>
class Training {
public:
    virtual ~Training() = default;

    // The batches stay where they are until wait, which gives their loss. beside: threads of their
    // own train meanwhile, where that is possible, and a second start may come before the first
    // wait.
    virtual void start(const std::vector<BasicBatch<T>>& batches, int threads, bool beside) = 0;
    virtual bool is_done() const = 0;  // what was started first; wait would be back at once
    virtual double wait() = 0;

    virtual void finish() {}  // the network's weights are up to date then
};

template <class T>
class FusedTraining : public Training<T> {
public:
    FusedTraining(const Sizes& sizes, Weights<T>& weights, Biases<T>& biases, T learning_rate)
        : weights_(weights),
          biases_(biases),
          learning_rate_(learning_rate),
          trainer_(sizes, weights, biases) {}

    void start(const std::vector<BasicBatch<T>>& batches, int threads, bool beside) override {
        if (beside)
            trainer_.start(batches, learning_rate_, threads);
        else
            loss_ = trainer_.run(batches, learning_rate_, threads);
        beside_ = beside;
    }
    bool is_done() const override { return !beside_ || trainer_.is_done(); }
    double wait() override { return beside_ ? trainer_.wait() : loss_; }
    void finish() override { trainer_.store(weights_, biases_); }

private:
    Weights<T>& weights_;
    Biases<T>& biases_;
    T learning_rate_;
    fused::Trainer<T> trainer_;
    bool beside_ = false;
    double loss_ = 0;
};

template <class T>
class PlainTraining : public Training<T> {
public:
    PlainTraining(const BasicNetworkParts<T>& parts, const Sizes& sizes, Weights<T>& weights,
                  Biases<T>& biases, T learning_rate)
        : parts_(plain::with_defaults(parts)),
          sizes_(sizes),
          weights_(weights),
          biases_(biases),
          learning_rate_(learning_rate) {}

    void start(const std::vector<BasicBatch<T>>& batches, int /*threads*/,
               bool /*beside*/) override {
        double loss = 0;
        for (const BasicBatch<T>& batch : batches)
            loss += plain::step(parts_, sizes_, weights_, biases_, batch.gather(), learning_rate_,
                                slopes_);
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
    plain::Gradients<T> slopes_{};
    std::deque<double> losses_;
};

// Batches that are trained on, or will be next, in the order in which they were given.
template <class T>
class Goes {
public:
    explicit Goes(std::shared_ptr<Training<T>> training) : training_(std::move(training)) {}

    void start(std::vector<BasicBatch<T>> batches, int threads, bool beside) {
        batches_.push_back(std::move(batches));
        training_->start(batches_.back(), threads, beside);
        ++running_;
        started_ += batches_.back().size();
    }
    void wait() {
        --running_;
        loss_ += training_->wait();
        done_ += batches_.front().size();
        batches_.pop_front();
    }
    // To be called in any case before these go: threads may still train.
    void finish() {
        while (running() > 0) wait();
        training_->finish();
    }

    bool is_done() const { return training_->is_done(); }  // wait would be back at once
    std::size_t running() const { return running_; }
    std::size_t started() const { return started_; }  // batches
    std::size_t done() const { return done_; }        // batches
    double loss() const { return loss_; }

private:
    std::shared_ptr<Training<T>> training_;
    std::deque<std::vector<BasicBatch<T>>> batches_;
    std::size_t running_ = 0, started_ = 0, done_ = 0;
    double loss_ = 0;
};

}  // namespace lanes::detail
