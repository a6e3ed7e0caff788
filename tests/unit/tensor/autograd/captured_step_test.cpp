#include "lanes/tensor/captured_step.hpp"

#include "lanes/tensor.hpp"
#include "tensor/devices.hpp"

#include "lanes/gpu.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace lanes {
namespace {

// A network with one hidden layer and its training step.
struct Network {
    explicit Network(const Device& device)
        : w1(weights({8, 6}, device)), w2(weights({3, 8}, device)) {}

    static Tensor weights(const Shape& shape, const Device& device) {
        return Tensor::randn(shape, device).requires_grad_();
    }

    Tensor step(const Tensor& x, const Tensor& labels, float dropped = 0) {
        w1.zero_grad();
        w2.zero_grad();
        const Tensor hidden = dropout(linear(x, w1, {}, Activation::relu), dropped);
        Tensor loss = cross_entropy(linear(hidden, w2), labels);
        loss.backward();
        const NoGrad no_grad;
        w1.add_(w1.grad(), -0.1f);
        w2.add_(w2.grad(), -0.1f);
        return loss;
    }

    Tensor w1;
    Tensor w2;
};

class CapturedSteps : public OnEachDevice {
protected:
    void SetUp() override {
        OnEachDevice::SetUp();
        manual_seed(3);
    }
    static Tensor batch(std::size_t rows) { return Tensor::randn({rows, 6}, device()); }
    static Tensor labels(std::size_t rows) {
        std::vector<int> values(rows);
        for (std::size_t i = 0; i < rows; ++i) values[i] = static_cast<int>(i * i % 3);
        return Tensor::from(values, device());
    }
};

TEST_P(CapturedSteps, TrainAsTheFunctionItselfDoes) {
    Network captured(device());
    manual_seed(3);
    Network plain(device());
    CapturedStep step([&](const Tensor& x, const Tensor& y) { return captured.step(x, y); });
    for (int i = 0; i < 6; ++i) {
        const std::size_t rows = i == 4 ? 2 : 5;  // as the last batch of an epoch
        const Tensor x = batch(rows);
        const Tensor y = labels(rows);
        EXPECT_EQ(step(x, y).item(), plain.step(x, y).item()) << "step " << i;
    }
    EXPECT_EQ(captured.w1.detach().cpu().to_vector(), plain.w1.detach().cpu().to_vector());
    EXPECT_EQ(step.is_captured(), GetParam() == "cuda:0");
}

TEST_P(CapturedSteps, DropDifferentElementsEachTime) {
    CapturedStep step([](const Tensor& x, const Tensor&) { return dropout(x, 0.5f); });
    const Tensor x = Tensor::ones({64}, device());
    std::vector<std::vector<float>> seen;
    for (int i = 0; i < 5; ++i) {
        seen.push_back(step(x, x).cpu().to_vector());
        for (int before = 0; before < i; ++before) EXPECT_NE(seen[i], seen[before]);
    }
}

TEST_P(CapturedSteps, KeepTheMemoryThatTheyUse) {
    CapturedStep step([](const Tensor& x, const Tensor& y) { return (x + y) * 2 + x; });
    const Tensor x = Tensor::ones({1000}, device());
    for (int i = 0; i < 4; ++i) {
        const Tensor result = step(x, x);
        const Tensor others = Tensor::full({1000}, 7, device());  // may not get memory of the step
        EXPECT_EQ(step(x, x).cpu().to_vector(), std::vector<float>(1000, 5));
        EXPECT_EQ(others.cpu().to_vector(), std::vector<float>(1000, 7));
    }
}

TEST_P(CapturedSteps, ReadNoValuesOnAGpu) {
    if (GetParam() != "cuda:0") GTEST_SKIP() << "nothing is captured";
    CapturedStep step([](const Tensor& x, const Tensor&) { return x * sum(x).item(); });
    const Tensor x = Tensor::ones({4}, device());
    EXPECT_EQ(step(x, x).cpu().to_vector(), std::vector<float>(4, 4));
    const std::string error = error_of([&] { step(x, x); });
    EXPECT_NE(error.find("item: it copies values"), std::string::npos) << error;
    EXPECT_EQ((x * 2).cpu().to_vector(), std::vector<float>(4, 2));  // the device works on
}

TEST_P(CapturedSteps, AreNotCapturedWhileATraceWaitsForEachLaunch) {
    CapturedStep step([](const Tensor& x, const Tensor& y) { return x + y; });
    const Tensor x = Tensor::ones({4}, device());
    {
        const LaunchTrace trace;
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(step(x, x).cpu().to_vector(), std::vector<float>(4, 2));
        EXPECT_FALSE(step.is_captured());
        EXPECT_EQ(trace.launches().size(), GetParam() == "cpu" ? 0u : 3u);
    }
    step(x, x);
    EXPECT_EQ(step.is_captured(), GetParam() == "cuda:0");
}

TEST_P(CapturedSteps, RefuseOtherThreadsWhileTheyRecordOnAGpu) {
    if (GetParam() != "cuda:0") GTEST_SKIP() << "nothing is captured";
    const Tensor x = Tensor::ones({4}, device());
    const Tensor other = Tensor::ones({4}, device());
    std::string error;
    CapturedStep step([&](const Tensor& a, const Tensor& b) {
        std::thread([&] { error = error_of([&] { other * 3; }); }).join();
        return a + b;
    });
    step(x, x);
    EXPECT_EQ(error, "");
    step(x, x);
    EXPECT_NE(error.find("another thread records a CapturedStep"), std::string::npos) << error;
    EXPECT_EQ(step(x, x).cpu().to_vector(), std::vector<float>(4, 2));
}

TEST_P(CapturedSteps, TakeNoArgumentsThatRequireGradients) {
    CapturedStep step([](const Tensor& x, const Tensor& y) { return x + y; });
    const Tensor x = Tensor::ones({4}, device());
    const Tensor leaf = x.clone().requires_grad_();
    EXPECT_NE(error_of([&] { step(leaf, x); }).find("x.detach()"), std::string::npos);
    EXPECT_NE(error_of([&] { step(x, leaf); }).find("x.detach()"), std::string::npos);
    step(leaf.detach(), x);
}

INSTANTIATE_ON_EACH_DEVICE(CapturedSteps);

}  // namespace
}  // namespace lanes
