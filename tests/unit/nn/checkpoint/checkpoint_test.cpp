#include "lanes/nn/checkpoint.hpp"

#include "error_of.hpp"
#include "folder.hpp"
#include "tensor/devices.hpp"

#include "lanes/nn/layers.hpp"
#include "lanes/nn/tensor_files.hpp"
#include "lanes/tensor.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

namespace lanes {

using lanes_test::error_of;
using lanes_test::Folder;

namespace {

using MakeOptimizer = std::function<std::unique_ptr<Optimizer>(std::vector<Tensor>)>;

const MakeOptimizer sgd = [](std::vector<Tensor> parameters) {
    return std::make_unique<SGD>(std::move(parameters), 0.1,
                                 SGDOptions().momentum(0.9).weight_decay(1e-4));
};
const MakeOptimizer adam = [](std::vector<Tensor> parameters) {
    return std::make_unique<Adam>(std::move(parameters), 0.01);
};

// A model with all that a checkpoint holds: parameters, buffers, dropout, a schedule.
struct Training {
    Sequential model{Conv2d(1, 2, 3), BatchNorm2d(2), ReLU(),
                     Flatten(),       Dropout(0.3f),  Linear(32, 3)};
    std::unique_ptr<Optimizer> optimizer;
    StepLR scheduler;

    Training(const MakeOptimizer& make, const Device& device)
        : optimizer((model.to(device), make(model.parameters()))), scheduler(*optimizer, 3, 0.5) {}

    void epochs(int count) {
        const Device device = model.parameter("0.weight").device();
        for (int i = 0; i < count; ++i) {
            // drawn from the same generator as dropout
            const Tensor x = Tensor::rand({4, 1, 6, 6}, device);
            const Tensor labels = Tensor::from(std::vector<int>{0, 2, 1, 1}, device);
            Tensor loss = cross_entropy(model(x), labels);
            optimizer->zero_grad();
            loss.backward();
            optimizer->step();
            scheduler.step();
        }
    }

    std::vector<std::vector<float>> values() const {
        std::vector<std::vector<float>> all;
        for (const auto& [name, tensor] : model.state_dict())
            all.push_back(tensor.detach().cpu().to_vector());
        for (const auto& [name, tensor] : optimizer->state().tensors)
            all.push_back(tensor.cpu().to_vector());
        return all;
    }
};

void expect_same_bits(const MakeOptimizer& make, const std::string& ending, const Device& device) {
    const Folder folder;
    const std::string path = folder.file("training" + ending);
    manual_seed(11);
    Training whole(make, device);
    whole.epochs(4);

    manual_seed(11);
    Training first(make, device);
    first.epochs(2);
    save_checkpoint(path, first.model, *first.optimizer, 2);
    manual_seed(99);  // as in a new process: other weights, another generator
    Training second(make, device);
    EXPECT_EQ(load_checkpoint(path, second.model, *second.optimizer), 2u);
    second.epochs(2);
    EXPECT_EQ(second.values(), whole.values());
    EXPECT_EQ(second.optimizer->learning_rate(), whole.optimizer->learning_rate());
    const std::vector<float> next = Tensor::rand({3}).to_vector();
    manual_seed(11);
    Training again(make, device);
    again.epochs(4);
    EXPECT_EQ(next, Tensor::rand({3}).to_vector());
}

}  // namespace

class Checkpoint : public OnEachDevice {};
INSTANTIATE_ON_EACH_DEVICE(Checkpoint);

TEST_P(Checkpoint, ATrainingWithMomentumGoesOnBitForBit) {
    expect_same_bits(sgd, ".safetensors", device());
}

TEST_P(Checkpoint, ATrainingWithAdamGoesOnBitForBit) { expect_same_bits(adam, ".npz", device()); }

TEST(Checkpoints, OfAnotherModelOrOptimizerAreErrorsAndChangeNothing) {
    const Folder folder;
    const std::string path = folder.file("x.npz");
    Training saved(sgd, "cpu");
    saved.epochs(1);
    save_checkpoint(path, saved.model, *saved.optimizer, 1);
    Training other(adam, "cpu");
    const auto before = other.values();
    EXPECT_EQ(error_of([&] { load_checkpoint(path, other.model, *other.optimizer); }),
              "load_checkpoint: '" + path +
                  "': load_state: the state of SGD for Adam. Make the optimizer that was saved.");
    EXPECT_EQ(other.values(), before);
    Sequential smaller{Linear(2, 2)};
    SGD optimizer(smaller.parameters(), 0.1);
    const std::string error = error_of([&] { load_checkpoint(path, smaller, optimizer); });
    EXPECT_NE(error.find("\"0.weight\" has the shape (2, 1, 3, 3), the module's (2, 2)"),
              std::string::npos)
        << error;
    save_weights(path, saved.model);
    EXPECT_EQ(error_of([&] { load_checkpoint(path, saved.model, *saved.optimizer); }),
              "load_checkpoint: '" + path +
                  "' has no \"epoch\" of type I64. It is no checkpoint; load_weights reads the "
                  "weights of a model alone.");
}

}  // namespace lanes
