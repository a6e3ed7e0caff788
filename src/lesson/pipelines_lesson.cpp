#include "lanes/lesson/pipelines_lesson.hpp"

#include "lanes/base/error.hpp"
#include "lanes/notebook/progress.hpp"

#include <algorithm>
#include <iostream>
#include <utility>

namespace lanes {

namespace {

// On the validation set, after the last epoch.
template <class Network>
std::vector<double> last_accuracies(const std::vector<Network>& networks) {
    std::vector<double> found;
    found.reserve(networks.size());
    for (const Network& network : networks)
        // NOLINTNEXTLINE(bugprone-unchecked-optional-access): all had a validation set
        found.push_back(*network.history().back().accuracy);
    return found;
}

std::string title_of(std::size_t epochs, std::uint64_t seeds) {
    return "accuracy after " + std::to_string(epochs) + " epochs, mean ± standard deviation of " +
           (seeds == 5 ? "five" : std::to_string(seeds)) + " seeds";
}

}  // namespace

PipelinesLesson::PipelinesLesson(const SplitDataset& data, Sizes sizes, OptionsWith options_with,
                                 std::size_t epochs, std::uint64_t seeds)
    : data_(data),
      sizes_(std::move(sizes)),
      options_with_(std::move(options_with)),
      epochs_(epochs),
      seeds_(seeds) {}

void PipelinesLesson::compare_weights() const {
    LANES_REQUIRE(trained_, "compare_weights: there is no network. Call use_network first.");
    std::cout << (trained_(2, timed_epochs) == library_(2, timed_epochs) ? "the same" : "other")
              << " weights\n";
}

double PipelinesLesson::training_seconds() {
    if (!training_seconds_)
        training_seconds_ = seconds_per_call(1, [&] {
            NeuralNetwork network(sizes_, options_with_(1));
            network.print_epochs(false);
            network.fit(data_.train, timed_epochs);
        });
    return *training_seconds_;
}

double PipelinesLesson::show_workers(const std::function<int()>& num_workers) {
    LANES_REQUIRE(trained_, "show_workers: there is no network. Call use_network first.");
    const int n = answer_or(num_workers, spare::num_workers)();
    const Weights<float> with_one = trained_(1, timed_epochs);
    bool all_equal = true;
    const double gain = lanes::show_workers(n, training_seconds(), [&](int workers) {
        return seconds_per_call(
            1, [&] { all_equal = trained_(workers, timed_epochs) == with_one && all_equal; });
    });
    std::cout << (all_equal ? "equal" : "different") << " weights, for all numbers of workers\n";
    return gain;
}

void PipelinesLesson::show_workers_by_cores(const std::string& recording) const {
    LANES_REQUIRE(trained_, "show_workers_by_cores: there is no network. Call use_network first.");
    lanes::show_workers_by_cores(recording, [&](int workers) {
        return seconds_per_call(1, [&] { trained_(workers, epochs_); });
    });
}

double PipelinesLesson::show_timeline(const Timeline::Process& process,
                                      const Prefetch& prefetch) const {
    Timeline timeline(data_.train, sizes_, options_with_(1), process);
    timeline.record("Whole epoch: first make, then train", 0, spare::whole_epoch);
    timeline.record("Your prefetch, 8 jobs ahead", 8, prefetch);
    timeline.show();
    return timeline.milliseconds(0) / timeline.milliseconds(1);
}

double PipelinesLesson::seconds_with(BatchPipeline pipeline, int workers,
                                     const Change& use_worker) const {
    return seconds_per_call(1, [&] {
        AugmentedNetwork network(sizes_, options_with_(1));
        use_worker(network);
        network.set_pipeline(pipeline);
        network.set_num_workers(workers);
        network.print_epochs(false);
        network.fit(data_.train, timed_epochs);
    });
}

void PipelinesLesson::time_pipelines(const std::function<int()>& num_workers,
                                     const std::string& process_name, const Change& use_worker) {
    const int n = answer_or(num_workers, spare::num_workers)();
    const Change librarys = [](AugmentedNetwork& network) { network.use_worker<Worker>(); };
    std::vector<PipelineTime> times;
    Progress progress("timing, pipeline", 4);
    for (const BatchPipeline pipeline : {BatchPipeline::whole_epoch, BatchPipeline::pipeline,
                                         BatchPipeline::shared_ring, BatchPipeline::threads}) {
        times.push_back({name_of(pipeline), seconds_with(pipeline, n, use_worker),
                         seconds_with(pipeline, n, librarys)});
        progress.advance();
    }
    progress.done();
    lanes::show_pipelines(training_seconds(), process_name, times);
}

void PipelinesLesson::train_plain() {
    plain_.clear();
    Progress progress("training, plain network", seeds_);
    for (std::uint64_t seed = 1; seed <= seeds_; ++seed) {
        NeuralNetwork& network = plain_.emplace_back(sizes_, options_with_(seed));
        network.print_epochs(false);
        network.fit(data_.train, data_.validation, epochs_);
        progress.advance();
    }
}

std::vector<double> PipelinesLesson::of_three_seeds(const AccuracyWith& accuracy_with,
                                                    const AugmentationBounds& bounds) {
    std::vector<double> found;
    Progress progress("training, network", 3);
    for (const std::uint64_t seed : {1, 2, 3}) {
        found.push_back(accuracy_with(bounds, seed));
        progress.advance();
    }
    return found;
}

std::vector<AugmentedNetwork> PipelinesLesson::augmented_networks(const char* name,
                                                                  const Change& set_bounds) const {
    std::vector<AugmentedNetwork> networks;
    Progress progress(std::string("training, ") + name + " network", seeds_);
    for (std::uint64_t seed = 1; seed <= seeds_; ++seed) {
        AugmentedNetwork& network = networks.emplace_back(sizes_, options_with_(seed));
        network.set_pipeline(BatchPipeline::pipeline);
        set_bounds(network);
        network.print_epochs(false);
        network.fit(data_.train, data_.validation, epochs_);
        progress.advance();
    }
    return networks;
}

void PipelinesLesson::train_augmented() {
    augmented_ = augmented_networks("augmented", [](AugmentedNetwork&) {});
}

void PipelinesLesson::require_trained(const char* operation) const {
    const auto is_trained = [&](const auto& networks) { return networks.size() == seeds_; };
    LANES_REQUIRE(is_trained(plain_) && is_trained(augmented_), operation,
                  ": the plain and the augmented networks are missing. Run the cell that trains "
                  "them, train_plain and train_augmented.");
}

void PipelinesLesson::show_epochs() const {
    require_trained("show_epochs");
    EpochTable by_epoch;
    for (const auto& network : plain_) by_epoch.add("plain", network.history());
    for (const auto& network : augmented_) by_epoch.add("augmented", network.history());
    by_epoch.show();
}

double PipelinesLesson::show_overfitting() const {
    require_trained("show_overfitting");
    AccuracyTable fitted({{"training set", &data_.train}, {"validation set", &data_.validation}});
    fitted.add("plain", plain_);
    fitted.add("augmented", augmented_);
    fitted.show(title_of(epochs_, seeds_));
    return plain_[0].accuracy(data_.train);
}

void PipelinesLesson::show_bounds(const std::string& name, const AugmentationBounds& bounds,
                                  const std::vector<double>& accuracies) const {
    require_trained("show_bounds");
    lanes::show_bounds({{"none", {0, 0, 0, 0}, last_accuracies(plain_)},
                        {"default", AugmentationBounds(), last_accuracies(augmented_)},
                        {name, bounds, accuracies}});
}

Greys PipelinesLesson::greys(const ProcessImage& process, const AugmentationBounds& bounds) {
    Greys seen;
    Rng rng(5);
    const Matrix grey = 0.5f * xt::ones<float>({28, 28});
    for (int image = 0; image < 20; ++image)
        for (const float pixel : process(grey, bounds, rng)) {
            if (pixel > 0) seen.darkest = std::min(seen.darkest, pixel);
            seen.brightest = std::max(seen.brightest, pixel);
            seen.black += pixel == 0;
        }
    return seen;
}

PairedDifference PipelinesLesson::compare_schedule(const Schedule& schedule) {
    require_trained("compare_schedule");
    scheduled_.clear();
    scheduled_ = augmented_networks(
        "scheduled", [&](AugmentedNetwork& network) { network.set_bounds(schedule); });
    const auto by_default = last_accuracies(augmented_), by_schedule = last_accuracies(scheduled_);
    show_paired("default", by_default, "schedule", by_schedule);
    return paired_difference(by_schedule, by_default);
}

void PipelinesLesson::show_test() const {
    AccuracyTable tested({{"validation set", &data_.validation}, {"test set", &data_.test}});
    tested.add("plain", plain_);
    tested.add("default bounds", augmented_);
    tested.add("schedule", scheduled_);
    tested.show(title_of(epochs_, seeds_));
    if (plain_.empty() || augmented_.empty())
        std::cout << "Without the plain and the augmented networks: run the cell that trains "
                     "them.\n";
    if (scheduled_.empty())
        std::cout << "Without a row for your schedule: fill in schedule and run its check.\n";
}

}  // namespace lanes
