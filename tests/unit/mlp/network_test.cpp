#include "lanes/mlp/network.hpp"

#include "error_of.hpp"
#include "lanes/array.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/mlp/sigmoid.hpp"
#include "mlp/options_of.hpp"
#include "mlp/plain_step.hpp"
#include "mlp/random_data.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>

namespace {

using lanes::Dataset;
using lanes::Error;
using lanes::Matrix;
using lanes::NeuralNetwork;
using lanes::Vector;
using lanes_test::all_images;
using lanes_test::error_of;
using lanes_test::options_of;
using lanes_test::own_matmul;
using lanes_test::random_data;

TEST(NeuralNetwork, ComputesTheExampleOfTheAssignment) {
    const float a = 0.1f, b = 0.2f, c = 0.3f, d = 0.4f, e = 0.5f, f = 0.6f, p = 0.7f, q = -0.8f,
                r = 0.9f, x0 = 1, x1 = -2;
    NeuralNetwork network({2, 3, 1}), plugged({2, 3, 1}, {}, own_matmul());
    const float h0 = lanes::sigmoid(x0 * a + x1 * b + 0), h1 = lanes::sigmoid(x0 * c + x1 * d + 1),
                h2 = lanes::sigmoid(x0 * e + x1 * f + 2);
    const float expected = lanes::sigmoid(h0 * p + h1 * q + h2 * r);
    for (NeuralNetwork* each : {&network, &plugged}) {
        each->set_weights({Matrix{{a, c, e}, {b, d, f}}, Matrix{{p}, {q}, {r}}},
                          {Vector{0, 1, 2}, Vector{0}});
        EXPECT_NEAR(each->predict(Matrix{{x0, x1}})(0, 0), expected, 1e-6f);
    }
}

TEST(NeuralNetwork, GradientsAreTheSlopesOfTheLoss) {
    const lanes::Sizes sizes{5, 4, 3};
    const auto data = random_data<double>(6, 5, 3, 0.3);
    const auto parts = lanes::plain::with_defaults(lanes::BasicNetworkParts<double>());
    lanes::Rng rng(8);
    auto weights = lanes::random_weights<double>(sizes, rng);
    auto biases = lanes::zeros_biases<double>(sizes);
    const auto loss = [&] {
        return lanes::plain::gradients(parts, sizes, weights, biases, data).loss;
    };
    const auto slopes = lanes::plain::gradients(parts, sizes, weights, biases, data);
    const auto compare = [&](double& value, double slope) {
        const double kept = value, step = 1e-5;
        value = kept + step;
        const double above = loss();
        value = kept - step;
        const double below = loss();
        value = kept;
        EXPECT_NEAR((above - below) / (2 * step), slope, 1e-8);
    };
    for (std::size_t layer = 0; layer < 2; ++layer) {
        for (std::size_t i = 0; i < weights[layer].size(); ++i)
            compare(weights[layer].data()[i], slopes.weights[layer].data()[i]);
        for (std::size_t i = 0; i < biases[layer].size(); ++i)
            compare(biases[layer].data()[i], slopes.biases[layer].data()[i]);
    }
}

TEST(NeuralNetwork, TheSameSeedGivesTheSameNetwork) {
    const Dataset data = random_data(100, 20, 4, 0.5);
    const auto trained = [&](std::uint64_t seed) {
        NeuralNetwork network({20, 64, 4}, options_of(0.1, 8, 5, seed));
        network.fit(data, 2);
        return network.weights()[0];
    };
    EXPECT_EQ(trained(1), trained(1));
    EXPECT_NE(trained(1), trained(2));
}

TEST(NeuralNetwork, TakesAllImagesInANewOrderEachEpoch) {
    const Dataset data = random_data(50, 3, 2, 0);
    NeuralNetwork network({3, 2}, options_of(0.1, 16, all_images));
    std::vector<const float*> orders[2];
    for (auto& order : orders) {
        const auto batches = network.create_batches(data);
        EXPECT_EQ(batches.size(), 4u);
        EXPECT_EQ(batches.back().size(), 2u);
        for (const auto& batch : batches)
            for (std::size_t i = 0; i < batch.size(); ++i) order.push_back(batch.x(i));
        EXPECT_EQ(std::set<const float*>(order.begin(), order.end()).size(), 50u);
    }
    EXPECT_NE(orders[0], orders[1]);
}

TEST(NeuralNetwork, RandomBatchesHoldDifferentImages) {
    const Dataset data = random_data(20, 3, 2, 0);
    NeuralNetwork network({3, 2}, options_of(0.1, 16, 300));
    const auto batches = network.create_batches(data);
    ASSERT_EQ(batches.size(), 300u);
    std::set<const float*> all;
    for (const auto& batch : batches) {
        std::set<const float*> inside;
        for (std::size_t i = 0; i < batch.size(); ++i) inside.insert(batch.x(i));
        EXPECT_EQ(inside.size(), 16u);
        all.insert(inside.begin(), inside.end());
    }
    EXPECT_EQ(all.size(), 20u);
    NeuralNetwork greedy({3, 2}, options_of(0.1, 21, 1));
    EXPECT_NE(error_of([&] {
                  greedy.create_batches(data);
              }).find("batches of 21 different images from 20"),
              std::string::npos);
}

TEST(NeuralNetwork, PrintsTheLineOfTheAssignment) {
    EXPECT_EQ(lanes::epoch_line({3, 0.1, 0.7339, 1}), "Epoch 3, accuracy 73.39 %.");
    EXPECT_EQ(lanes::epoch_line({3, 0.125, {}, 1}), "Epoch 3, loss 0.1250.");
    const Dataset data = random_data(32, 3, 2, 0);
    NeuralNetwork network({3, 2}, options_of(0.1, 16, 2));
    testing::internal::CaptureStdout();
    network.fit(data, 2);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(network.history().size(), 2u);
    EXPECT_EQ(network.history()[0].accuracy, std::nullopt);
    testing::internal::CaptureStdout();
    network.fit(data, data, 2);
    const std::string printed = testing::internal::GetCapturedStdout();
    EXPECT_EQ(printed, lanes::epoch_line(network.history()[0]) + "\n" +
                           lanes::epoch_line(network.history()[1]) + "\n");
    network.print_epochs(false);
    testing::internal::CaptureStdout();
    network.fit(data, data, 2);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(NeuralNetwork, ContinuesFromWeightsThatWereSetDuringFit) {
    const Dataset data = random_data(32, 12, 3, 0.0);
    NeuralNetwork network({12, 8, 3}, options_of(0.1, 8, 4, 1));
    network.print_epochs(false);
    network.on_epoch([&](const lanes::EpochReport& report) {
        if (report.epoch > 1) return;
        auto weights = network.weights();
        weights[0](0, 0) = NAN;
        network.set_weights(weights, network.biases());
    });
    network.fit(data, 2);
    EXPECT_TRUE(std::isnan(network.weights()[1](0, 0)));
}

TEST(NeuralNetwork, ACopyMadeDuringFitIsIndependent) {
    const Dataset data = random_data(32, 12, 3, 0.0);
    NeuralNetwork network({12, 8, 3}, options_of(0.1, 8, 4, 1)), copy = network;
    network.print_epochs(false);
    network.on_epoch([&](const lanes::EpochReport&) { copy = network; });
    network.fit(data, 2);
    const auto weights = network.weights();
    EXPECT_EQ(copy.weights(), weights);
    copy.on_epoch({});
    copy.fit(data, 2);
    EXPECT_NE(copy.weights(), weights);
    EXPECT_EQ(network.weights(), weights);
}

TEST(NeuralNetwork, ReportsItsProgress) {
    const Dataset data = random_data(64, 3, 2, 0);
    NeuralNetwork network({3, 2}, options_of(0.1, 16, 100)), quiet({3, 2}, network.options());
    std::vector<std::size_t> done;
    int epochs = 0;
    network.on_progress([&](const lanes::TrainingProgress& p) {
        EXPECT_EQ(p.batches, 100u);
        EXPECT_EQ(p.epochs, 2u);
        done.push_back((p.epoch - 1) * 100 + p.batches_done);
    });
    network.on_epoch([&](const lanes::EpochReport& report) {
        EXPECT_EQ(report.epoch, static_cast<std::size_t>(++epochs));
    });
    network.fit(data, 2);
    quiet.fit(data, 2);
    EXPECT_EQ(epochs, 2);
    EXPECT_EQ(done.size(), 40u);
    EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
    EXPECT_EQ(done.back(), 200u);
    EXPECT_EQ(network.weights()[0], quiet.weights()[0]);  // observing does not change anything
}

TEST(NeuralNetwork, RefusesWrongSizesWithTheShapes) {
    NeuralNetwork network({4, 3});
    EXPECT_NE(error_of([&] {
                  network.fit(random_data(20, 5, 3, 0));
              }).find("images (20, 5) and labels (20, 3) for a network of sizes (4, 3)"),
              std::string::npos);
    EXPECT_NE(error_of([&] { network.accuracy(random_data(20, 4, 2, 0)); }).find("labels (20, 2)"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  network.predict(xt::ones<float>({2, 3}));
              }).find("(2, 3) for a network of sizes (4, 3)"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  network.set_weights({Matrix{{1}}}, {Vector{1}});
              }).find("weights 0 have shape (1, 1), expected (4, 3)"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                  network.fit({xt::ones<float>({3, 4}), xt::ones<float>({2, 3})});
              }).find("3 images but 2 labels"),
              std::string::npos);
    EXPECT_THROW(NeuralNetwork({4}), Error);
    EXPECT_THROW(NeuralNetwork({4, 0}), Error);
    EXPECT_THROW(NeuralNetwork({4, 3}, options_of(-1, 16, 16)), Error);
    EXPECT_THROW(NeuralNetwork({4, 3}, options_of(1, 0, 16)), Error);
    EXPECT_THROW(NeuralNetwork({4, 3}, options_of(1, 16, 0)), Error);
    EXPECT_THROW(network.fit({}), Error);
}

