#include "lanes/nn/train_model.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"
#include "lanes/base/timer.hpp"
#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/ops.hpp"
#include "nn/layers/module_state.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <utility>

namespace lanes {

namespace {

Device device_of(const Module& model) {
    const auto parameters = model.parameters();
    return parameters.empty() ? Device::cpu() : parameters.front().device();
}

// What the batches of a phase gave. A GPU computes while the next batch is prepared: nothing is
// read back before the end of the phase.
class Phase {
public:
    void add(const Tensor& logits, const Tensor& labels, const Tensor& loss) {
        logits_.push_back(logits.detach());
        labels_.push_back(labels);
        losses_.push_back(loss.detach());
    }

    PhaseResult result() const {
        PhaseResult result;
        double examples = 0;
        for (std::size_t i = 0; i < logits_.size(); ++i) {
            const auto count = static_cast<double>(labels_[i].size());
            result.loss += count * static_cast<double>(losses_[i].item());
            result.accuracy += count * static_cast<double>(accuracy(logits_[i], labels_[i]));
            examples += count;
        }
        LANES_REQUIRE(examples > 0,
                      "train_model: a phase without examples. Is a dataset empty, or smaller than "
                      "a batch with drop_last?");
        result.loss /= examples;
        result.accuracy /= examples;
        result.seconds = timer_.seconds();
        return result;
    }

private:
    Timer timer_;
    std::vector<Tensor> logits_;
    std::vector<Tensor> labels_;
    std::vector<Tensor> losses_;
};

bool is_better(const PhaseResult& a, const PhaseResult& b) {
    return a.accuracy > b.accuracy || (a.accuracy == b.accuracy && a.loss < b.loss);
}

// Frozen parameters stay as they are and need no copy.
NamedTensors trained_weights(const Module& model) {
    NamedTensors copies;
    for (const auto& [name, tensor] : model.named_parameters())
        if (tensor.requires_grad()) copies.emplace_back(name, tensor.detach().clone());
    for (const auto& [name, tensor] : model.named_buffers())
        copies.emplace_back(name, tensor.clone());
    return copies;
}

std::string phase_line(const char* name, const PhaseResult& phase) {
    char text[96];
    std::snprintf(text, sizeof text, "  %-5s loss %.4f, accuracy %.2f %%\n", name, phase.loss,
                  100 * phase.accuracy);
    return text;
}

void print(std::size_t epoch, std::size_t epochs, const TrainedEpoch& result) {
    std::cout << "Epoch " << epoch << "/" << epochs - 1 << ":\n"
              << phase_line("train", result.train) << phase_line("val", result.val) << std::flush;
}

struct Interrupted {};

class Training {
public:
    Training(Module& model, Optimizer& optimizer, const TrainModelOptions& options)
        : model_(model), optimizer_(optimizer), options_(options), device_(device_of(model)) {}

    PhaseResult run(const nn::Batches& batches, bool train) {
        model_.train(train);
        Phase phase;
        bool stopped = false;
        batches([&](const Tensor& x, const Tensor& labels) {
            stopped = lanes::interrupted();
            if (stopped) return false;
            step(x.to(device_), labels.to(device_), train, phase);
            ++done_;
            if (const auto on_batch = options_.on_batch()) on_batch(done_);
            return true;
        });
        if (stopped) throw Interrupted{};
        return phase.result();
    }

private:
    void step(const Tensor& x, const Tensor& labels, bool train, Phase& phase) {
        if (!train) {
            const NoGrad no_grad;
            const Tensor logits = model_(x);
            phase.add(logits, labels, loss_of(logits, labels));
            return;
        }
        const Tensor logits = model_(x);
        Tensor loss = loss_of(logits, labels);
        optimizer_.zero_grad();
        loss.backward();
        optimizer_.step();
        phase.add(logits, labels, loss);
    }

