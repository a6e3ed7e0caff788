#include "lanes/nn/network.hpp"

#include "fused/examiner.hpp"
#include "fused/trainer.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/base/workers.hpp"
#include "lanes/parallel/background.hpp"
#include "plain_step.hpp"
#include "training.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <numeric>
#include <thread>

namespace lanes {

namespace {

template <class T>
void require_shapes(const char* operation, const Sizes& sizes, const Weights<T>& weights,
                    const Biases<T>& biases) {
    const std::size_t layers = sizes.size() - 1;
    LANES_REQUIRE(weights.size() == layers && biases.size() == layers, operation, ": ",
                  weights.size(), " arrays of weights and ", biases.size(),
                  " of biases for a network of sizes ", sizes, ". Give ", layers, " of each.");
    for (std::size_t i = 0; i < layers; ++i) {
        LANES_REQUIRE(weights[i].shape(0) == sizes[i] && weights[i].shape(1) == sizes[i + 1],
                      operation, ": weights ", i, " have shape ", weights[i].shape(),
                      ", expected (", sizes[i], ", ", sizes[i + 1], ") in a network of sizes ",
                      sizes, ".");
        LANES_REQUIRE(biases[i].shape(0) == sizes[i + 1], operation, ": biases ", i, " have shape ",
                      biases[i].shape(), ", expected (", sizes[i + 1], ") in a network of sizes ",
                      sizes, ".");
    }
}

// The validation of a network after each epoch, of which the set is packed once; on threads of its
// own, where the next epoch shall not wait for it. Whoever waits for the result helps.
template <class T>
class Examination {
public:
    Examination(const BasicDataset<T>& data, int threads) : data_(data), threads_(threads) {}
    Examination(const Examination&) = delete;
    Examination& operator=(const Examination&) = delete;
    ~Examination() {
        if (thread_.joinable()) thread_.join();
    }

    // The weights are those that the examiner has.
    void start(fused::Examiner<T> examiner, int threads_behind) {
        examiner_ = std::make_unique<fused::Examiner<T>>(std::move(examiner));
        next_ = right_ = 0;
        runs_ = true;
        if (threads_behind == 0) return work(threads_);
        thread_ = std::thread([this, threads_behind] {
            work_in_background();
            work(threads_behind);
        });
    }

    bool runs() const { return runs_; }  // start was called, and wait was not

    double wait() {
        if (packed_) examine_some();
        if (thread_.joinable()) thread_.join();
        runs_ = false;
        if (problem_) std::rethrow_exception(problem_);
        return 100.0 * static_cast<double>(right_) / static_cast<double>(set_->size());
    }

private:
    void work(int threads) {
        try {
            if (!set_) set_ = std::make_unique<fused::PackedSet<T>>(data_, threads);
            packed_ = true;
            const auto parts =
                std::clamp<std::size_t>(static_cast<std::size_t>(num_workers(threads)), 1,
                                        std::max<std::size_t>(1, set_->slices()));
            fused::Team(static_cast<unsigned>(parts)).run([this](unsigned) { examine_some(); });
        } catch (...) {  // no memory
            problem_ = std::current_exception();
        }
    }

    // Slices that nobody has taken yet, one after another.
    void examine_some() {
        auto activations = examiner_->room();
        std::size_t right = 0;
        for (std::size_t s = next_++; s < set_->slices(); s = next_++)
            right += examiner_->right(*set_, s, activations);
        right_ += right;
    }

    const BasicDataset<T>& data_;
    int threads_;
    std::unique_ptr<fused::PackedSet<T>> set_;
    std::atomic<bool> packed_{false};  // set_ may be looked at by others than the thread
    std::unique_ptr<fused::Examiner<T>> examiner_;
    std::atomic<std::size_t> next_{0}, right_{0};  // slices, images
    std::thread thread_;
    bool runs_ = false;
    std::exception_ptr problem_;
};

}  // namespace

std::string epoch_line(const EpochReport& report) {
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "Epoch %zu, accuracy %.2f %%.", report.epoch,
                  report.accuracy);
    return text.data();
}

template <class T>
BasicNeuralNetwork<T>::BasicNeuralNetwork(Sizes sizes, double learning_rate, std::size_t batch_size,
                                          std::size_t number_of_batches, std::size_t epochs,
                                          BasicMatmul<T> matmul, std::uint64_t seed)
    : sizes_(std::move(sizes)),
      learning_rate_(learning_rate),
      batch_size_(batch_size),
      number_of_batches_(number_of_batches),
      epochs_(epochs),
      seed_(seed),
      rng_(Rng(seed).split(1)) {
    LANES_REQUIRE(batch_size_ > 0, "NeuralNetwork: batches of 0 images. Give at least 1.");
    LANES_REQUIRE(learning_rate_ > 0 && learning_rate_ < 1e6, "NeuralNetwork: learning rate ",
                  learning_rate_, ". Give a number above 0, such as 0.1.");
    parts_.matmul = std::move(matmul);
    use({});
}

