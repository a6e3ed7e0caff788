#include "cases.hpp"

#include "lanes/base/rng.hpp"
#include "tensor/devices.hpp"

#include <cmath>
#include <functional>

namespace lanes {
namespace {

class EachOperation : public testing::TestWithParam<std::tuple<std::string, OperationCase>> {
protected:
    void SetUp() override {
        skip_without_gpu(std::get<0>(GetParam()));
        if (IsSkipped()) return;
        const Device device = std::get<0>(GetParam());
        Rng rng(7);
        for (const Shape& shape : the_case().shapes) {
            std::vector<float> values(shape.count());
            for (float& value : values)
                value = static_cast<float>(the_case().positive ? rng.uniform(0.5, 2)
                                                               : rng.uniform(-2, 2));
            inputs_.push_back(Tensor::from(values).reshape(shape).to(device));
            doubles_.emplace_back(shape, std::vector<double>(values.begin(), values.end()));
        }
    }
    static const OperationCase& the_case() { return std::get<1>(GetParam()); }

    static std::vector<double> random_weights(std::size_t count) {
        Rng rng(8);
        std::vector<double> weights(count);
        for (double& weight : weights) weight = static_cast<float>(rng.uniform(0.5, 1.5));
        return weights;
    }

    // The sum of the results, each with its weight.
    static double weighted(const std::vector<Doubles>& inputs, const std::vector<double>& weights) {
        const Doubles y = the_case().expected(inputs);
        double sum = 0;
        for (std::size_t i = 0; i < y.size(); ++i) sum += weights[i] * y[i];
        return sum;
    }

    std::vector<Tensor> inputs_;
    std::vector<Doubles> doubles_;
};

TEST_P(EachOperation, ComputesWhatThePlainLoopsDo) {
    const Tensor y = the_case().compute(inputs_);
    const Doubles expected = the_case().expected(doubles_);
    EXPECT_EQ(y.shape().text(), expected.shape.text());
    EXPECT_EQ(y.device(), inputs_[0].device());
    const std::vector<float> values = y.cpu().to_vector();
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(values[i], expected[i], 2e-5 + 1e-5 * std::abs(expected[i])) << "element " << i;
}

TEST_P(EachOperation, HasTheGradientOfCentralDifferences) {
    for (Tensor& input : inputs_) input.requires_grad_();
    Tensor y = the_case().compute(inputs_);
    const std::vector<double> weights = random_weights(y.size());
    y.backward(Tensor::from(weights).reshape(y.shape()).to(y.device()));
    constexpr double step = 1e-5;
    for (std::size_t input = 0; input < inputs_.size(); ++input) {
        const std::vector<float> gradient = inputs_[input].grad().cpu().to_vector();
        EXPECT_EQ(inputs_[input].grad().shape(), inputs_[input].shape());
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            std::vector<Doubles> moved = doubles_;
            moved[input][i] += step;
            const double above = weighted(moved, weights);
            moved[input][i] -= 2 * step;
            const double slope = (above - weighted(moved, weights)) / (2 * step);
            EXPECT_NEAR(gradient[i], slope, 1e-4 + 1e-4 * std::abs(slope))
                << "input " << input << ", element " << i;
        }
    }
}

// Through detach() and through a slice, of the inputs and of the result.
TEST_P(EachOperation, NoticesChangesInPlaceOfWhatItNeeds) {
    for (Tensor& input : inputs_) input.requires_grad_();
    const auto gradients = [&](const std::function<void(Tensor&)>& change) {
        for (Tensor& input : inputs_) input.zero_grad();
        Tensor y = the_case().compute(inputs_);
        change(y);
        y.backward(Tensor::ones(y.shape(), y.device()));
        std::vector<std::vector<float>> all;
        for (const Tensor& input : inputs_) all.push_back(input.grad().cpu().to_vector());
        return all;
    };
    const auto expected = gradients([](Tensor&) {});
    const auto expect_same_or_error = [&](const std::function<void(Tensor&)>& change,
                                          const std::string& what) {
        try {
            EXPECT_EQ(gradients(change), expected) << what;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("changed in place"), std::string::npos)
                << error.what();
        }
    };
    const auto damage = [](const Tensor& x) {
        Tensor flat = x.detach().reshape({x.size()});
        flat.slice(0, 1).fill_(1.75f);
        flat.mul_(1.25f);
    };
    expect_same_or_error([&](Tensor& y) { damage(y); }, "result");
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const Tensor before = inputs_[i].detach().clone();
        expect_same_or_error([&](Tensor&) { damage(inputs_[i]); }, "input " + std::to_string(i));
        inputs_[i].detach().copy_(before);
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, EachOperation,
                         testing::Combine(device_names(), testing::ValuesIn(cases())),
                         [](const auto& info) {
                             return test_name(std::get<0>(info.param) + "_" +
                                              std::get<1>(info.param).name);
                         });

