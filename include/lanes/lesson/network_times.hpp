// What the training of the notebook 01a_training reports: accuracies and times of epochs, what each
// part of a step costs, and a sweep over learning rates.
//
//   lanes::Training training("learning rate 0.1");
//   training.run(2, [] {}, [] { return 0.5; });  // trains an epoch; accuracy from 0 to 1
//   training.show_curve();
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/dataset.hpp"
#include "lanes/mlp/pass.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

// A training of some epochs: a progress bar, a line per epoch, and afterwards plot and table.
class Training {
public:
    explicit Training(std::string name) : name_(std::move(name)) {}

    void run(std::size_t epochs, const std::function<void()>& train_epoch,
             const std::function<double()>& accuracy);

    // After this epoch, the first is 1; 0: after the last one. Error if it was not run.
    double accuracy(std::size_t epoch = 0) const;
    void show_curve() const;
    // Both trainings, epoch by epoch.
    void show_beside(const Training& other) const;

private:
    std::string name_;
    std::vector<double> accuracies_, seconds_;  // per epoch
};

namespace pictures {

// The parts of a training step, as a student wrote them.
struct StepParts {
    std::function<Pass(const Matrix& x, const Parameters& network)> forward;
    std::function<Parameters(const Pass& pass, const Matrix& y, const Weights<float>& weights)>
        backward;
    std::function<void(Parameters& network, const Parameters& gradients, float rate)> descend;
    std::function<std::vector<Dataset>(const Matrix& x, const Matrix& y, std::size_t batch_size)>
        create_batches;
    std::function<Matrix(const Matrix& a, const Matrix& b)> matmul;
};

// A table: what each part costs in an epoch with batches of 16, measured in single steps, and the
// whole epoch of NeuralNetwork; a line says which of both epochs is faster here. Returns the share
// of matrix products, in percent of your epoch.
double step_costs(const StepParts& parts, const Parameters& network, const Dataset& training);

}  // namespace pictures

// Trains with each learning rate and each of the seeds 1, 2, …; shows a progress bar.
class RateSweep {
public:
    using AccuracyWith = std::function<double(double rate, std::uint64_t seed)>;
    RateSweep(std::vector<double> rates, std::size_t seeds, const AccuracyWith& accuracy_with);

    double best() const;  // the rate with the highest mean
    // Means with their standard errors, and how far each rate is behind the best one. The same
    // seeds are used for all rates, so the differences are taken seed by seed (paired).
    void show() const;

private:
    std::vector<double> rates_;
    std::vector<std::vector<double>> accuracies_;  // [rate][seed]
};

}  // namespace lanes
