// What the given cells of the notebook 04b_pipelines train, measure and show. The student's
// classes and functions are what is trained and timed; the library's take their place only while
// an answer is missing, and this says so.
//
//   const lanes::SplitDataset data = lanes::load_mnist(lanes::MnistSplit::assignment_2);
//   const auto options_with = [](std::uint64_t seed) {
//       return lanes::TrainingOptions().batches_per_epoch(300).seed(seed);
//   };
//   lanes::PipelinesLesson lesson(data, {784, 128, 64, 10}, options_with, 15, 5);
//   lesson.train_plain();
//   lesson.train_augmented();
//   lesson.show_epochs();
#pragma once

#include "lanes/base/timer.hpp"
#include "lanes/lesson/answer_or.hpp"
#include "lanes/lesson/augmentation.hpp"
#include "lanes/lesson/pipelines.hpp"
#include "lanes/mlp/network.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

// What becomes of a grey image (all 0.5): the darkest and the brightest pixel that is not black,
// and the number of black ones, which came from outside the image.
struct Greys {
    float darkest = 1, brightest = 0;
    int black = 0;
};

class PipelinesLesson {
public:
    using OptionsWith = std::function<TrainingOptions(std::uint64_t seed)>;
    using AccuracyWith =
        std::function<double(const AugmentationBounds& bounds, std::uint64_t seed)>;
    using Schedule = std::function<AugmentationBounds(std::size_t epoch)>;

    // The data must outlive the lesson. Seeds are counted from 1.
    PipelinesLesson(const SplitDataset& data, Sizes sizes, OptionsWith options_with,
                    std::size_t epochs, std::uint64_t seeds);
    PipelinesLesson(const PipelinesLesson&) = delete;
    PipelinesLesson& operator=(const PipelinesLesson&) = delete;

    // The student's network, made as N(sizes, options) and trained by fit(training, epochs,
    // workers). The library's network is given workers of class W.
    template <class N, class W>
    void use_network() {
        library_ = [this](int workers, std::size_t epochs) {
            AugmentedNetwork network(sizes_, options_with_(1));
            network.use_worker<W>();
            network.set_num_workers(workers);
            network.print_epochs(false);
            network.fit(data_.train, epochs);
            return network.weights();
        };
        const auto own = [this](int workers, std::size_t epochs) {
            N network(sizes_, options_with_(1));
            network.print_epochs(false);
            network.fit(data_.train, epochs, workers);
            return network.weights();
        };
        trained_ = answer_or(own, library_);
    }
    // Two epochs with two workers: says whether both networks have the same weights.
    void compare_weights() const;

    // Times two epochs of the student's network with 1, n, 2n and 4n workers, and says whether the
    // weights are the same. Returns time with one worker / time with n.
    double show_workers(const std::function<int()>& num_workers);
    // The recorded table of lanes::show_workers_by_cores, of trainings with all epochs.
    void show_workers_by_cores(const std::string& recording) const;

    // The timelines of a whole epoch and of the student's prefetch. Returns the speed-up.
    double show_timeline(const Timeline::Process& process, const Prefetch& prefetch) const;

    // Times two epochs of each pipeline with n workers of class W, and with the library's.
    // process_name: what W calls, the heading of its times.
    template <class W>
    void show_pipelines(const std::function<int()>& num_workers, const std::string& process_name) {
        time_pipelines(num_workers, process_name,
                       [](AugmentedNetwork& network) { network.use_worker<W>(); });
    }

    // Networks on the given images, and on augmented ones with the default bounds: one per seed.
    void train_plain();
    void train_augmented();
    void show_epochs() const;         // accuracy of both by epoch
    double show_overfitting() const;  // returns the training accuracy of the first plain network

    // The student's accuracy_with, for workers of class W: one accuracy for each of three seeds.
    template <class W>
    std::vector<double> accuracies(const AccuracyWith& accuracy_with,
                                   const AugmentationBounds& bounds) const {
        const auto library = [this](const AugmentationBounds& given, std::uint64_t seed) {
            return spare::accuracy_with<W>(data_, sizes_, options_with_(seed), epochs_, given);
        };
        return of_three_seeds(answer_or(accuracy_with, library), bounds);
    }
    // Beside no bounds and the default ones.
    void show_bounds(const std::string& name, const AugmentationBounds& bounds,
                     const std::vector<double>& accuracies) const;

    // Of twenty images.
    static Greys greys(const ProcessImage& process, const AugmentationBounds& bounds);

    // Trains with the schedule, one network per seed, and shows it beside the default bounds.
    PairedDifference compare_schedule(const Schedule& schedule);

    // Accuracy of all networks on the test set. Says which ones are missing.
    void show_test() const;

private:
    static constexpr std::size_t timed_epochs = 2;
    using Trained = std::function<Weights<float>(int workers, std::size_t epochs)>;
    using Change = std::function<void(AugmentedNetwork&)>;

    double training_seconds();  // of two epochs without any image made; measured once
    double seconds_with(BatchPipeline pipeline, int workers, const Change& use_worker) const;
    void time_pipelines(const std::function<int()>& num_workers, const std::string& process_name,
                        const Change& use_worker);
    static std::vector<double> of_three_seeds(const AccuracyWith& accuracy_with,
                                              const AugmentationBounds& bounds);
    std::vector<AugmentedNetwork> augmented_networks(const char* name,
                                                     const Change& set_bounds) const;
    void require_trained(const char* operation) const;

    const SplitDataset& data_;
    Sizes sizes_;
    OptionsWith options_with_;
    std::size_t epochs_;
    std::uint64_t seeds_;
    Trained library_, trained_;
    std::optional<double> training_seconds_;
    std::vector<NeuralNetwork> plain_;
    std::vector<AugmentedNetwork> augmented_, scheduled_;
};

}  // namespace lanes
