#include "lanes/tensor/autograd.hpp"

#include "tensor/devices.hpp"

#include <cmath>

namespace lanes {
namespace {

class AutogradOnDevice : public OnEachDevice {};

TEST_P(AutogradOnDevice, AddsUpTheGradientsOfAllUses) {
    Tensor x = Tensor::of({1, 2, 3}).to(device()).requires_grad_();
    Tensor loss = sum(x * x + x * 3);
    loss.backward();
    EXPECT_EQ(x.grad().cpu().to_vector(), (std::vector<float>{5, 7, 9}));
}

TEST_P(AutogradOnDevice, AccumulatesUntilItIsSetToZero) {
    Tensor x = Tensor::of({1, 2}).to(device()).requires_grad_();
    sum(x * 2).backward();
    const Tensor first = x.grad();
    sum(x * 3).backward();
    EXPECT_EQ(x.grad().cpu().to_vector(), (std::vector<float>{5, 5}));
    EXPECT_EQ(first.cpu().to_vector(), (std::vector<float>{2, 2}));
    x.zero_grad();
    EXPECT_FALSE(x.has_grad());
}

INSTANTIATE_ON_EACH_DEVICE(AutogradOnDevice);

TEST(Autograd, FollowsCopiesToOtherDevices) {
    Tensor x = Tensor::of({1, 2}).requires_grad_();
    sum(x.to("simulator")).backward();
    EXPECT_TRUE(x.grad().device().is_cpu());
    EXPECT_EQ(x.grad().to_vector(), (std::vector<float>{1, 1}));
}

TEST(Autograd, NotesNothingWhileANoGradExists) {
    Tensor x = Tensor::of({1, 2}).requires_grad_();
    {
        const NoGrad no_grad;
        EXPECT_FALSE((x * 2).requires_grad());
        x.add_(x, 1);
    }
    EXPECT_TRUE((x * 2).requires_grad());
    EXPECT_FALSE(x.detach().requires_grad());
    EXPECT_EQ(x.to_vector(), (std::vector<float>{2, 4}));
}

TEST(Autograd, ATensorGetsNoGradientsOfOperationsBeforeRequiresGrad) {
    Tensor x = Tensor::of({1, 2});
    Tensor w = Tensor::of({3, 4}).requires_grad_();
    Tensor loss = sum(x * w);
    x.requires_grad_();
    loss.backward(true);
    EXPECT_FALSE(x.has_grad());
    w.zero_grad();
    w.requires_grad_(false);  // frozen before the backward pass
    loss.backward();
    EXPECT_FALSE(w.has_grad());
}

TEST(Autograd, ASecondBackwardIsRefusedUnlessTheGraphIsKept) {
    Tensor x = Tensor::of({1, 2}).requires_grad_();
    Tensor loss = sum(x * x);
    loss.backward();
    EXPECT_EQ(error_of([&] { loss.backward(); }),
              "backward: it has gone through sum before, and what that saved was released. Compute "
              "the loss again, or call the first backward(true), which keeps the graph.");
    x.zero_grad();
    Tensor kept = sum(x * x);
    kept.backward(true);
    kept.backward();
    EXPECT_EQ(x.grad().to_vector(), (std::vector<float>{4, 8}));
}

TEST(Autograd, ASavedTensorThatWasChangedInPlaceIsAnError) {
    Tensor x = Tensor::of({1, 2}).requires_grad_();
    Tensor factor = Tensor::of({3, 4});
    Tensor loss = sum(x * factor);
    factor.slice(0, 1).fill_(0);  // it shares the elements
    EXPECT_EQ(error_of([&] { loss.backward(); }),
              "backward: operator* needs a tensor of shape (2) as it was, but it was changed in "
              "place 1 times since. Change a clone(), or call backward() before.");
}

TEST(Autograd, AChangeInPlaceOfATensorThatRequiresGradientsIsRefused) {
    Tensor x = Tensor::of({1, 2}).requires_grad_();
    EXPECT_NE(error_of([&] { x.mul_(2); }).find("mul_: the tensor of shape (2) requires gradients"),
              std::string::npos);
}

TEST(Autograd, SaysWhyThereIsNoGradient) {
    Tensor x = Tensor::of({1, 2});
    EXPECT_NE(error_of([&] { x.grad(); }).find("requires no gradients"), std::string::npos);
    EXPECT_NE(error_of([&] { sum(x).backward(); }).find("nothing that requires gradients"),
              std::string::npos);
    x.requires_grad_();
    EXPECT_NE(error_of([&] { x.grad(); }).find("has no gradient yet"), std::string::npos);
    EXPECT_NE(error_of([&] { (x * 2).grad(); }).find("was computed by operator*"),
              std::string::npos);
    EXPECT_NE(error_of([&] { (x * 2).backward(); }).find("has 2 elements"), std::string::npos);
}

TEST(Autograd, DetectAnomalyNamesTheOperationThatMadeTheFirstNan) {
    const Tensor x = Tensor::of({-1, 2}).requires_grad_();
    EXPECT_NO_THROW(sum(log(x)));
    const DetectAnomaly anomaly;
    EXPECT_EQ(error_of([&] { sum(log(x)); }).find("DetectAnomaly: log made the first NaN"), 0U);
    const Tensor bad = Tensor::of({NAN, 1});
    EXPECT_EQ(error_of([&] { relu(bad); }).find("DetectAnomaly: operand 1 of relu"), 0U);
    const Tensor zero = Tensor::of({0, 1}).requires_grad_();
    Tensor loss = sum(sqrt(zero) * Tensor::of({0, 1}));
    EXPECT_EQ(error_of([&] { loss.backward(); }).find("DetectAnomaly: the gradient of sqrt"), 0U);
}

TEST(Autograd, AChainOfManyOperationsCanBeDifferentiatedAndFreed) {
    Tensor x = Tensor::of({1}).requires_grad_();
    Tensor y = x;
    for (int i = 0; i < 100'000; ++i) y = y + 0.0f;
    y.backward();
    EXPECT_EQ(x.grad().item(), 1);
    for (int i = 0; i < 100'000; ++i) y = y + 0.0f;
}

}  // namespace
}  // namespace lanes