class Operations : public OnEachDevice {};

TEST_P(Operations, ArgmaxIsTheFirstOfEqualOnes) {
    const Tensor x = Tensor::of({{1, 3, 3}, {5, 2, 5}}).to(device());
    EXPECT_EQ(argmax(x).cpu().to_vector<int>(), (std::vector<int>{1, 0}));
    EXPECT_EQ(argmax(x, 0).cpu().to_vector<int>(), (std::vector<int>{1, 0, 1}));
}

TEST_P(Operations, SoftmaxAndCrossEntropyOfLargeNumbersAreFinite) {
    const Tensor x = Tensor::of({{1000, 0}, {-1000, -1001}}).to(device());
    const std::vector<float> y = softmax(x).cpu().to_vector();
    EXPECT_FLOAT_EQ(y[0], 1);
    EXPECT_FLOAT_EQ(y[1], 0);
    EXPECT_NEAR(y[2], 0.7310586f, 1e-6);
    const Tensor labels = Tensor::from(std::vector<int>{1, 0}, device());
    EXPECT_NEAR(cross_entropy(x, labels).item(), (1000 + 0.3132617) / 2, 1e-3);
    EXPECT_FLOAT_EQ(accuracy(x, labels), 0.5f);
}

TEST_P(Operations, DropoutScalesWhatItKeepsAndIsTheSameOnEveryDevice) {
    manual_seed(3);
    const Tensor x = Tensor::ones({1000}).to(device()).requires_grad_();
    const Tensor y = dropout(x, 0.25f);
    manual_seed(3);
    EXPECT_EQ(y.cpu().to_vector(), dropout(Tensor::ones({1000}), 0.25f).to_vector());
    std::size_t zeros = 0;
    for (const float value : y.cpu().to_vector()) {
        EXPECT_TRUE(value == 0 || std::abs(value - 4.0f / 3) < 1e-6);
        zeros += value == 0;
    }
    EXPECT_NEAR(static_cast<double>(zeros), 250, 50);
    sum(y).backward();
    EXPECT_EQ(x.grad().cpu().to_vector(), y.cpu().to_vector());
    EXPECT_EQ(dropout(x, 0.25f, false).cpu().to_vector(), x.cpu().to_vector());
}

TEST_P(Operations, BatchNormMovesTheRunningStatistics) {
    const Tensor x = Tensor::of({{1, 10}, {3, 30}}).to(device());
    const Tensor weight = Tensor::ones({2}, device());
    const Tensor bias = Tensor::zeros({2}, device());
    Tensor mean = Tensor::zeros({2}, device());
    Tensor variance = Tensor::ones({2}, device());
    batch_norm(x, weight, bias, mean, variance);
    EXPECT_EQ(mean.cpu().to_vector(), (std::vector<float>{0.2f, 2}));
    const std::vector<float> moved = variance.cpu().to_vector();  // of a sample: 2 and 200
    EXPECT_NEAR(moved[0], 0.9 + 0.1 * 2, 1e-6);
    EXPECT_NEAR(moved[1], 0.9 + 0.1 * 200, 1e-4);
}

TEST_P(Operations, BatchNormInEvaluationHasAGradientThatDoesNotDependOnX) {
    Tensor x = Tensor::of({{INFINITY, NAN}, {3, 30}}).to(device()).requires_grad_();
    const Tensor ones = Tensor::ones({2}, device());
    Tensor mean = Tensor::zeros({2}, device());
    Tensor variance = Tensor::full({2}, 4, device());
    const auto options = BatchNormOptions().eps(0);
    sum(batch_norm(x, ones, ones, mean, variance, false, options)).backward();
    EXPECT_EQ(x.grad().cpu().to_vector(), std::vector<float>(4, 0.5f));
}

