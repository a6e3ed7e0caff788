// One call of NeuralNetwork::fit: the loop over epochs and batches, validation and reports.
#pragma once

#include "lanes/mlp/network.hpp"
#include "mlp/batch_source.hpp"
#include "mlp/fused/fused.hpp"
#include "mlp/training_steps.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace lanes::detail {

template <class T>
class Training {
public:
    using Network = BasicNeuralNetwork<T>;
    using Data = BasicDataset<T>;

    // validation: empty if there is none. All of them must outlive this object.
    Training(Network& network, const Data& training, const Data& validation, std::size_t epochs);

    void run();

private:
    void validate(const EpochReport& report);
    void finish_validation();  // reports the epoch that is being validated, if there is one
    void report(EpochReport report, std::optional<double> accuracy);
    void make_steps();
    double train_epoch(std::size_t epoch);  // the mean loss per image
    void train_batches(BatchGroups<T>& groups, std::size_t epoch, std::size_t count);
    std::vector<BasicBatch<T>> next_batches(std::size_t first, std::size_t count);

    Network& network_;
    const Data& validation_;
    std::size_t epochs_;
    std::unique_ptr<BatchSource<T>> source_;

    // The weights in the form in which training changes them. Made again if somebody else, such as
    // a call of on_epoch, has changed the network's weights.
    std::unique_ptr<TrainingSteps<T>> steps_;
    std::uint64_t version_of_steps_ = 0;
    std::size_t images_ = 0;  // of this epoch, so far

    // Only for several epochs with the fused step; otherwise each epoch calls validate().
    std::unique_ptr<fused::Validation<T>> fused_validation_;
    int validation_threads_ = 0;  // 0: training waits
    EpochReport being_validated_;
};

// A number that was not returned before, in any network.
std::uint64_t next_weights_version();

}  // namespace lanes::detail
