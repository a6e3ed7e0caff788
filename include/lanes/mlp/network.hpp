// The network of the assignments: layers with sigmoid activation, half the squared error as loss,
// plain gradient descent. Introduced in the notebook 01a_training. A complete training:
//
//   #include "lanes/data.hpp"
//   #include <iostream>
//   const auto data = lanes::load_mnist();  // 50,000 images for training, 10,000 for validation
//   lanes::TrainingOptions options;
//   options.learning_rate(0.1).batch_size(16);
//   lanes::NeuralNetwork network({784, 128, 64, 10}, options);
//   network.fit(data.train, data.validation, 5);  // 5 epochs; prints "Epoch 1, accuracy 93.33 %."
//   std::cout << 100 * network.accuracy(data.test) << " % of the test images\n";
//   const lanes::Matrix y_hat = network.predict(data.test.x);  // (10000, 10)
//   network.save("my_network");
//
// The functions that a network is made of can be replaced (lanes/mlp/parts.hpp). Training then runs
// step by step as in src/mlp/plain_step.cpp. Without replaced parts it runs in a faster form
// (src/mlp/fast_step.cpp). Both compute the same numbers, apart from rounding.
#pragma once

#include "lanes/mlp/batch.hpp"
#include "lanes/mlp/parts.hpp"
#include "lanes/mlp/training.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lanes {

namespace detail {
template <class T>
class BatchSource;
template <class T>
class Training;
}  // namespace detail

template <class T>
class BasicNeuralNetwork {
public:
    using Array = xt::xtensor<T, 2>;
    using Data = BasicDataset<T>;
    using Parts = BasicNetworkParts<T>;

    // sizes: neurons per layer, from the input (pixels) to the output (classes).
    explicit BasicNeuralNetwork(Sizes sizes, TrainingOptions options = {}, Parts parts = {});
    virtual ~BasicNeuralNetwork() = default;

    // Replaces all parts and draws the first weights again, from the same seed.
    void use(Parts parts);
    const Parts& parts() const { return parts_; }

    // Trains for some epochs, starting from the current weights: a second fit continues the first.
    // With a validation set its accuracy is computed and printed after each epoch.
    void fit(const Data& training, std::size_t epochs = 10);
    void fit(const Data& training, const Data& validation, std::size_t epochs = 10);

    // The batches of one epoch, called by fit. They may refer to `training`, which must outlive
    // them. A derived class may make other batches.
    virtual std::vector<BasicBatch<T>> create_batches(const Data& training);

    // x: (images, sizes.front()) -> (images, sizes.back())
    Array predict(const Array& x) const;

    // Share of the images whose largest output is at the place of their label, 0 to 1.
    double accuracy(const Data& data) const;

    const Sizes& sizes() const { return sizes_; }
    const TrainingOptions& options() const { return options_; }
    const Weights<T>& weights() const { return weights_; }
    const Biases<T>& biases() const { return biases_; }
    void set_weights(Weights<T> weights, Biases<T> biases);
    const std::vector<EpochReport>& history() const { return history_; }  // of the last fit

    // True if the weights were drawn by the current parts and have been changed by fit only.
    bool is_from_scratch() const { return from_scratch_; }

    // weights_0.npy, biases_0.npy, … in a folder, which is created; NumPy reads them, too. save
    // replaces a network that was saved there before, also its further layers; if it throws Error
    // because the disk is full, that network is still there.
    void save(const std::string& folder) const;
    void load(const std::string& folder);

    void on_epoch(std::function<void(const EpochReport&)> call) { on_epoch_ = std::move(call); }

    // Called about twenty times per epoch.
    void on_progress(std::function<void(const TrainingProgress&)> call) {
        on_progress_ = std::move(call);
    }

    void print_epochs(bool print) { print_epochs_ = print; }

private:
    friend class detail::Training<T>;

    // Where fit gets its batches from; by default from create_batches (src/mlp/batch_source.hpp).
    // print: fit prints a line per epoch.
    virtual std::unique_ptr<detail::BatchSource<T>> make_batch_source(const Data& training,
                                                                      std::size_t epochs,
                                                                      bool print);
    bool uses_fast_step() const;
    void require_fits(const char* operation, const Data& data) const;

    Sizes sizes_;
    TrainingOptions options_;
    Rng rng_;  // of the order of the images
    Parts parts_;
    Weights<T> weights_;
    Biases<T> biases_;
    std::vector<EpochReport> history_;
    bool from_scratch_ = true;
    std::function<void(const EpochReport&)> on_epoch_;
    std::function<void(const TrainingProgress&)> on_progress_;
    bool print_epochs_ = true;
};

using NeuralNetwork = BasicNeuralNetwork<float>;
extern template class BasicNeuralNetwork<float>;
extern template class BasicNeuralNetwork<double>;

}  // namespace lanes
