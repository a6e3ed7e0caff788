#include "lanes/lesson/pipelines.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/machine.hpp"
#include "lanes/base/workers.hpp"
#include "lanes/notebook/plot.hpp"
#include "lanes/notebook/progress.hpp"
#include "lanes/notebook/table.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>

namespace lanes {

namespace {

// While it exists, this process and those that it starts have so many cores.
class CoreLimit {
public:
    explicit CoreLimit(int cores) {
        LANES_REQUIRE(sched_getaffinity(0, sizeof before_, &before_) == 0,
                      "show_workers_by_cores: the machine has more than ", CPU_SETSIZE,
                      " cores. Record on a smaller one.");
        cpu_set_t few;
        CPU_ZERO(&few);
        for (int core = 0; CPU_COUNT(&few) < cores && core < CPU_SETSIZE; ++core)
            if (CPU_ISSET(core, &before_)) CPU_SET(core, &few);
        sched_setaffinity(0, sizeof few, &few);
    }
    ~CoreLimit() { sched_setaffinity(0, sizeof before_, &before_); }
    CoreLimit(const CoreLimit&) = delete;
    CoreLimit& operator=(const CoreLimit&) = delete;

private:
    cpu_set_t before_;
};

}  // namespace

Spread spread_of(const std::vector<double>& values) {
    LANES_REQUIRE(!values.empty(), "spread_of: no values. Give at least one.");
    Spread spread;
    const auto count = static_cast<double>(values.size());
    for (const double value : values) spread.mean += value / count;
    double squares = 0;
    for (const double value : values) squares += std::pow(value - spread.mean, 2);
    if (values.size() > 1) spread.deviation = std::sqrt(squares / (count - 1));
    return spread;
}

std::string accuracy_text(const Spread& accuracy) {
    std::ostringstream text;
    text.setf(std::ios::fixed);
    text.precision(2);
    text << 100 * accuracy.mean << " % ± " << 100 * accuracy.deviation << " pp";
    return text.str();
}

bool PairedDifference::is_clear() const {
    // 95 % quantiles of Student's t distribution for 1, 2, … degrees of freedom
    constexpr double quantiles[] = {6.31, 2.92, 2.35, 2.13, 2.02, 1.94, 1.89, 1.86, 1.83};
    if (pairs < 2) return false;
    const double quantile = quantiles[std::min<std::size_t>(pairs - 2, std::size(quantiles) - 1)];
    return mean > quantile * standard_error;
}

PairedDifference paired_difference(const std::vector<double>& after,
                                   const std::vector<double>& before) {
    LANES_REQUIRE(after.size() == before.size() && !after.empty(),
                  "paired_difference: ", after.size(), " values and ", before.size(),
                  ". Each value needs its partner, with the same seed.");
    std::vector<double> differences;
    differences.reserve(after.size());
    for (std::size_t i = 0; i < after.size(); ++i) differences.push_back(after[i] - before[i]);
    const Spread spread = spread_of(differences);
    const auto pairs = static_cast<double>(after.size());
    return {spread.mean, spread.deviation / std::sqrt(pairs), after.size()};
}

void show_paired(const std::string& before_name, const std::vector<double>& before,
                 const std::string& after_name, const std::vector<double>& after) {
    const PairedDifference difference = paired_difference(after, before);
    Table table({"seed", before_name, after_name, "difference"}, "accuracy, validation set");
    for (std::size_t i = 0; i < before.size(); ++i)
        table.row(i + 1, with_unit(100 * before[i], "%"), with_unit(100 * after[i], "%"),
                  with_unit(100 * (after[i] - before[i]), "pp"));
    table.row("mean", accuracy_text(spread_of(before)), accuracy_text(spread_of(after)),
              with_unit(100 * difference.mean, "pp"));
    table.note("standard error of the mean difference: " +
               with_unit(100 * difference.standard_error, "pp"));
    table.show();
    const bool is_worse = paired_difference(before, after).is_clear();
    std::cout << "On this machine: " << after_name
              << (difference.is_clear() ? " is better than "
                  : is_worse            ? " is worse than "
                                        : " cannot be told from ")
              << before_name << " (paired t-test, one-sided, 95 %).\n";
}

void EpochTable::add(const std::string& kind, const std::vector<EpochReport>& history) {
    std::vector<double> accuracies;
    for (const EpochReport& report : history) {
        LANES_REQUIRE(report.accuracy.has_value(), "EpochTable: epoch ", report.epoch, " of ", kind,
                      " has no accuracy. Give fit a validation set.");
        accuracies.push_back(*report.accuracy);
    }
    LANES_REQUIRE(!accuracies.empty(), "EpochTable: ", kind, " was not trained.");
    for (auto& [name, histories] : kinds_)
        if (name == kind) {
            LANES_REQUIRE(histories[0].size() == accuracies.size(),
                          "EpochTable: ", accuracies.size(), " epochs of ", kind, ", and ",
                          histories[0].size(), " with the first seed. Train equally long.");
            histories.push_back(accuracies);
            return;
        }
    kinds_.push_back({kind, {accuracies}});
}

std::vector<double> EpochTable::last(const std::string& kind) const {
    for (const auto& [name, histories] : kinds_)
        if (name == kind) {
            std::vector<double> accuracies;
            for (const auto& history : histories) accuracies.push_back(history.back());
            return accuracies;
        }
    lanes::detail::fail({"EpochTable: there is no ", kind, ". Add it first."});
}

void EpochTable::show() const {
    LANES_REQUIRE(!kinds_.empty(), "EpochTable: nothing was added.");
    std::vector<std::string> header{"epoch"};
    std::size_t epochs = kinds_[0].second[0].size();
    for (const auto& [name, histories] : kinds_) {
        header.push_back(name);
        epochs = std::min(epochs, histories[0].size());
    }
    Table table(header, "accuracy on the validation set, mean ± standard deviation");
    std::vector<std::vector<double>> means(kinds_.size());
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        std::vector<std::string> row{std::to_string(epoch + 1)};
        for (std::size_t k = 0; k < kinds_.size(); ++k) {
            std::vector<double> accuracies;
            for (const auto& history : kinds_[k].second) accuracies.push_back(history[epoch]);
            row.push_back(accuracy_text(spread_of(accuracies)));
            means[k].push_back(spread_of(accuracies).mean);
        }
        table.row(row);
    }
    table.note("seeds: " + std::to_string(kinds_[0].second.size())).show();
    Plot plot("Accuracy by epoch, mean of all seeds");
    plot.x("epoch").y("validation accuracy").range_y(0, 1);
    for (std::size_t k = 0; k < kinds_.size(); ++k) plot.line(kinds_[k].first, means[k]);
    plot.show();
}

