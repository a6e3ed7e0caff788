// Trains a model for some epochs, each with a training and a validation phase, and keeps the best
// weights. Introduced in lesson 09_transfer_learning.
//
//   #include "lanes/data.hpp"
//   #include "lanes/notebook.hpp"
//   const lanes::ImageFolder folder("split/train", lanes::transforms::training());
//   const lanes::ImageFolder unseen("split/val", lanes::transforms::evaluation());
//   lanes::DataLoader train(folder, lanes::DataLoaderOptions().batch_size(8).shuffle(true));
//   lanes::DataLoader val(unseen, lanes::DataLoaderOptions().batch_size(8));
//   lanes::ResNet net = lanes::pretrained_resnet18();
//   net.requires_grad_(false);
//   net.fc = lanes::Linear(512, 2);
//   lanes::Adam optimizer(net.fc.parameters(), 1e-3);
//   lanes::StepLR scheduler(optimizer, 7);
//   lanes::TrainModelOptions options;
//   options.num_epochs(100);
//   lanes::Progress bar("training", options.num_epochs() * (train.size() + val.size()));
//   options.on_batch([&](std::size_t done) { bar.at(done); });
//   const auto result = lanes::train_model(net, train, val, optimizer, scheduler, options);
//   lanes::save_training("plates.npz", result);
//   const auto guess = lanes::classify(net, "my_plate.jpg", folder.classes()).front();
//
// After an interrupt, too, the model has the best weights so far, and the result is returned.
#pragma once

#include "lanes/base/option.hpp"
#include "lanes/data/data_loader.hpp"
#include "lanes/nn/module.hpp"
#include "lanes/nn/optim.hpp"
#include "lanes/tensor/tensor.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lanes {

struct PhaseResult {
    double loss = 0;      // mean over the examples
    double accuracy = 0;  // share of right answers, 0 to 1
    double seconds = 0;
};

struct TrainedEpoch {
    PhaseResult train;
    PhaseResult val;
    double learning_rate = 0;  // in this epoch
};

struct TrainingResult {
    std::vector<TrainedEpoch> epochs;
    std::size_t best_epoch = 0;  // the highest accuracy in validation; if equal, the lowest loss
    NamedTensors best_weights;   // buffers, and the parameters that were trained
    bool interrupted = false;

    const TrainedEpoch& best() const;  // throws Error if no epoch was finished
    // One column of the history, for plots: losses(&TrainedEpoch::val)
    std::vector<double> losses(PhaseResult TrainedEpoch::* phase) const;
    std::vector<double> accuracies(PhaseResult TrainedEpoch::* phase) const;
};

class TrainModelOptions {
public:
    using OnBatch = std::function<void(std::size_t done)>;
    using OnEpoch = std::function<void(std::size_t epoch, const TrainedEpoch& result)>;
    using Loss = std::function<Tensor(const Tensor& logits, const Tensor& labels)>;

    LANES_OPTION(TrainModelOptions, std::size_t, num_epochs, 1)
    // A line per epoch.
    LANES_OPTION(TrainModelOptions, bool, print, true)
    // Called after each batch of both phases, with the number of batches so far.
    LANES_OPTION(TrainModelOptions, OnBatch, on_batch, {})
    LANES_OPTION(TrainModelOptions, OnEpoch, on_epoch, {})
    // Cross entropy if it is empty.
    LANES_OPTION(TrainModelOptions, Loss, loss, {})
};

namespace nn {

// The batches of one epoch: calls its argument with images and labels until that returns false.
using Visit = std::function<bool(const Tensor& x, const Tensor& labels)>;
using Batches = std::function<void(const Visit& visit)>;

template <std::size_t N>
Batches batches_of(DataLoader<N>& loader) {
    static_assert(N >= 2, "train_model: a batch must have images and labels");
    return [&loader](const Visit& visit) {
        for (auto& batch : loader)
            if (!visit(batch[0], batch[1])) break;
    };
}

TrainingResult train(Module& model, const Batches& train, const Batches& val, Optimizer& optimizer,
                     Scheduler* scheduler, const TrainModelOptions& options);
Tensor predict(Module& model, const Batches& batches);

}  // namespace nn

// The scheduler steps after each epoch. Batches are copied to the model's device. When it returns,
// the model has the best weights, and is in evaluation mode. If it throws, the model has the best
// weights so far.
template <std::size_t N, std::size_t M>
TrainingResult train_model(Module& model, DataLoader<N>& train, DataLoader<M>& val,
                           Optimizer& optimizer, Scheduler& scheduler,
                           const TrainModelOptions& options = {}) {
    return nn::train(model, nn::batches_of(train), nn::batches_of(val), optimizer, &scheduler,
                     options);
}
template <std::size_t N, std::size_t M>
TrainingResult train_model(Module& model, DataLoader<N>& train, DataLoader<M>& val,
                           Optimizer& optimizer, const TrainModelOptions& options = {}) {
    return nn::train(model, nn::batches_of(train), nn::batches_of(val), optimizer, nullptr,
                     options);
}

// Copies result.best_weights into the model.
void load_best_weights(Module& model, const TrainingResult& result);

// History and best weights, as .npz or .safetensors.
void save_training(const std::string& path, const TrainingResult& result);
TrainingResult load_training(const std::string& path);

// Probabilities of the classes, (examples, classes) on the CPU, in the order of the loader. The
// model is in evaluation mode meanwhile.
template <std::size_t N>
Tensor predict(Module& model, DataLoader<N>& loader) {
    return nn::predict(model, nn::batches_of(loader));
}

struct Prediction {
    std::string name;  // of the class
    int label = 0;
    float probability = 0;
};

// What the model says to one picture, the most likely class first. size: of the square that the
// picture is resized to. top: how many classes; 0: all.
std::vector<Prediction> classify(Module& model, const std::string& path,
                                 const std::vector<std::string>& classes, std::size_t top = 0,
                                 std::size_t size = 224);

}  // namespace lanes