template <class T>
void BasicNeuralNetwork<T>::use(Parts parts) {
    if (!parts.matmul) parts.matmul = parts_.matmul;
    const Parts all = plain::with_defaults(parts);
    Rng rng = Rng(seed_).split(0);
    Weights<T> weights = all.random_weights(sizes_, rng);
    Biases<T> biases = all.zeros_biases(sizes_);
    require_shapes("NeuralNetwork", sizes_, weights, biases);
    parts_ = std::move(parts);
    weights_ = std::move(weights);
    biases_ = std::move(biases);
    history_.clear();
    from_scratch_ = true;
    current_.training.reset();
}

template <class T>
bool BasicNeuralNetwork<T>::fused() const {
    return !parts_.matmul && !parts_.sigmoid && !parts_.sigmoid_prime && !parts_.zeros_weights &&
           !parts_.zeros_biases && !parts_.add_elementwise;
}

template <class T>
void BasicNeuralNetwork<T>::require_fits(const char* operation, const Data& data) const {
    LANES_REQUIRE(data.x.shape(0) == data.y.shape(0), operation, ": ", data.x.shape(0),
                  " images but ", data.y.shape(0), " labels. Give one label for each image.");
    LANES_REQUIRE(data.x.shape(1) == sizes_.front() && data.y.shape(1) == sizes_.back(), operation,
                  ": images ", data.x.shape(), " and labels ", data.y.shape(),
                  " for a network of sizes ", sizes_, ". Images need ", sizes_.front(),
                  " columns, labels ", sizes_.back(), ".");
}

template <class T>
std::vector<BasicBatch<T>> BasicNeuralNetwork<T>::create_batches(const Data& training) {
    const std::size_t count = training.size();
    std::vector<BasicBatch<T>> batches;
    if (number_of_batches_ == all_batches && parts_.create_batches) {
        const Data shuffled = rows_of(training, rng_.permutation(count));
        for (Data& batch : parts_.create_batches(shuffled.x, shuffled.y, batch_size_)) {
            require_fits("NeuralNetwork::create_batches", batch);
            batches.emplace_back(std::move(batch));
        }
        return batches;
    }
    if (number_of_batches_ == all_batches) {
        const std::vector<std::size_t> order = rng_.permutation(count);
        for (std::size_t first = 0; first < count; first += batch_size_)
            batches.emplace_back(training, std::vector<std::size_t>(
                                               order.begin() + static_cast<std::ptrdiff_t>(first),
                                               order.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                   count, first + batch_size_))));
        return batches;
    }
    LANES_REQUIRE(batch_size_ <= count, "NeuralNetwork::create_batches: batches of ", batch_size_,
                  " different images from ", count, ". Take smaller batches or more images.");
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t number = 0; number < number_of_batches_; ++number) {
        for (std::size_t i = 0; i < batch_size_;
             ++i)  // the beginning of a shuffle: different images, all equally likely
            std::swap(order[i],
                      order[static_cast<std::size_t>(rng_.integer(
                          static_cast<std::int64_t>(i), static_cast<std::int64_t>(count) - 1))]);
        batches.emplace_back(
            training, std::vector<std::size_t>(
                          order.begin(), order.begin() + static_cast<std::ptrdiff_t>(batch_size_)));
    }
    return batches;
}

template <class T>
double BasicNeuralNetwork<T>::train_epoch(const Data& training, std::size_t epoch) {
    std::vector<BasicBatch<T>> batches = create_batches(training);
    // The interrupt button is looked at between two goes; a long epoch goes in one, because only
    // then numbers of threads are tried out.
    const std::size_t count = batches.size(), most = on_progress_ ? (count + 19) / 20
                                                     : count <= 800
                                                         ? std::min<std::size_t>(count, 100)
                                                         : count;
    return train(
        count,
        [&](std::size_t done) {
            if (most == count) return std::move(batches);
            const auto first = batches.begin() + static_cast<std::ptrdiff_t>(done);
            return std::vector<BasicBatch<T>>(
                first, first + static_cast<std::ptrdiff_t>(std::min(most, count - done)));
        },
        epoch);
}

template <class T>
std::shared_ptr<detail::Training<T>> BasicNeuralNetwork<T>::new_training() {
    const T rate = static_cast<T>(learning_rate_);
    if (fused()) return std::make_shared<detail::FusedTraining<T>>(sizes_, weights_, biases_, rate);
    return std::make_shared<detail::PlainTraining<T>>(parts_, sizes_, weights_, biases_, rate);
}