class Folder {
public:
    Folder()
        : path(std::filesystem::temp_directory_path() / ("lanes-nn-" + std::to_string(getpid()))) {}
    ~Folder() { std::filesystem::remove_all(path); }
    const std::filesystem::path path;
};

TEST(NeuralNetwork, SavesAndLoadsItsWeights) {
    const Folder folder;
    const Dataset data = random_data(64, 6, 3, 0);
    NeuralNetwork network({6, 5, 3}, options_of(0.1, 16, 4, 1));
    NeuralNetwork other({6, 5, 3}, options_of(0.1, 16, 4, 2));
    network.fit(data, 1);
    network.save(folder.path.string());
    EXPECT_NE(network.weights()[0], other.weights()[0]);
    other.load(folder.path.string());
    EXPECT_EQ(network.weights(), other.weights());
    EXPECT_EQ(network.biases(), other.biases());
    NeuralNetwork narrow({6, 4, 3});
    const std::string wrong = error_of([&] { narrow.load(folder.path.string()); });
    EXPECT_NE(wrong.find("weights_0.npy"), std::string::npos) << wrong;
    EXPECT_NE(wrong.find("the shape (6, 5), this network needs (6, 4)"), std::string::npos)
        << wrong;
    lanes::BasicNeuralNetwork<double> wide({6, 5, 3});
    EXPECT_NE(error_of([&] { wide.load(folder.path.string()); }).find("'<f4', expected '<f8'"),
              std::string::npos);
    std::filesystem::resize_file(folder.path / "biases_1.npy",
                                 std::filesystem::file_size(folder.path / "biases_1.npy") - 1);
    EXPECT_NE(error_of([&] { other.load(folder.path.string()); }).find("cut off"),
              std::string::npos);
    std::ofstream(folder.path / "biases_1.npy") << "no numbers";
    EXPECT_NE(error_of([&] {
                  other.load(folder.path.string());
              }).find("does not begin like an .npy file"),
              std::string::npos);
    std::filesystem::remove(folder.path / "biases_1.npy");
    EXPECT_NE(error_of([&] { other.load(folder.path.string()); }).find("is not a file"),
              std::string::npos);
    EXPECT_EQ(network.weights(), other.weights());  // a failed load changes nothing
}

