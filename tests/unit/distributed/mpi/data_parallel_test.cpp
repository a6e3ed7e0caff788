#include "lanes/distributed/data_parallel.hpp"

#include "error_of.hpp"

#include "lanes/nn/layers.hpp"
#include "lanes/tensor/autograd.hpp"
#include "lanes/tensor/ops.hpp"

#include <gtest/gtest.h>

namespace lanes {
namespace {

using lanes_test::error_of;

Sequential make_model(std::uint64_t seed) {
    manual_seed(seed);
    return Sequential{Linear(6, 16), ReLU(), Linear(16, 16), ReLU(), Linear(16, 3)};
}

TensorDataset<2> examples(std::size_t count) {
    manual_seed(5);
    std::vector<int> labels;
    for (std::size_t i = 0; i < count; ++i) labels.push_back(static_cast<int>(i * i % 3));
    return TensorDataset<2>(Tensor::rand({count, 6}), Tensor::from(labels));
}

// Weights after two epochs; with a batch of 32 of 90 examples the last one has 26.
std::vector<float> train(const Communicator& comm, const DataParallelOptions& options,
                         std::uint64_t seed) {
    Sequential model = make_model(seed);
    DataParallel parallel(model, comm, options);
    SGD optimizer(model.parameters(), 0.1, SGDOptions().momentum(0.9));
    DataLoader loader(examples(90), DataLoaderOptions().batch_size(32).shuffle(true).share(
                                        comm.rank(), comm.size()));
    for (int epoch = 0; epoch < 2; ++epoch)
        for (auto& [x, y] : loader) {
            Tensor loss = cross_entropy(model(x), y);
            optimizer.zero_grad();
            parallel.backward(loss, x.shape(0));
            optimizer.step();
        }
    std::vector<float> weights;
    for (const Tensor& parameter : model.parameters()) {
        const std::vector<float> values = parameter.to_vector();
        weights.insert(weights.end(), values.begin(), values.end());
    }
    return weights;
}

TEST(DataParallel, TrainsAsOneProcessDoes) {
    const Communicator comm = Communicator::world();
    const std::vector<float> alone = train(comm.split(comm.rank()), {}, 1);
    for (const std::size_t bucket : {std::size_t{1}, std::size_t{300}, std::size_t{1} << 20})
        for (const bool overlap : {true, false}) {
            // The seeds of the ranks differ: the weights of rank 0 count.
            const auto options = DataParallelOptions().bucket_bytes(bucket).overlap(overlap);
            const std::vector<float> together =
                train(comm, options, 1 + static_cast<std::uint64_t>(comm.rank()));
            ASSERT_EQ(together.size(), alone.size());
            for (std::size_t i = 0; i < alone.size(); ++i)
                ASSERT_NEAR(together[i], alone[i], 1e-5)
                    << "weight " << i << ", buckets of " << bucket;
        }
}

TEST(DataParallel, AgreesWithTheAverageOfGradients) {
    const Communicator comm = Communicator::world();
    Sequential model = make_model(3);
    broadcast_model(model, comm);
    manual_seed(static_cast<std::uint64_t>(comm.rank()));
    const Tensor x = Tensor::rand({4, 6});
    const auto count = static_cast<std::size_t>(comm.rank() + 1);
    const auto gradients = [&] {
        std::vector<std::vector<float>> values;
        for (const Tensor& parameter : model.parameters())
            values.push_back(parameter.grad().to_vector());
        return values;
    };
    Tensor loss = sum(model(x));
    loss.backward();
    average_gradients(model, comm, count);
    const auto plain = gradients();
    model.zero_grad();
    DataParallel parallel(model, comm);
    loss = sum(model(x));
    parallel.backward(loss, count);
    const auto fast = gradients();
    for (std::size_t p = 0; p < plain.size(); ++p)
        for (std::size_t i = 0; i < plain[p].size(); ++i)
            ASSERT_NEAR(fast[p][i], plain[p][i], 1e-4);
    // A second one adds to the gradients, as backward() does.
    loss = sum(model(x));
    parallel.backward(loss, count);
    ASSERT_NEAR(gradients()[0][0], 2 * plain[0][0], 1e-4);
}

// The first step divides after the sum, later ones before, by the examples of the step before.
TEST(DataParallel, WeightsAStepOfOtherSizesThanTheOneBefore) {
    const Communicator comm = Communicator::world();
    Sequential model{Linear(4, 1)};
    DataParallel parallel(model, comm);
    for (const int more : {0, 0, 3, 1}) {
        // The gradient of a weight is the input: the rank, as the mean of rank + more + 1 examples.
        const int examples = comm.rank() + more + 1;
        Tensor loss = sum(model(Tensor::full({1, 4}, static_cast<float>(comm.rank()))));
        model.zero_grad();
        parallel.backward(loss, static_cast<std::size_t>(examples));
        const float total = comm.all_reduce(static_cast<float>(examples));
        const float mean = comm.all_reduce(static_cast<float>(comm.rank() * examples)) / total;
        EXPECT_NEAR(model.parameters()[0].grad().data()[0], mean, 1e-5) << more << " more";
    }
}

// The gradients go to the CPU for their messages, and the means back to the device.
TEST(DataParallel, LeavesAModelOnItsDevice) {
    const Communicator comm = Communicator::world();
    const auto gradients = [&](const Device& device) {
        manual_seed(3);
        Sequential model{Linear(6, 5), ReLU(), Linear(5, 3)};
        model.to(device);
        // The smaller gradients share a message, the largest one has its own.
        DataParallel parallel(model, comm, DataParallelOptions().bucket_bytes(100));
        const auto value = static_cast<float>(comm.rank() + 1);
        Tensor loss = sum(model(Tensor::full({2, 6}, value).to(device)));
        parallel.backward(loss, 2);
        std::vector<std::vector<float>> values;
        for (const Tensor& parameter : model.parameters()) {
            EXPECT_EQ(parameter.device(), device);
            EXPECT_EQ(parameter.grad().device(), device);
            values.push_back(parameter.grad().cpu().to_vector());
        }
        return values;
    };
    const auto expected = gradients(Device::cpu()), found = gradients("simulator");
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t p = 0; p < found.size(); ++p)
        for (std::size_t i = 0; i < found[p].size(); ++i)
            ASSERT_NEAR(found[p][i], expected[p][i], 1e-4) << "parameter " << p;
}

TEST(DataParallel, RefusesALossOfManyNumbers) {
    Sequential model = make_model(3);
    DataParallel parallel(model, Communicator::world());
    Tensor loss = model(Tensor::ones({1, 6}));
    EXPECT_NE(error_of([&] { parallel.backward(loss); }).find("the shape (1, 3)"),
              std::string::npos);
}

// One tensor is the gradient of both: the sum over all ranks of one must not change the other.
TEST(DataParallel, SeparatesGradientsThatAreTheSame) {
    struct Sum : Module {
        Tensor a = register_parameter("a", Tensor::ones({40000}));
        Tensor b = register_parameter("b", Tensor::ones({40000}));
        Tensor forward(const Tensor&) override { return sum(a + b); }
    } model;
    const Communicator comm = Communicator::world();
    DataParallel parallel(model, comm);
    Tensor loss = model(Tensor());
    parallel.backward(loss);
    EXPECT_EQ(model.a.grad().data()[39999], 1);
    EXPECT_EQ(model.b.grad().data()[39999], 1);
    model.a.grad().mul_(2);
    EXPECT_EQ(model.b.grad().data()[39999], 1);
}

TEST(DataParallel, KeepsAParameterThatNobodyUses) {
    struct Half : Module {
        Linear used = register_module("used", Linear(2, 2));
        Linear unused = register_module("unused", Linear(2, 2));
        Linear by_the_first = register_module("by_the_first", Linear(2, 2));
        bool first = false;
        Tensor forward(const Tensor& x) override { return first ? by_the_first(used(x)) : used(x); }
    } model;
    const Communicator comm = Communicator::world();
    model.first = comm.rank() == 0;
    DataParallel parallel(model, comm);
    Tensor loss = sum(model(Tensor::ones({1, 2})));
    parallel.backward(loss);
    EXPECT_FALSE(model.unused.parameter("weight").has_grad());
    ASSERT_TRUE(model.by_the_first.parameter("bias").has_grad());
    EXPECT_FLOAT_EQ(model.by_the_first.parameter("bias").grad().data()[0],
                    1.0f / static_cast<float>(comm.size()));
}

TEST(DataParallel, RefusesALossOfNoExamples) {
    Sequential model = make_model(3);
    DataParallel parallel(model, Communicator::world());
    Tensor loss = sum(model(Tensor::ones({1, 6})));
    EXPECT_NE(error_of([&] { parallel.backward(loss, 0); }).find("the mean of 0 examples"),
              std::string::npos);
}

}  // namespace
}  // namespace lanes