template <class T>
double BasicNeuralNetwork<T>::train(std::size_t count, const NextBatches& next, std::size_t epoch,
                                    int threads, const Meanwhile& meanwhile) {
    detail::Goes<T> goes(current_.training ? current_.training : new_training());
    const bool beside = meanwhile && fused();
    const std::size_t at_once = beside ? 2 : 1;
    std::size_t images = 0, told = 0;
    const auto checked = [&](std::vector<BasicBatch<T>> batches) {
        for (const BasicBatch<T>& batch : batches) {
            LANES_REQUIRE(batch.pixels() == sizes_.front() && batch.classes() == sizes_.back(),
                          "NeuralNetwork::fit: a batch of images with ", batch.pixels(),
                          " pixels and ", batch.classes(), " classes for a network of sizes ",
                          sizes_, ". Check create_batches.");
            images += batch.size();
        }
        return batches;
    };
    try {
        while (goes.done() < count) {
            while (goes.started() < count && goes.running() < at_once)
                goes.start(checked(next(goes.started())), threads_ > 0 ? threads_ : threads,
                           beside);
            if (beside) meanwhile([&] { return goes.is_done(); });
            goes.wait();
            if (interrupted())
                throw Error(
                    "NeuralNetwork::fit: interrupted. The weights are those of the last batch.");
            if (on_progress_ && (goes.done() == count || 20 * (goes.done() - told) >= count)) {
                told = goes.done();
                on_progress_({epoch, epochs_, goes.done(), count});
            }
        }
    } catch (...) {
        goes.finish();
        throw;
    }
    goes.finish();
    return images == 0 ? 0 : goes.loss() / static_cast<double>(images);
}

template <class T>
void BasicNeuralNetwork<T>::fit(const Data& training, const Data& validation) {
    require_fits("NeuralNetwork::fit", training);
    LANES_REQUIRE(training.size() > 0, "NeuralNetwork::fit: no images. Give at least one.");
    const bool validates = validation.x.size() > 0 || validation.y.size() > 0;
    if (validates) require_fits("NeuralNetwork::fit, validation", validation);
    const bool often = validates && fused() && epochs_ > 1;
    const int behind = often && !on_epoch_ ? threads_behind() : 0;
    Examination<T> examination(validation, threads_);
    const auto tell = [&](EpochReport report, double accuracy) {
        report.accuracy = accuracy;
        history_.push_back(report);
        if (validates && print_epochs_) std::cout << epoch_line(report) << '\n' << std::flush;
        if (on_epoch_) on_epoch_(report);
    };
    EpochReport last;  // whose validation runs behind
    const auto tell_last = [&] {
        if (examination.runs()) tell(last, examination.wait());
    };
    history_.clear();
    struct End {
        std::shared_ptr<detail::Training<T>>& training;
        ~End() { training.reset(); }
    } const end{current_.training};
    for (std::size_t epoch = 1; epoch <= epochs_; ++epoch) {
        if (!current_.training) current_.training = new_training();
        const Timer timer;
        EpochReport report;
        report.epoch = epoch;
        try {
            report.loss = train_epoch(training, epoch);
        } catch (...) {
            tell_last();
            throw;
        }
        report.seconds = timer.seconds();
        tell_last();
        if (!often) {
            tell(report, validates ? validate(validation) : report.accuracy);
            continue;
        }
        const bool beside =
            behind > 0 && epoch < epochs_;  // behind the last epoch nothing else is to be done
        examination.start({sizes_, weights_, biases_}, beside ? behind : 0);
        last = report;
        if (!beside) tell_last();
    }
    tell_last();
}

template <class T>
typename BasicNeuralNetwork<T>::Array BasicNeuralNetwork<T>::predict(const Array& x) const {
    LANES_REQUIRE(x.shape(1) == sizes_.front(), "NeuralNetwork::predict: images ", x.shape(),
                  " for a network of sizes ", sizes_, ". They need ", sizes_.front(), " columns.");
    if (fused()) return fused::Trainer<T>(sizes_, weights_, biases_).predict(x, threads_);
    return plain::forward(plain::with_defaults(parts_), weights_, biases_, x);
}

template <class T>
double BasicNeuralNetwork<T>::validate(const Data& data) const {
    require_fits("NeuralNetwork::validate", data);
    LANES_REQUIRE(data.size() > 0, "NeuralNetwork::validate: no images. Give at least one.");
    const Array y_hat = predict(data.x);
    const std::size_t classes = sizes_.back();
    std::size_t right = 0;
    for (std::size_t i = 0; i < data.size(); ++i)
        right += fused::largest(y_hat.data() + i * classes, classes) ==
                 fused::largest(data.y.data() + i * classes, classes);
    return 100.0 * static_cast<double>(right) / static_cast<double>(data.size());
}

template <class T>
void BasicNeuralNetwork<T>::set_weights(Weights<T> weights, Biases<T> biases) {
    require_shapes("NeuralNetwork::set_weights", sizes_, weights, biases);
    weights_ = std::move(weights);
    biases_ = std::move(biases);
    history_.clear();
    from_scratch_ = false;
    current_.training.reset();
}

template class BasicNeuralNetwork<float>;
template class BasicNeuralNetwork<double>;

}  // namespace lanes
