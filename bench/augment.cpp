// Augmentation and augmented training of assignment 2; prints one line per run. Called by
// augment.py.
//
//   augment image                            microseconds per image, all four operators
//   augment plain|PIPELINE SEED [schedule]   seconds of a fit with validation, including start and
//                                            stop of the workers; test accuracy in percent
//
// PIPELINE is whole_epoch, pipeline, shared_ring or threads; schedule: the augmentation bounds
// change with the epoch.
#include "lanes/base/timer.hpp"
#include "lanes/data.hpp"
#include "lanes/mlp.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using lanes::BatchPipeline;

const std::map<std::string, BatchPipeline> pipelines{{"whole_epoch", BatchPipeline::whole_epoch},
                                                     {"pipeline", BatchPipeline::pipeline},
                                                     {"shared_ring", BatchPipeline::shared_ring},
                                                     {"threads", BatchPipeline::threads}};

// Always the first image, as in bench/augment_python.py.
void measure_image(const lanes::Dataset& data) {
    std::vector<float> out(784);
    lanes::Rng rng(1);
    const double best = lanes::best_of(500, lanes::Calls{100}, [&] {
        lanes::process_image(data.x.data(), out.data(), 28, 28, {}, rng);
    });
    std::printf("%.4f\n", 1e6 * best);
}

// Stronger in each epoch up to the twelfth, then back towards unchanged images: the solution of the
// notebook 04b_pipelines.
lanes::AugmentationBounds bounds_of(std::size_t epoch) {
    const double up = std::min(1.0, (static_cast<double>(epoch) - 1) / 11),
                 down = std::max(0.0, (static_cast<double>(epoch) - 12) / 3);
    return {4 + 16 * up - 6 * down, 0.4 + 2.6 * up - 2.3 * down, 0.02 * (1 - up),
            0.06 + 0.12 * up - 0.14 * down, true};
}

std::unique_ptr<lanes::NeuralNetwork> network_of(const std::string& what, std::uint64_t seed,
                                                 bool schedule) {
    const lanes::Sizes sizes{784, 128, 64, 10};
    lanes::TrainingOptions options;
    options.batches_per_epoch(300);
    options.seed(seed);
    if (what == "plain") return std::make_unique<lanes::NeuralNetwork>(sizes, options);
    auto augmented = std::make_unique<lanes::AugmentedNetwork>(sizes, options);
    augmented->set_pipeline(pipelines.at(what));
    if (schedule) augmented->set_bounds(bounds_of);
    return augmented;
}

}  // namespace

int main(int count, char** arguments) {
    const std::string what = count > 1 ? arguments[1] : "";
    if (what != "image" && (count < 3 || (what != "plain" && pipelines.count(what) == 0)))
        return std::fprintf(stderr,
                            "augment image, or augment "
                            "plain|whole_epoch|pipeline|shared_ring|threads SEED [schedule]\n"),
               2;
    const auto data = lanes::load_mnist(lanes::MnistSplit::assignment_2);
    if (what == "image") return measure_image(data.train), 0;
    const auto network = network_of(what, std::strtoull(arguments[2], nullptr, 10), count > 3);
    network->print_epochs(false);
    const lanes::Timer timer;
    network->fit(data.train, data.validation, 15);
    const double seconds = timer.seconds();
    std::printf("%.4f %.3f\n", seconds, 100 * network->accuracy(data.test));
}