// Memory that is used again holds what was there: a result of which nothing is written shows it.
TEST_P(Operations, OfNothingHaveNoUninitialisedGradients) {
    const auto leave_sevens = [] {
        for (const int count : {1, 4, 9, 12, 36}) Tensor::full({count}, 7, device());
    };
    const auto expect_zeros = [&](const char* name, auto operation, std::vector<Tensor> inputs) {
        for (Tensor& input : inputs) input = input.to(device()).requires_grad_();
        leave_sevens();
        Tensor y = operation(inputs);
        leave_sevens();
        y.backward(Tensor::ones(y.shape(), device()));
        for (const Tensor& input : inputs)
            EXPECT_EQ(input.grad().cpu().to_vector(), std::vector<float>(input.size(), 0)) << name;
    };
    using Inputs = std::vector<Tensor>;
    const auto images = Tensor::zeros({0, 2, 4, 4});
    const auto kernel = Tensor::ones({3, 2, 3, 2});
    expect_zeros("conv2d", [](const Inputs& in) { return conv2d(in[0], in[1], in[2]); },
                 {images, kernel, Tensor::zeros({3})});
    expect_zeros("linear", [](const Inputs& in) { return linear(in[0], in[1], in[2]); },
                 {Tensor::zeros({0, 4}), Tensor::ones({3, 4}), Tensor::ones({3})});
    expect_zeros("linear, relu",
                 [](const Inputs& in) { return linear(in[0], in[1], in[2], Activation::relu); },
                 {Tensor::zeros({0, 4}), Tensor::ones({3, 4}), Tensor::ones({3})});
    expect_zeros("matmul", [](const Inputs& in) { return matmul(in[0], in[1]); },
                 {Tensor::zeros({0, 4}), Tensor::ones({4, 3})});
    expect_zeros("operator+", [](const Inputs& in) { return in[0] + in[1]; },
                 {Tensor::zeros({0, 4}), Tensor::ones({4})});
    expect_zeros("index_select",
                 [](const Inputs& in) {
                     return index_select(in[0], Tensor::zeros({0}, device(), DType::int32));
                 },
                 {Tensor::ones({3, 4})});
    expect_zeros("slice", [](const Inputs& in) { return in[0].slice(1, 1); },
                 {Tensor::ones({3, 4})});
    leave_sevens();
    EXPECT_EQ(
        matmul(Tensor::ones({3, 0}, device()), Tensor::ones({0, 4}, device())).cpu().to_vector(),
        std::vector<float>(12, 0));
    EXPECT_EQ(sum(Tensor::ones({0, 4}, device()), {0}).cpu().to_vector(), std::vector<float>(4, 0));
    EXPECT_EQ(conv2d(Tensor::ones({1, 0, 4, 4}, device()), Tensor::ones({1, 0, 2, 2}, device()))
                  .cpu()
                  .to_vector(),
              std::vector<float>(9, 0));
}

TEST_P(Operations, ReluPassesTheGradientOfNan) {
    const Tensor nan = Tensor::from(std::vector<float>{NAN, 1, -1, 0}, device());
    const Tensor x = nan.clone().requires_grad_();
    sum(relu(x)).backward();
    EXPECT_EQ(x.grad().cpu().to_vector(), (std::vector<float>{1, 1, 0, 0}));
    const Tensor bias = nan.clone().requires_grad_();
    sum(linear(Tensor::zeros({1, 2}, device()), Tensor::zeros({4, 2}, device()), bias,
               Activation::relu))
        .backward();
    EXPECT_EQ(bias.grad().cpu().to_vector(), (std::vector<float>{1, 1, 0, 0}));
}

