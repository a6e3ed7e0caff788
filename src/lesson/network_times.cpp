#include "lanes/lesson/network_times.hpp"

#include "lanes/array/blas.hpp"
#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/mlp/network.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/progress.hpp"
#include "lanes/notebook/table.hpp"

#include <xtensor/xmanipulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <utility>

namespace lanes {

namespace {

std::string percent(double share) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%.2f %%", 100 * share);
    return text.data();
}

}  // namespace

void Training::run(std::size_t epochs, const std::function<void()>& train_epoch,
                   const std::function<double()>& accuracy) {
    accuracies_.clear();
    seconds_.clear();
    Progress progress("training, epoch", epochs);
    for (std::size_t epoch = 1; epoch <= epochs; ++epoch) {
        const Timer timer;
        train_epoch();
        seconds_.push_back(timer.seconds());
        accuracies_.push_back(accuracy());
        progress.at(epoch);
        std::cout << "Epoch " << epoch << ", accuracy " << percent(accuracies_.back()) << ".\n"
                  << std::flush;
    }
    progress.done();
}

double Training::accuracy(std::size_t epoch) const {
    LANES_REQUIRE(!accuracies_.empty() && epoch <= accuracies_.size(), "Training '", name_,
                  "': ", accuracies_.size(), " epochs were run, asked for epoch ", epoch,
                  ". Call run.");
    return epoch == 0 ? accuracies_.back() : accuracies_[epoch - 1];
}

void Training::show_curve() const {
    Plot plot("Accuracy on the validation set");
    plot.x("epoch").y("accuracy").line(name_, accuracies_).rule_y("95 %", 0.95).show();
}

void Training::show_beside(const Training& other) const {
    Table table({"epoch", name_, other.name_, "time"},
                "Validation accuracy; time per epoch of the first training");
    for (std::size_t i = 0; i < std::min(accuracies_.size(), other.accuracies_.size()); ++i)
        table.row(i + 1, percent(accuracies_[i]), percent(other.accuracies_[i]),
                  with_unit(seconds_[i], "s"));
    table.note(machine_line()).show();
}

namespace {

// Seconds per call; measured in several rounds, of which the best one counts.
double seconds(const std::function<void()>& call) { return best_of(5, Calls{20}, call); }

// The matrix products of one training step: one per layer forward, two backward, except that the
// first layer needs no error of its inputs.
struct Products {
    std::vector<std::pair<Matrix, Matrix>> forward, backward;

    Products(const Pass& pass, const Weights<float>& weights) {
        for (std::size_t l = 0; l < weights.size(); ++l) {
            const Matrix& delta = pass.z[l];  // of the same shape
            forward.emplace_back(pass.a[l], weights[l]);
            backward.emplace_back(xt::transpose(pass.a[l]), delta);
            if (l > 0) backward.emplace_back(delta, xt::transpose(weights[l]));
        }
    }

    template <class Matmul>
    static double seconds_of(const std::vector<std::pair<Matrix, Matrix>>& products,
                             const Matmul& matmul) {
        return seconds([&] {
            for (const auto& [a, b] : products) matmul(a, b);
        });
    }
};

// Seconds of a step of NeuralNetwork, measured like the parts above: rounds of 20 steps on few
// images, of which the best one counts. A longer round would meet other programs more often.
double library_step(const Parameters& network, const Dataset& training) {
    Sizes sizes{network.weights.front().shape(0)};
    for (const auto& weights : network.weights) sizes.push_back(weights.shape(1));
    NeuralNetwork net(sizes);
    const Dataset part = slice_of(training, 0, std::min<std::size_t>(320, training.size()));
    net.fit(part, 6);
    double best = net.history().front().seconds;
    for (const EpochReport& epoch : net.history()) best = std::min(best, epoch.seconds);
    return best * 16 / static_cast<double>(part.size());
}

}  // namespace