void show_bounds(const std::vector<BoundsTrial>& trials) {
    Table table({"bounds", "degrees", "cells", "noise", "tilt", "accuracy"},
                "validation set, mean ± standard deviation");
    std::vector<std::string> names;
    std::vector<double> errors, deviations;
    for (const auto& [name, bounds, accuracies] : trials) {
        const Spread spread = spread_of(accuracies);
        table.row(name, bounds.degrees, bounds.cells, bounds.noise, bounds.tilt,
                  accuracy_text(spread));
        names.push_back(name);
        errors.push_back(1 - spread.mean);
        deviations.push_back(spread.deviation);
    }
    table.show();
    Plot("Validation error by bounds, mean ± deviation")
        .x("bounds")
        .y("share of wrong answers")
        .bars("mean of all seeds", names, errors, deviations)
        .show();
}

double show_workers(int n, double training_seconds, const std::function<double(int)>& seconds) {
    const std::vector<std::string> names{"1", "n", "2n", "4n"};
    const std::vector<int> counts{1, n, 2 * n, 4 * n};
    std::vector<double> times;
    Progress progress("timing, number of workers", counts.size());
    for (const int count : counts) {
        times.push_back(seconds(count));
        progress.advance();
    }
    progress.done();
    Table table({"workers", "time", "speed-up over one", "Amdahl's law"}, "n = cores");
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double made = (times[0] - training_seconds) / std::min(counts[i], n);
        table.row(names[i], with_unit(times[i], "s"), with_unit(times[0] / times[i], "x"),
                  with_unit(times[0] / (training_seconds + made), "x"));
    }
    table.note("the training alone: " + with_unit(training_seconds, "s") +
               "; no number of workers can gain more than " +
               with_unit(times[0] / training_seconds, "x"));
    table.note(machine_line()).show();
    Plot("Time by the number of workers")
        .x("workers (n: cores)")
        .y("time in s")
        .bars("whole epoch", names, times)
        .show();
    const double gain = times[0] / times[1], limit = times[0] / training_seconds;
    const double fastest = *std::min_element(times.begin(), times.end());
    std::cout << "On this machine: ";
    if (gain > 1.15)
        std::cout << "n workers are clearly faster than one.\n";
    else if (limit < 1.5)
        std::cout << "more workers do not gain, because making the images is a small part of the "
                     "time: the training is the bottleneck.\n";
    else
        std::cout << "more workers do not gain, although making images takes much of the time. "
                  << (n <= 2 ? "With n = " + std::to_string(n) +
                                   ", the network and one worker already keep the cores busy.\n"
                             : "There are cores for them: what is left is work of the network's "
                               "process, which hands out the jobs and receives every batch.\n");
    std::cout << "On this machine: "
              << (fastest < 0.95 * std::min(times[0], times[1])
                      ? "more than n workers are fastest: other programs use the cores, and more "
                        "workers get a larger share of them."
                      : "more workers than cores gain nothing.")
              << '\n';
    return gain;
}