TEST(NeuralNetwork, LoadRefusesAFolderWithMoreLayers) {
    const Folder folder;
    const NeuralNetwork longer({6, 5, 3});
    NeuralNetwork shorter({6, 5});
    longer.save(folder.path.string());
    EXPECT_EQ(error_of([&] { shorter.load(folder.path.string()); }),
              "NeuralNetwork::load: '" + folder.path.string() +
                  "' holds a network of sizes (6, 5, 3), this network has (6, 5). Load it into a "
                  "network of the sizes it was saved from.");
    shorter.save(folder.path.string());  // replaces the longer one
    NeuralNetwork again({6, 5}, options_of(0.1, 16, all_images, 2));
    again.load(folder.path.string());
    EXPECT_EQ(again.weights(), shorter.weights());
}

// While it exists no file can become larger than this, as on a full disk.
class LimitedFiles {
public:
    explicit LimitedFiles(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    LimitedFiles(const LimitedFiles&) = delete;
    LimitedFiles& operator=(const LimitedFiles&) = delete;
    ~LimitedFiles() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    void (*handler_)(int);
    rlimit before_{};
};

TEST(NeuralNetwork, AFailedSaveLeavesTheFilesAsTheyWere) {
    const Folder folder;
    const NeuralNetwork before({6, 5, 300}, options_of(0.1, 16, all_images, 1));
    const NeuralNetwork after({6, 5, 300}, options_of(0.1, 16, all_images, 2));
    before.save(folder.path.string());
    {
        const LimitedFiles too_small(4000);  // the second layer needs 6000 bytes
        EXPECT_EQ(error_of([&] { after.save(folder.path.string()); }),
                  "NeuralNetwork::save: '" + (folder.path / "weights_1.npy").string() +
                      "' cannot be written. Check the folder and the space on the disk.");
    }
    NeuralNetwork loaded({6, 5, 300});
    loaded.load(folder.path.string());
    EXPECT_EQ(loaded.weights(), before.weights());
    const auto files = std::distance(std::filesystem::directory_iterator(folder.path), {});
    EXPECT_EQ(files, 4);  // no part of the new ones
    after.save(folder.path.string());
    loaded.load(folder.path.string());
    EXPECT_EQ(loaded.weights(), after.weights());
}

TEST(NeuralNetwork, CreateBatchesRefusesImagesWithoutLabels) {
    const Dataset uneven{xt::ones<float>({4, 3}), xt::ones<float>({1, 2})};
    for (const std::optional<std::size_t> batches : {std::optional<std::size_t>(), {2}}) {
        NeuralNetwork network({3, 2}, options_of(0.1, 2, batches));
        EXPECT_EQ(error_of([&] { network.create_batches(uneven); }),
                  "Batch: 4 images but 1 labels. Give one label for each image.");
    }
}

class Backwards : public NeuralNetwork {
public:
    using NeuralNetwork::NeuralNetwork;
    std::vector<lanes::Batch> create_batches(const Dataset& training) override {
        ++calls;
        return {lanes::Batch(lanes::rows_of(training, {2, 1, 0})), lanes::Batch(training, {3})};
    }
    int calls = 0;
};

TEST(NeuralNetwork, TrainsOnTheBatchesOfADerivedClass) {
    const Dataset data = random_data(4, 3, 2, 0);
    Backwards network({3, 2}), plugged({3, 2}, {}, own_matmul());
    network.fit(data, 5);
    plugged.fit(data, 5);
    EXPECT_EQ(network.calls, 5);
    lanes::require_close(network.weights()[0], plugged.weights()[0]);
}

TEST(NeuralNetwork, LearnsMnistWithTheOptionsOfTheAssignment) {
    const auto data = lanes::load_mnist();
    NeuralNetwork network({784, 128, 64, 10}, options_of(0.1, 16, all_images, 1));
    network.print_epochs(false);
    network.fit(data.train, data.validation, 2);
    EXPECT_GT(network.history()[0].accuracy, 0.9);
    EXPECT_GT(network.history()[1].accuracy, network.history()[0].accuracy);
    EXPECT_LT(network.history()[1].loss, network.history()[0].loss);
    EXPECT_GT(network.accuracy(data.test), 0.935);
}

}  // namespace