double pictures::step_costs(const StepParts& parts, const Parameters& network,
                            const Dataset& training) {
    LANES_REQUIRE(training.size() >= 16, "step_costs: ", training.size(),
                  " images. One batch has 16.");
    const Dataset part = slice_of(training, 0, std::min<std::size_t>(4000, training.size()));
    const Dataset batch = slice_of(training, 0, 16);
    const double steps = static_cast<double>(training.size()) / 16;
    const double parts_of_all =
        static_cast<double>(training.size()) / static_cast<double>(part.size());

    Parameters trained = network;
    const Pass pass = parts.forward(batch.x, network);
    const Parameters gradients = parts.backward(pass, batch.y, network.weights);
    const double batches =
        best_of(3, [&] { parts.create_batches(part.x, part.y, 16); }) * parts_of_all;
    const double forward = steps * seconds([&] { parts.forward(batch.x, network); });
    const double backward =
        steps * seconds([&] { parts.backward(pass, batch.y, network.weights); });
    const double descend = steps * seconds([&] { parts.descend(trained, gradients, 1e-6f); });
    const double sum = batches + forward + backward + descend;

    const Products products(pass, network.weights);
    const auto library = [](const Matrix& a, const Matrix& b) { return matmul(a, b); };
    const double in_forward = steps * Products::seconds_of(products.forward, library);
    const double in_backward = steps * Products::seconds_of(products.backward, library);
    const double own = steps * (Products::seconds_of(products.forward, parts.matmul) +
                                Products::seconds_of(products.backward, parts.matmul));

    Table table({"part", "time per epoch", "share"}, "What an epoch costs");
    const auto add = [&](const char* name, double time) {
        table.row(name, with_unit(time, "s"), with_unit(100 * time / sum, "%"));
    };
    add("create_batches", batches);
    add("forward", forward);
    add("... of this, matrix products", in_forward);
    add("backward", backward);
    add("... of this, matrix products", in_backward);
    add("descend", descend);
    add("your epoch, with the library's matmul", sum);
    add("your epoch, with your matmul", sum - in_forward - in_backward + own);
    const double of_library = steps * library_step(network, training);
    add("an epoch of lanes::NeuralNetwork", of_library);
    table.note("computed from single steps; " + machine_line()).show();
    std::cout << "On this machine: the library's epoch "
              << (of_library < sum
                      ? "takes " + with_unit(100 * of_library / sum, "%") + " of the time of yours"
                      : "is not faster than yours. Does another program use the cores? Then its "
                        "threads wait for each other")
              << ".\n";
    return 100 * (in_forward + in_backward) / sum;
}

namespace {

struct Spread {
    double mean = 0, error = 0;  // the standard error of the mean
};

Spread spread_of(const std::vector<double>& values) {
    Spread spread;
    const auto n = static_cast<double>(values.size());
    for (const double value : values) spread.mean += value / n;
    double squares = 0;
    for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
    if (values.size() > 1) spread.error = std::sqrt(squares / (n - 1) / n);
    return spread;
}

}  // namespace

RateSweep::RateSweep(std::vector<double> rates, std::size_t seeds,
                     const AccuracyWith& accuracy_with)
    : rates_(std::move(rates)) {
    LANES_REQUIRE(!rates_.empty() && seeds > 1, "RateSweep: ", rates_.size(), " rates and ", seeds,
                  " seeds. It needs a rate and at least two seeds.");
    Progress progress("trainings", rates_.size() * seeds);
    for (const double rate : rates_) {
        auto& row = accuracies_.emplace_back();
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            row.push_back(accuracy_with(rate, seed));
            progress.advance();
        }
    }
    progress.done();
}

double RateSweep::best() const {
    const auto mean = [](const auto& values) { return spread_of(values).mean; };
    const auto best = std::max_element(
        accuracies_.begin(), accuracies_.end(),
        [&](const auto& one, const auto& other) { return mean(one) < mean(other); });
    return rates_[static_cast<std::size_t>(best - accuracies_.begin())];
}

void RateSweep::show() const {
    const double best_rate = best();
    const auto at = std::find(rates_.begin(), rates_.end(), best_rate) - rates_.begin();
    const std::vector<double>& best_row = accuracies_[static_cast<std::size_t>(at)];
    Table table({"learning rate", "mean", "standard error", "behind the best", "standard error"},
                "Validation accuracy after one epoch on 20,000 images");
    std::vector<std::string> names;
    std::vector<double> means, errors;
    std::string close;
    for (std::size_t i = 0; i < rates_.size(); ++i) {
        std::vector<double> behind;
        behind.reserve(best_row.size());
        for (std::size_t seed = 0; seed < best_row.size(); ++seed)
            behind.push_back(best_row[seed] - accuracies_[i][seed]);
        const Spread one = spread_of(accuracies_[i]), difference = spread_of(behind);
        table.row(rates_[i], percent(one.mean), with_unit(100 * one.error, "pp"),
                  with_unit(100 * difference.mean, "pp"), with_unit(100 * difference.error, "pp"));
        names.push_back(compact(rates_[i]));
        means.push_back(one.mean);
        errors.push_back(one.error);
        if (rates_[i] != best_rate && difference.mean < 2 * difference.error)
            close += (close.empty() ? "" : ", ") + names.back();
    }
    table.note(std::to_string(best_row.size()) +
               " seeds per learning rate; pp: percentage points; differences are paired");
    table.show();
    Plot plot("One epoch on 20,000 images, mean of " + std::to_string(best_row.size()) + " seeds");
    plot.x("learning rate").y("accuracy on the validation set");
    plot.bars("mean and standard error", names, means, errors).show();
    std::cout << "The highest mean has the rate " << compact(best_rate) << ". "
              << (close.empty() ? "All other rates are behind it by more than two standard errors."
                                : "Behind it by less than two standard errors: " + close + ".")
              << '\n';
}

}  // namespace lanes