TEST_P(Operations, LabelsAreConcatenatedToo) {
    const auto labels = [](std::vector<int> values) { return Tensor::from(values, device()); };
    const Tensor all = cat({labels({1, 2}), labels({}), labels({3})});
    EXPECT_EQ(all.cpu().to_vector<int>(), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(
        stack({Tensor::full({}, 1, device()), Tensor::full({}, 2, device())}).cpu().to_vector(),
        (std::vector<float>{1, 2}));
}

// Thousands of rounded additions in one float lose the last digits.
TEST_P(Operations, SumsOfLongColumnsAreAccurate) {
    const Tensor x = Tensor::full({2, 20'001, 3}, 0.1f, device());
    for (const float value : sum(x, {1}).cpu().to_vector()) EXPECT_NEAR(value, 2000.1, 0.02);
    const Tensor y = Tensor::full({16'384, 2}, 0.1f, device());
    for (const float value : mean(y, {0}).cpu().to_vector()) EXPECT_NEAR(value, 0.1, 1e-6);
}

TEST_P(Operations, SumsOverLargeImagesAreAccurate) {
    const Tensor x = Tensor::full({1, 1, 400, 500}, 0.1f, device());
    EXPECT_NEAR(adaptive_avg_pool2d(x, 1, 1).cpu().item(), 0.1, 1e-6);
    const Tensor weight = Tensor::ones({1}, device());
    Tensor bias = Tensor::zeros({1}, device()).requires_grad_();
    Tensor mean = Tensor::zeros({1}, device());
    Tensor variance = Tensor::ones({1}, device());
    const Tensor y =
        batch_norm(x, weight, bias, mean, variance, true, BatchNormOptions().momentum(1));
    EXPECT_NEAR(mean.cpu().item(), 0.1, 1e-6);
    EXPECT_NEAR(lanes::max(y * y).cpu().item(), 0, 1e-4);
    sum(y * 0.1f).backward();
    EXPECT_NEAR(bias.grad().cpu().item(), 20000, 1);
}

TEST_P(Operations, PoolingNeedsPixels) {
    const auto options = Pool2dOptions(2).padding(1);
    for (const auto& shape : {Shape{1, 2, 0, 3}, Shape{1, 2, 3, 0}}) {
        const Tensor x = Tensor::zeros(shape, device());
        EXPECT_NE(error_of([&] { max_pool2d(x, options); }).find("no pixels"), std::string::npos);
        EXPECT_NE(error_of([&] { avg_pool2d(x, options); }).find("no pixels"), std::string::npos);
    }
}

INSTANTIATE_ON_EACH_DEVICE(Operations);

TEST(OperationErrors, NameTheOperationAndBothSides) {
    const Tensor a = Tensor::zeros({2, 3});
    const Tensor b = Tensor::zeros({4, 5});
    const Tensor labels = Tensor::from(std::vector<int>{0, 5});
    EXPECT_EQ(error_of([&] { a + b; }),
              "operator+: the shapes (2, 3) and (4, 5) do not fit: 2 and 4 along axis -2. They "
              "must be equal, or one of them 1.");
    EXPECT_EQ(error_of([&] { matmul(a, b, false, true); }),
              "matmul: (2, 3) times (4, 5) transposed. The columns of the first must be as many as "
              "the rows of the second.");
    EXPECT_EQ(error_of([&] { cross_entropy(a, labels); }),
              "cross_entropy: label 1 is 5, but the logits have 3 classes, counted from 0. Look at "
              "the labels or the last layer.");
    EXPECT_EQ(error_of([&] { relu(labels); }),
              "relu: a tensor of shape (2) holds int32, but float32 is needed. Tensor::from makes "
              "float32 of float and double, int32 of integers.");
    EXPECT_EQ(error_of([&] { sum(a, {2}); }),
              "sum: axis 2 of a tensor of shape (2, 3). Axes are counted from 0; -1 is the last "
              "one.");
    EXPECT_NE(error_of([&] { sum(a, {0, -2}); }).find("given twice"), std::string::npos);
    EXPECT_NE(error_of([&] { conv2d(a, b); }).find("conv2d: the tensor has the shape (2, 3)"),
              std::string::npos);
    const Tensor images = Tensor::zeros({1, 1, 6, 6});
    EXPECT_EQ(
        error_of([&] { conv2d(images, images, {}, Conv2dOptions().stride(std::size_t{3} - 4)); }),
        "conv2d: the stride is -1. Give at least 1.");
    EXPECT_EQ(error_of([&] { max_pool2d(images, Pool2dOptions(2).stride(0)); }),
              "max_pool2d: the stride is 0. Give at least 1.");
    EXPECT_EQ(error_of([&] { max_pool2d(images, Pool2dOptions(2).padding(std::size_t{3} - 4)); }),
              "max_pool2d: the padding is -1. Give at least 0.");
    EXPECT_EQ(error_of([&] { avg_pool2d(images, Pool2dOptions(2).padding(-1)); }),
              "Pool2dOptions::padding: -1. Give 0 or more.");
    EXPECT_NE(error_of([&] { index_select(a, labels); }).find("element 1 asks for row 5"),
              std::string::npos);
    EXPECT_EQ(error_of([&] { cat({a, b}); }),
              "cat: the shapes (2, 3) and (4, 5) along axis 0. All other extents must be equal.");
    EXPECT_NE(error_of([&] { cat({a, a}, 2); }).find("axis 2"), std::string::npos);
    EXPECT_NE(error_of([&] { cat({}); }).find("no tensors"), std::string::npos);
    EXPECT_EQ(error_of([&] { stack({a, b}); }),
              "stack: the shapes (2, 3) and (4, 5). All must be equal.");
    EXPECT_EQ(error_of([&] { stack({a, a}, 3); }),
              "stack: a new axis 3 for tensors of shape (2, 3). Give a number from -3 to 2.");
    EXPECT_EQ(error_of([&] { relu(Tensor()); }).find("relu: the tensor holds nothing"), 0U);
}

}  // namespace
}  // namespace lanes
