// Validation of a network on several threads, each of which takes slices of the set until none is
// left. The thread that waits for the result helps.
#pragma once

#include "lanes/base/workers.hpp"
#include "mlp/fused/evaluator.hpp"
#include "mlp/fused/fused.hpp"
#include "mlp/fused/packed_set.hpp"
#include "mlp/fused/team.hpp"
#include "parallel/background.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <thread>

namespace lanes::fused {

template <class T>
class ParallelValidation : public Validation<T> {
public:
    // threads: for validations that are not in the background.
    ParallelValidation(Sizes sizes, const BasicDataset<T>& data, std::optional<int> threads)
        : sizes_(std::move(sizes)), data_(data), threads_(threads) {}
    ParallelValidation(const ParallelValidation&) = delete;
    ParallelValidation& operator=(const ParallelValidation&) = delete;
    ~ParallelValidation() override {
        if (thread_.joinable()) thread_.join();
    }

    void start(const Weights<T>& weights, const Biases<T>& biases,
               int background_threads) override {
        evaluator_ = std::make_unique<Evaluator<T>>(sizes_, weights, biases);
        next_slice_ = 0;
        correct_ = 0;
        is_running_ = true;
        if (background_threads == 0) return evaluate(threads_.value_or(0));
        thread_ = std::thread([this, background_threads] {
            work_in_background();
            evaluate(background_threads);
        });
    }

    bool is_running() const override { return is_running_; }

    double wait() override {
        if (is_packed_) take_slices();
        if (thread_.joinable()) thread_.join();
        is_running_ = false;
        if (problem_) std::rethrow_exception(problem_);
        return 100.0 * static_cast<double>(correct_) / static_cast<double>(set_->size());
    }

private:
    void evaluate(int threads) {
        try {
            if (!set_) set_ = std::make_unique<PackedSet<T>>(data_, threads);
            is_packed_ = true;
            const auto useful =
                std::clamp<std::size_t>(static_cast<std::size_t>(num_workers(threads)), 1,
                                        std::max<std::size_t>(1, set_->slices()));
            Team(static_cast<unsigned>(useful)).run([this](unsigned) { take_slices(); });
        } catch (...) {  // out of memory
            problem_ = std::current_exception();
        }
    }

    void take_slices() {
        auto activations = evaluator_->make_activations();
        std::size_t correct = 0;
        for (std::size_t s = next_slice_++; s < set_->slices(); s = next_slice_++)
            correct += evaluator_->count_correct(*set_, s, activations);
        correct_ += correct;
    }

    const Sizes sizes_;
    const BasicDataset<T>& data_;
    const std::optional<int> threads_;
    std::unique_ptr<PackedSet<T>> set_;   // made by the first validation
    std::atomic<bool> is_packed_{false};  // from then on wait() may read set_
    std::unique_ptr<Evaluator<T>> evaluator_;
    std::atomic<std::size_t> next_slice_{0};
    std::atomic<std::size_t> correct_{0};  // images
    std::thread thread_;
    bool is_running_ = false;
    std::exception_ptr problem_;
};

}  // namespace lanes::fused
