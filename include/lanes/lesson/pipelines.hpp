// Tables, plots and timelines of the notebook 04b_pipelines, and the library's versions of what
// students write there.
//
//   lanes::EpochTable table;
//   table.add("plain", {{1, 0.3, 0.5, 0.1}, {2, 0.2, 0.7, 0.1}});  // the history of one seed
//   table.add("plain", {{1, 0.3, 0.6, 0.1}, {2, 0.2, 0.8, 0.1}});
//   const double mean = lanes::spread_of(table.last("plain")).mean;  // 0.75
//   const auto gain = lanes::paired_difference({0.8, 0.9}, {0.7, 0.8});
#pragma once

#include "lanes/array/types.hpp"
#include "lanes/data/dataset.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/mlp/augment.hpp"
#include "lanes/mlp/augmented_network.hpp"
#include "lanes/mlp/batch_job.hpp"
#include "lanes/mlp/parts.hpp"
#include "lanes/mlp/training.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

struct Spread {
    double mean = 0;
    double deviation = 0;  // standard deviation; 0 for one value
};
Spread spread_of(const std::vector<double>& values);
std::string accuracy_text(const Spread& accuracy);  // "89.66 % ± 0.19 pp"

// after - before, pair by pair: the two of a pair differ in one thing only.
struct PairedDifference {
    double mean = 0;
    double standard_error = 0;  // deviation of the differences / sqrt(pairs)
    std::size_t pairs = 0;
    bool is_clear() const;  // larger than 0 by more than chance: one-sided t-test, 95 %
};
PairedDifference paired_difference(const std::vector<double>& after,
                                   const std::vector<double>& before);
// A row per seed, the differences and what follows from them.
void show_paired(const std::string& before_name, const std::vector<double>& before,
                 const std::string& after_name, const std::vector<double>& after);

// Accuracy by epoch of several kinds of training, each with several seeds.
class EpochTable {
public:
    void add(const std::string& kind, const std::vector<EpochReport>& history);
    std::vector<double> last(const std::string& kind) const;  // after the last epoch, by seed
    void show() const;                                        // a table and a plot of the means

private:
    using Histories = std::vector<std::vector<double>>;
    std::vector<std::pair<std::string, Histories>> kinds_;
};

// Bounds and the accuracies of several seeds with them: a table, and the error rates as bars.
struct BoundsTrial {
    std::string name;
    AugmentationBounds bounds;
    std::vector<double> accuracies;
};
void show_bounds(const std::vector<BoundsTrial>& trials);

// seconds(workers) trains with so many workers and returns its time; training_seconds is the time
// without any image made. Measures 1, n, 2n and 4n workers beside Amdahl's law, and says what came
// out. Returns time with one worker / time with n.
double show_workers(int n, double training_seconds, const std::function<double(int)>& seconds);

// The same on 1, 2, 4, 8 and 16 of the machine's cores, one worker beside as many as cores: shows
// the table that tools/record has stored under this name, and measures it there.
void show_workers_by_cores(const std::string& recording, const std::function<double(int)>& seconds);

// Times of pipelines, as a table and bars: name, seconds with the images that `own_name` makes,
// seconds with the library's worker.
struct PipelineTime {
    std::string name;
    double own, library;
};
void show_pipelines(double training_seconds, const std::string& own_name,
                    const std::vector<PipelineTime>& times);

// How batches get from the workers to a training: see the exercise prefetch.
using PutJob = std::function<void(const BatchJob&)>;
using GetBatch = std::function<ImageBatch()>;
using TrainOn = std::function<void(const ImageBatch&)>;
using Prefetch = std::function<void(const std::vector<BatchJob>& given, std::size_t ahead,
                                    const PutJob& put, const GetBatch& get, const TrainOn& train)>;

// Who is busy when: two workers that make images, and a network that trains on them.
class Timeline {
public:
    using Process = std::function<Matrix(const Matrix&, const AugmentationBounds&, Rng&)>;

    Timeline(const Dataset& images, Sizes sizes, TrainingOptions options, Process process);

    // 16 jobs of 64 images, several times; the fastest recording is kept.
    void record(const std::string& title, std::size_t ahead, const Prefetch& prefetch);
    double milliseconds(std::size_t recording) const;
    void show() const;  // all recordings, on one scale, and how busy everybody was

private:
    struct Span {
        int row;  // 0: the network, 1 and 2: the workers
        double start, end;
    };
    struct Recording {
        std::string title;
        std::vector<Span> spans;
    };
    class TimedWorker;
    std::vector<Span> run(std::size_t ahead, const Prefetch& prefetch) const;
    static double length_of(const std::vector<Span>& spans);

    const Dataset& images_;
    Sizes sizes_;
    TrainingOptions options_;
    Process process_;
    std::vector<BatchJob> jobs_;
    std::vector<Recording> recordings_;
};

// Accuracies of networks that differ in their seed, as rows: one column per data set. Networks
// that are not there yet, because an answer is missing, give no row.
class AccuracyTable {
public:
    using Sets = std::vector<std::pair<std::string, const Dataset*>>;
    explicit AccuracyTable(Sets sets) : sets_(std::move(sets)) {}

    template <class Network>
    void add(const std::string& name, const std::vector<Network>& networks) {
        std::vector<std::string> row{name};
        for (const auto& [_, set] : sets_) {
            std::vector<double> accuracies;
            accuracies.reserve(networks.size());
            for (const Network& network : networks) accuracies.push_back(network.accuracy(*set));
            if (!accuracies.empty()) row.push_back(accuracy_text(spread_of(accuracies)));
        }
        if (row.size() > 1) rows_.push_back(row);
    }
    void show(const std::string& title) const;

private:
    Sets sets_;
    std::vector<std::vector<std::string>> rows_;
};

namespace spare {

// Trains on images made with these bounds by workers of class W, and gives the accuracy on the
// validation set.
template <class W>
double accuracy_with(const SplitDataset& data, const Sizes& sizes, const TrainingOptions& options,
                     std::size_t epochs, const AugmentationBounds& bounds) {
    AugmentedNetwork network(sizes, options);
    network.use_worker<W>();
    network.set_pipeline(BatchPipeline::pipeline);
    network.set_bounds(bounds);
    network.print_epochs(false);
    network.fit(data.train, epochs);
    return network.accuracy(data.validation);
}

int num_workers();
// At most `ahead` jobs are put and not yet trained on.
void prefetch(const std::vector<BatchJob>& given, std::size_t ahead, const PutJob& put,
              const GetBatch& get, const TrainOn& train);
// All jobs are put, all batches arrive, and then they are trained on. `ahead` is not used.
void whole_epoch(const std::vector<BatchJob>& given, std::size_t ahead, const PutJob& put,
                 const GetBatch& get, const TrainOn& train);

}  // namespace spare

}  // namespace lanes