    Tensor loss_of(const Tensor& logits, const Tensor& labels) const {
        const auto loss = options_.loss();
        return loss ? loss(logits, labels) : cross_entropy(logits, labels);
    }

    Module& model_;
    Optimizer& optimizer_;
    const TrainModelOptions& options_;
    Device device_;
    std::size_t done_ = 0;
};

}  // namespace

const TrainedEpoch& TrainingResult::best() const {
    LANES_REQUIRE(best_epoch < epochs.size(),
                  "TrainingResult: no epoch was finished. Train for at least one.");
    return epochs[best_epoch];
}

std::vector<double> TrainingResult::losses(PhaseResult TrainedEpoch::* phase) const {
    std::vector<double> values;
    values.reserve(epochs.size());
    for (const TrainedEpoch& epoch : epochs) values.push_back((epoch.*phase).loss);
    return values;
}

std::vector<double> TrainingResult::accuracies(PhaseResult TrainedEpoch::* phase) const {
    std::vector<double> values;
    values.reserve(epochs.size());
    for (const TrainedEpoch& epoch : epochs) values.push_back((epoch.*phase).accuracy);
    return values;
}

TrainingResult nn::train(Module& model, const Batches& train, const Batches& val,
                         Optimizer& optimizer, Scheduler* scheduler,
                         const TrainModelOptions& options) {
    LANES_REQUIRE(options.num_epochs() > 0, "train_model: 0 epochs. Ask for at least one.");
    TrainingResult result;
    Training training(model, optimizer, options);
    try {
        for (std::size_t epoch = 0; epoch < options.num_epochs(); ++epoch) {
            TrainedEpoch now;
            now.learning_rate = optimizer.learning_rate();
            now.train = training.run(train, true);
            now.val = training.run(val, false);
            if (scheduler != nullptr) scheduler->step();
            result.epochs.push_back(now);
            if (epoch == 0 || is_better(now.val, result.best().val)) {
                result.best_epoch = epoch;
                result.best_weights = trained_weights(model);
            }
            if (options.print()) print(epoch, options.num_epochs(), now);
            if (const auto on_epoch = options.on_epoch()) on_epoch(epoch, now);
        }
    } catch (const Interrupted&) {
        result.interrupted = true;
    } catch (const Error&) {
        // A progress bar throws when the interrupt button is pressed. Other errors go on.
        load_best_weights(model, result);
        if (!lanes::interrupted()) throw;
        result.interrupted = true;
    } catch (...) {
        load_best_weights(model, result);
        throw;
    }
    load_best_weights(model, result);
    model.eval();
    return result;
}

void load_best_weights(Module& model, const TrainingResult& result) {
    const NamedTensors all = model.state_dict();
    const std::map<std::string, Tensor> of_model(all.begin(), all.end());
    for (const auto& [name, tensor] : result.best_weights)
        LANES_REQUIRE(of_model.count(name) > 0 && of_model.at(name).shape() == tensor.shape(),
                      "load_best_weights: ", name, " of shape ", tensor.shape(),
                      " does not fit the model. Build it as it was trained.");
    const NoGrad no_grad;
    for (const auto& [name, tensor] : result.best_weights) Tensor(of_model.at(name)).copy_(tensor);
}

Tensor nn::predict(Module& model, const Batches& batches) {
    const NoGrad no_grad;
    const Device device = device_of(model);
    const EvaluationMode evaluating(model);
    std::vector<Tensor> parts;
    batches([&](const Tensor& x, const Tensor&) {
        // Fewer rows than examples would be taken for the whole answer.
        LANES_REQUIRE(!lanes::interrupted(), "predict: interrupted after ", parts.size(),
                      " batches.");
        parts.push_back(softmax(model(x.to(device))));
        return true;
    });
    LANES_REQUIRE(!parts.empty(), "predict: there are no examples. Is the dataset empty?");
    return cat(parts).cpu();
}

}  // namespace lanes
