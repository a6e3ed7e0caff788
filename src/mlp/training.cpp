#include "mlp/training.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/base/timer.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <iostream>
#include <utility>

namespace lanes {

std::string epoch_line(const EpochReport& report) {
    std::array<char, 80> text{};
    if (report.accuracy)
        std::snprintf(text.data(), text.size(), "Epoch %zu, accuracy %.2f %%.", report.epoch,
                      *report.accuracy);
    else
        std::snprintf(text.data(), text.size(), "Epoch %zu, loss %.4f.", report.epoch, report.loss);
    return text.data();
}

namespace detail {

std::uint64_t next_weights_version() {
    static std::atomic<std::uint64_t> version{0};
    return ++version;
}

template <class T>
Training<T>::Training(Network& network, const Data& training, const Data& validation,
                      std::size_t epochs)
    : network_(network),
      validation_(validation),
      epochs_(epochs),
      source_(network.make_batch_source(training, epochs,
                                        validation.size() > 0 && network.print_epochs_)) {
    if (validation.size() == 0 || !network.uses_fused_step() || epochs < 2) return;
    fused_validation_ = fused::make_network(network.sizes_, network.weights_, network.biases_)
                            ->make_validation(validation, network.options_.threads);
    // on_epoch must see the network as it was after the epoch: then training waits.
    if (!network.on_epoch_) validation_threads_ = source_->validation_threads();
}

template <class T>
void Training<T>::run() {
    network_.history_.clear();
    for (std::size_t epoch = 1; epoch <= epochs_; ++epoch) {
        const Timer timer;
        EpochReport report;
        report.epoch = epoch;
        try {
            report.loss = train_epoch(epoch);
        } catch (...) {
            finish_validation();
            throw;
        }
        report.seconds = timer.seconds();
        finish_validation();
        validate(report);
    }
    finish_validation();
}

template <class T>
void Training<T>::validate(const EpochReport& report) {
    if (!fused_validation_) {
        this->report(report, validation_.size() > 0
                                 ? std::optional<double>(network_.accuracy(validation_))
                                 : std::nullopt);
        return;
    }
    // After the last epoch there is nothing else to do meanwhile.
    const bool in_background = validation_threads_ > 0 && report.epoch < epochs_;
    being_validated_ = report;
    fused_validation_->start(network_.weights_, network_.biases_,
                             in_background ? validation_threads_ : 0);
    if (!in_background) finish_validation();
}

template <class T>
void Training<T>::finish_validation() {
    if (fused_validation_ && fused_validation_->is_running())
        report(being_validated_, fused_validation_->wait());
}

template <class T>
void Training<T>::report(EpochReport report, std::optional<double> accuracy) {
    report.accuracy = accuracy;
    network_.history_.push_back(report);
    if (accuracy && network_.print_epochs_) std::cout << epoch_line(report) << '\n' << std::flush;
    if (network_.on_epoch_) network_.on_epoch_(report);
}

template <class T>
void Training<T>::make_steps() {
    if (steps_ && version_of_steps_ == network_.weights_version_) return;
    const T rate = static_cast<T>(network_.options_.learning_rate);
    steps_.reset();
    if (network_.uses_fused_step())
        steps_ = std::make_unique<FusedSteps<T>>(network_.sizes_, network_.weights_,
                                                 network_.biases_, rate);
    else
        steps_ = std::make_unique<PlainSteps<T>>(network_.parts_, network_.sizes_,
                                                 network_.weights_, network_.biases_, rate);
}

template <class T>
double Training<T>::train_epoch(std::size_t epoch) {
    make_steps();
    BatchGroups<T> groups(*steps_);
    const auto finish = [&] {
        groups.finish();
        version_of_steps_ = network_.weights_version_ = next_weights_version();
    };
    images_ = 0;
    try {
        train_batches(groups, epoch, source_->start_epoch(epoch));
    } catch (...) {
        finish();
        throw;
    }
    finish();
    return images_ == 0 ? 0 : groups.loss() / static_cast<double>(images_);
}

template <class T>
void Training<T>::train_batches(BatchGroups<T>& groups, std::size_t epoch, std::size_t count) {
    const bool async = source_->is_async() && network_.uses_fused_step();
    const std::size_t most_running = async ? 2 : 1;
    const std::optional<int> threads =
        network_.options_.threads ? network_.options_.threads : source_->training_threads();
    std::size_t reported = 0;  // batches
    while (groups.batches_done() < count) {
        while (groups.batches_started() < count && groups.running() < most_running)
            groups.start(next_batches(groups.batches_started(), count), threads, async);
        if (async) source_->on_wait([&] { return groups.is_done(); });
        groups.wait();
        if (interrupted())
            throw Error(
                "NeuralNetwork::fit: interrupted. The weights are those of the last batch.");
        const std::size_t done = groups.batches_done();
        if (network_.on_progress_ && (done == count || 20 * (done - reported) >= count)) {
            reported = done;
            network_.on_progress_({epoch, epochs_, done, count});
        }
    }
}

template <class T>
std::vector<BasicBatch<T>> Training<T>::next_batches(std::size_t first, std::size_t count) {
    const std::size_t preferred = network_.on_progress_ ? (count + 19) / 20 : count;
    std::vector<BasicBatch<T>> batches = source_->next(first, preferred);
    const Sizes& sizes = network_.sizes_;
    for (const BasicBatch<T>& batch : batches) {
        LANES_REQUIRE(batch.pixels() == sizes.front() && batch.classes() == sizes.back(),
                      "NeuralNetwork::fit: a batch of images with ", batch.pixels(), " pixels and ",
                      batch.classes(), " classes for a network of sizes ", sizes,
                      ". Check create_batches.");
        images_ += batch.size();
    }
    return batches;
}

template class Training<float>;
template class Training<double>;

}  // namespace detail

}  // namespace lanes