void show_workers_by_cores(const std::string& recording,
                           const std::function<double(int)>& seconds) {
    if (std::getenv("LANES_RECORD") == nullptr) {
        std::cout << "The same on the cores of another machine, its CPU is in the last line; the "
                     "GPU does nothing here.\n";
        return recorded_table(recording).show();
    }
    Table table({"cores", "one worker", "a worker per core", "speed-up"});
    for (const int cores : {1, 2, 4, 8, 16}) {
        if (cores > num_cores()) break;
        const CoreLimit limit(cores);
        const double one = seconds(1), all = cores == 1 ? one : seconds(cores);
        table.row(cores, with_unit(one, "s"), with_unit(all, "s"), with_unit(one / all, "x"));
    }
    table.note(machine_line()).recorded(recording).show();
}

void show_pipelines(double training_seconds, const std::string& own_name,
                    const std::vector<PipelineTime>& times) {
    const std::string library_name = "the library's worker";
    Table table({"pipeline", own_name, library_name, "library / plain training"});
    const auto text = [](double seconds) { return with_unit(seconds, "s"); };
    table.row("plain training, no images made", text(training_seconds), text(training_seconds),
              with_unit(1, "x"));
    std::vector<std::string> names{"plain training"};
    std::vector<double> own{training_seconds}, library{training_seconds};
    for (const PipelineTime& time : times) {
        table.row(time.name, text(time.own), text(time.library),
                  with_unit(time.library / training_seconds, "x"));
        names.push_back(time.name);
        own.push_back(time.own);
        library.push_back(time.library);
    }
    table.note(machine_line()).show();
    Plot("Time by pipeline")
        .x("pipeline")
        .y("time in s")
        .bars(own_name, names, own)
        .bars(library_name, names, library)
        .show();
    const auto fastest =
        std::min_element(times.begin(), times.end(),
                         [](const auto& a, const auto& b) { return a.library < b.library; });
    LANES_REQUIRE(fastest != times.end(), "show_pipelines: no times.");
    std::cout << "On this machine: " << fastest->name << " is fastest. Augmentation "
              << (fastest->library < 1.1 * training_seconds
                      ? "is nearly free: it is hidden behind the training."
                      : "still costs time: workers and training compete for the same cores.")
              << '\n';
}

void AccuracyTable::show(const std::string& title) const {
    std::vector<std::string> header{"network"};
    for (const auto& set : sets_) header.push_back(set.first);
    Table table(header, title);
    for (const auto& row : rows_) table.row(row);
    table.show();
}

namespace spare {

int num_workers() { return std::max(2, lanes::num_workers()); }

void prefetch(const std::vector<BatchJob>& given, std::size_t ahead, const PutJob& put,
              const GetBatch& get, const TrainOn& train) {
    std::map<std::uint64_t, ImageBatch> arrived;
    std::size_t jobs = 0;
    for (std::size_t next = 0; next < given.size(); ++next) {
        while (jobs < given.size() && jobs < next + ahead) put(given[jobs++]);
        while (arrived.count(given[next].index) == 0) {
            ImageBatch batch = get();
            arrived[batch.index] = std::move(batch);
        }
        train(arrived[given[next].index]);
        arrived.erase(given[next].index);
    }
}

void whole_epoch(const std::vector<BatchJob>& given, std::size_t, const PutJob& put,
                 const GetBatch& get, const TrainOn& train) {
    for (const BatchJob& job : given) put(job);
    std::map<std::uint64_t, ImageBatch> arrived;
    for (std::size_t i = 0; i < given.size(); ++i) {
        ImageBatch batch = get();
        arrived[batch.index] = std::move(batch);
    }
    for (const BatchJob& job : given) train(arrived.at(job.index));
}

}  // namespace spare

}  // namespace lanes
