#include "mlp/training.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/base/timer.hpp"

#include <array>
#include <cstdio>
#include <iostream>

namespace lanes {

std::string epoch_line(const EpochReport& report) {
    std::array<char, 80> text{};
    if (report.accuracy)
        std::snprintf(text.data(), text.size(), "Epoch %zu, accuracy %.2f %%.", report.epoch,
                      100 * *report.accuracy);
    else
        std::snprintf(text.data(), text.size(), "Epoch %zu, loss %.4f.", report.epoch, report.loss);
    return text.data();
}

namespace detail {

template <class T>
Training<T>::Training(Network& network, const Data& training, const Data& validation,
                      std::size_t epochs)
    : network_(network),
      validation_(validation),
      epochs_(epochs),
      source_(network.make_batch_source(training, epochs,
                                        validation.size() > 0 && network.print_epochs_)),
      fast_(network.sizes_.size() - 1) {}

template <class T>
void Training<T>::run() {
    network_.history_.clear();
    for (std::size_t epoch = 1; epoch <= epochs_; ++epoch) {
        const Timer timer;
        EpochReport report;
        report.epoch = epoch;
        report.loss = train_epoch(epoch);
        report.seconds = timer.seconds();
        if (validation_.size() > 0) report.accuracy = network_.accuracy(validation_);
        network_.history_.push_back(report);
        if (report.accuracy && network_.print_epochs_)
            std::cout << epoch_line(report) << '\n' << std::flush;
        if (network_.on_epoch_) network_.on_epoch_(report);
    }
}

template <class T>
double Training<T>::train_epoch(std::size_t epoch) {
    const BasicNetworkParts<T> parts = plain::with_defaults(network_.parts_);
    const std::size_t count = source_->start_epoch(epoch);
    std::size_t images = 0;
    std::size_t reported = 0;  // batches
    double loss = 0;
    for (std::size_t done = 1; done <= count; ++done) {
        const BasicBatch<T> batch = source_->next();
        loss += train_batch(parts, batch);
        images += batch.size();
        if (interrupted())
            throw Error(
                "NeuralNetwork::fit: interrupted. The weights are those of the last batch.");
        if (network_.on_progress_ && (done == count || 20 * (done - reported) >= count)) {
            reported = done;
            network_.on_progress_({epoch, epochs_, done, count});
        }
    }
    return images == 0 ? 0 : loss / static_cast<double>(images);
}

template <class T>
double Training<T>::train_batch(const BasicNetworkParts<T>& parts, const BasicBatch<T>& batch) {
    const Sizes& sizes = network_.sizes_;
    LANES_REQUIRE(batch.pixels() == sizes.front() && batch.classes() == sizes.back(),
                  "NeuralNetwork::fit: a batch of images with ", batch.pixels(), " pixels and ",
                  batch.classes(), " classes for a network of sizes ", sizes,
                  ". Check create_batches.");
    const T rate = static_cast<T>(network_.options_.learning_rate());
    if (network_.uses_fast_step())
        return fast_.train(batch, rate, network_.weights_, network_.biases_);
    return plain::step(parts, sizes, network_.weights_, network_.biases_, batch.gather(), rate,
                       gradients_);
}

template class Training<float>;
template class Training<double>;

}  // namespace detail

}  // namespace lanes
