// The network of the assignments: sigmoid on every layer, half the squared error, gradients summed
// over the batch, plain gradient descent.
//
//   lanes::NeuralNetwork network({784, 128, 64, 10}, 0.1, 16, lanes::all_batches, 5);
//   network.fit(data.train, data.validation);   // prints "Epoch 1, accuracy 93.33 %." and so on
//   network.validate(data.test);                // 96.7 (per cent)
//
// Where nothing was plugged in, training runs as one fused step on all cores (src/nn/fused). With a
// matmul or another part of one's own it runs as the sheet writes it down (src/nn/plain_step.cpp);
// both give the same numbers but for rounding. Introduced in the notebook 01_mlp.
#pragma once

#include "lanes/nn/batch.hpp"
#include "lanes/nn/parts.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lanes {

// As number of batches: all images once an epoch, in a new order each time.
constexpr std::size_t all_batches = 0;

struct EpochReport {
    std::size_t epoch = 0;  // the first is 1
    double loss = 0;  // half the squared error of an image, mean over the epoch, while training
    double accuracy = -1;  // per cent of the validation set; -1 where none was given
    double seconds = 0;    // of training, without validation
};

struct TrainingProgress {
    std::size_t epoch, epochs, batches_done, batches;  // the first epoch is 1
};

namespace detail {
template <class T>
class Training;
}

template <class T>
class BasicNeuralNetwork {
public:
    using Array = xt::xtensor<T, 2>;
    using Data = BasicDataset<T>;
    using Parts = BasicNetworkParts<T>;

    // number_of_batches: how many an epoch, each drawn at random without repeats inside; or
    // all_batches. The matmul is the library's where it is empty.
    explicit BasicNeuralNetwork(Sizes sizes, double learning_rate = 1.0,
                                std::size_t batch_size = 16, std::size_t number_of_batches = 16,
                                std::size_t epochs = 10, BasicMatmul<T> matmul = {},
                                std::uint64_t seed = 0);
    virtual ~BasicNeuralNetwork() = default;

    // Takes these parts from now on and draws the first weights again, from the same seed. A matmul
    // given before stays where `parts` has none.
    void use(Parts parts);
    const Parts& parts() const { return parts_; }

    // No line is printed without a validation set. Fitting again goes on from the weights that are
    // there.
    virtual void fit(const Data& training, const Data& validation = {});

    // The batches of one epoch. They may refer to `training`.
    virtual std::vector<BasicBatch<T>> create_batches(const Data& training);

    Array predict(const Array& x) const;  // x: (images, sizes.front()) -> (images, sizes.back())
    double validate(
        const Data& data) const;  // per cent of images whose largest output is that of the label

    const Sizes& sizes() const { return sizes_; }
    const Weights<T>& weights() const { return weights_; }
    const Biases<T>& biases() const { return biases_; }
    void set_weights(Weights<T> weights, Biases<T> biases);
    const std::vector<EpochReport>& history() const { return history_; }  // of the last fit
    // Whether the weights were drawn by the parts that are in use and have been changed by nothing
    // but fit.
    bool is_from_scratch() const { return from_scratch_; }

    // weights_0.npy, biases_0.npy, … in a folder, which is made; NumPy reads them, too.
    void save(const std::string& folder) const;
    void load(const std::string& folder);

    void on_epoch(std::function<void(const EpochReport&)> call) { on_epoch_ = std::move(call); }
    void on_progress(std::function<void(const TrainingProgress&)> call) {
        on_progress_ = std::move(call);
    }  // about twenty times an epoch
    void print_epochs(bool print) { print_epochs_ = print; }
    void use_threads(int threads) { threads_ = threads; }  // 0: as num_workers() says

    std::size_t batch_size() const { return batch_size_; }
    std::size_t number_of_batches() const { return number_of_batches_; }
    std::size_t epochs() const { return epochs_; }
    double learning_rate() const { return learning_rate_; }

protected:
    Rng& rng() { return rng_; }  // of the order of the images
    std::uint64_t seed() const { return seed_; }
    bool prints_epochs() const { return print_epochs_; }

    // One epoch; gives the mean loss. Here: create_batches, then train.
    virtual double train_epoch(const Data& training, std::size_t epoch);

    // On how many threads an epoch is validated while the next one is trained: each line then comes
    // at the end of the next epoch. 0: training waits for it.
    virtual int threads_behind() const { return 0; }

    // Steps over `count` batches as they come: next(done) gives the batches that follow the first
    // `done`, at least one of them. threads: as for use_threads, which counts where it was called.
    //
    // meanwhile(is_done), if given, is called while threads of their own take the fused steps, the
    // caller's is not among them; it comes back when it has nothing to do, or once is_done() says
    // that the batches of a go are through. The next ones are asked for before that.
    using NextBatches = std::function<std::vector<BasicBatch<T>>(std::size_t done)>;
    using Meanwhile = std::function<void(const std::function<bool()>& is_done)>;
    double train(std::size_t count, const NextBatches& next, std::size_t epoch, int threads = 0,
                 const Meanwhile& meanwhile = {});

private:
    std::shared_ptr<detail::Training<T>> new_training();
    bool fused() const;
    void require_fits(const char* operation, const Data& data) const;

    Sizes sizes_;
    double learning_rate_;
    std::size_t batch_size_, number_of_batches_, epochs_;
    std::uint64_t seed_;
    Rng rng_;
    Parts parts_;
    Weights<T> weights_;
    Biases<T> biases_;
    std::vector<EpochReport> history_;
    bool from_scratch_ = true;
    std::function<void(const EpochReport&)> on_epoch_;
    std::function<void(const TrainingProgress&)> on_progress_;
    bool print_epochs_ = true;
    int threads_ = 0;

    // While fit runs: it has the weights in a form of its own. It belongs to this network; a copy
    // that is made meanwhile has none.
    struct Current {
        Current() = default;
        Current(const Current&) noexcept {}
        Current& operator=(const Current& other) noexcept {
            if (this != &other) training.reset();
            return *this;
        }
        ~Current() = default;
        std::shared_ptr<detail::Training<T>> training;
    };
    Current current_;
};

using NeuralNetwork = BasicNeuralNetwork<float>;
extern template class BasicNeuralNetwork<float>;
extern template class BasicNeuralNetwork<double>;

// The line after each epoch: "Epoch 3, accuracy 73.39 %."
std::string epoch_line(const EpochReport& report);

}  // namespace lanes
