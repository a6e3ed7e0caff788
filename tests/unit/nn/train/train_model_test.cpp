#include "lanes/nn/train_model.hpp"

#include "data/files.hpp"
#include "error_of.hpp"
#include "interrupt_button.hpp"
#include "lanes/nn/layers.hpp"
#include "lanes/nn/resnet.hpp"
#include "lanes/nn/tensor_files.hpp"
#include "lanes/tensor/ops.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::DataLoader;
using lanes::Tensor;
using lanes::TrainedEpoch;
using lanes::TrainingResult;
using lanes::TrainModelOptions;
using lanes_test::error_of;
using lanes_test::interrupt_pressed;

// Points left and right of a line.
lanes::TensorDataset<2> points(std::size_t count, std::uint64_t seed) {
    lanes::Rng rng(seed);
    std::vector<float> x;
    std::vector<int> labels;
    for (std::size_t i = 0; i < count; ++i) {
        x.push_back(static_cast<float>(rng.normal()));
        x.push_back(static_cast<float>(rng.normal()));
        labels.push_back(x[2 * i] + 0.5f * x[2 * i + 1] > 0 ? 1 : 0);
    }
    return lanes::TensorDataset(Tensor::from(x).reshape({count, 2}), Tensor::from(labels));
}

class TrainModel : public ::testing::Test {
protected:
    TrainModel() {
        lanes::manual_seed(1);
        model_ = lanes::Sequential{lanes::Linear(2, 8), lanes::ReLU(), lanes::Linear(8, 2)};
        options_.num_epochs(12);
        options_.print(false);
    }
    ~TrainModel() override { interrupt_pressed = 0; }

    lanes::Sequential model_;
    DataLoader<2> train_{points(64, 1), lanes::DataLoaderOptions().batch_size(8).shuffle(true)};
    DataLoader<2> val_{points(40, 2), lanes::DataLoaderOptions().batch_size(8)};
    TrainModelOptions options_;
};

TEST_F(TrainModel, learns_and_reports_each_epoch) {
    lanes::Adam optimizer(model_.parameters(), 0.02);
    lanes::StepLR scheduler(optimizer, 7);
    std::size_t batches = 0;
    options_.on_batch([&](std::size_t done) { EXPECT_EQ(done, ++batches); });
    const TrainingResult result =
        lanes::train_model(model_, train_, val_, optimizer, scheduler, options_);
    ASSERT_EQ(result.epochs.size(), 12u);
    EXPECT_EQ(batches, 12u * (8 + 5));
    EXPECT_LT(result.epochs.back().train.loss, 0.6 * result.epochs.front().train.loss);
    EXPECT_GT(result.best().val.accuracy, 0.9);
    EXPECT_DOUBLE_EQ(result.epochs[6].learning_rate, 0.02);
    EXPECT_DOUBLE_EQ(result.epochs[7].learning_rate, 0.002);
    EXPECT_EQ(result.accuracies(&TrainedEpoch::val)[result.best_epoch], result.best().val.accuracy);
    EXPECT_FALSE(model_.training());
}

TEST_F(TrainModel, the_model_has_the_best_weights_at_the_end) {
    lanes::SGD optimizer(model_.parameters(), 0.1);
    // from the fifth epoch on, training only harms
    options_.on_epoch([&](std::size_t epoch, const TrainedEpoch&) {
        if (epoch == 4) optimizer.set_learning_rate(50);
    });
    const TrainingResult result = lanes::train_model(model_, train_, val_, optimizer, options_);
    EXPECT_LE(result.best_epoch, 4u);
    EXPECT_GT(result.best().val.accuracy, result.epochs.back().val.accuracy);
    const Tensor probabilities = lanes::predict(model_, val_);
    EXPECT_EQ(probabilities.shape(), (lanes::Shape{40, 2}));
    const auto data = points(40, 2);
    EXPECT_NEAR(lanes::accuracy(probabilities, data.tensors()[1]), result.best().val.accuracy,
                1e-6);
}

TEST_F(TrainModel, an_interrupt_keeps_the_best_weights_so_far) {
    for (const bool bar_throws : {false, true}) {
        interrupt_pressed = 0;
        lanes::SGD optimizer(model_.parameters(), 0.1);
        options_.on_batch([&](std::size_t done) {
            if (done == 3 * 13 + 2) interrupt_pressed = 1;
            if (bar_throws && interrupt_pressed) throw lanes::Error("Progress: interrupted.");
        });
        const TrainingResult result = lanes::train_model(model_, train_, val_, optimizer, options_);
        EXPECT_TRUE(result.interrupted);
        EXPECT_EQ(result.epochs.size(), 3u);
        for (const auto& [name, tensor] : result.best_weights)
            EXPECT_EQ(model_.parameter(name).to_vector(), tensor.to_vector()) << name;
    }
}

TEST_F(TrainModel, an_interrupt_ends_the_forward_pass_of_a_residual_block) {
    lanes::BasicBlock block(2, 2);
    const Tensor x = Tensor::rand({1, 2, 4, 4});
    EXPECT_EQ(block(x).shape(), x.shape());
    interrupt_pressed = 1;
    EXPECT_EQ(error_of([&] { block(x); }), "conv2d: interrupted.");
}

// Fewer rows than examples would be taken for a whole prediction.
TEST_F(TrainModel, an_interrupt_ends_predict_with_an_error) {
    interrupt_pressed = 1;
    EXPECT_NE(error_of([&] { lanes::predict(model_, val_); }).find("interrupted"),
              std::string::npos);
    EXPECT_TRUE(model_.training());
}

struct Throwing : lanes::Module {
    Tensor forward(const Tensor&) override { throw lanes::Error("forward: no."); }
};

TEST_F(TrainModel, predict_leaves_the_modes_of_all_layers_as_they_were) {
    lanes::Sequential model{lanes::Linear(2, 2), lanes::Dropout()};
    model[1].eval();
    lanes::predict(model, val_);
    EXPECT_TRUE(model.training());
    EXPECT_TRUE(model[0].training());
    EXPECT_FALSE(model[1].training());
    model.append(Throwing());
    EXPECT_EQ(error_of([&] { lanes::predict(model, val_); }), "forward: no.");
    EXPECT_TRUE(model.training());
    EXPECT_TRUE(model[0].training());
    EXPECT_FALSE(model[1].training());
}

TEST_F(TrainModel, any_exception_leaves_the_best_weights) {
    lanes::SGD optimizer(model_.parameters(), 0.1);
    std::vector<float> best;
    double highest = 0;
    options_.on_epoch([&](std::size_t, const TrainedEpoch& epoch) {
        if (!best.empty() && epoch.val.accuracy <= highest) return;
        highest = epoch.val.accuracy;
        best = model_.parameters()[0].to_vector();
    });
    options_.on_batch([](std::size_t done) {
        if (done == 3 * 13 + 2) throw std::runtime_error("not lanes::Error");
    });
    EXPECT_THROW(lanes::train_model(model_, train_, val_, optimizer, options_), std::runtime_error);
    EXPECT_EQ(model_.parameters()[0].to_vector(), best);
}

TEST_F(TrainModel, other_errors_are_not_hidden) {
    lanes::SGD optimizer(model_.parameters(), 0.1);
    options_.on_batch([](std::size_t) { throw lanes::Error("on_batch: no."); });
    EXPECT_EQ(error_of([&] { lanes::train_model(model_, train_, val_, optimizer, options_); }),
              "on_batch: no.");
    options_.num_epochs(0);
    EXPECT_EQ(error_of([&] { lanes::train_model(model_, train_, val_, optimizer, options_); }),
              "train_model: 0 epochs. Ask for at least one.");
}

TEST_F(TrainModel, a_result_is_saved_and_loaded) {
    const files::Folder folder;
    lanes::SGD optimizer(model_.parameters(), 0.1);
    const TrainingResult result = lanes::train_model(model_, train_, val_, optimizer, options_);
    lanes::save_training(folder.path("a.npz"), result);
    const TrainingResult again = lanes::load_training(folder.path("a.npz"));
    EXPECT_EQ(again.best_epoch, result.best_epoch);
    ASSERT_EQ(again.epochs.size(), result.epochs.size());
    EXPECT_FLOAT_EQ(static_cast<float>(again.best().val.loss),
                    static_cast<float>(result.best().val.loss));
    lanes::Sequential other{lanes::Linear(2, 8), lanes::ReLU(), lanes::Linear(8, 2)};
    lanes::load_best_weights(other, again);
    EXPECT_EQ(other.parameter("2.weight").to_vector(), model_.parameter("2.weight").to_vector());
    lanes::Sequential smaller{lanes::Linear(2, 4), lanes::ReLU(), lanes::Linear(4, 2)};
    EXPECT_NE(error_of([&] { lanes::load_best_weights(smaller, again); }).find("0.weight"),
              std::string::npos);
    lanes::save_tensors(folder.path("b.npz"), {{"x", Tensor::ones({2})}});
    EXPECT_NE(error_of([&] { lanes::load_training(folder.path("b.npz")); }).find("b.npz"),
              std::string::npos);
    for (const std::vector<int>& best : {std::vector<int>{}, {0, 0}, {-1}}) {
        lanes::save_tensors(folder.path("c.npz"), {{"history", Tensor::ones({1, 7})},
                                                   {"best_epoch", Tensor::from(best)}});
        EXPECT_NE(error_of([&] { lanes::load_training(folder.path("c.npz")); }).find("c.npz"),
                  std::string::npos);
    }
}

}  // namespace
