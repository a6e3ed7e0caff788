#include "lanes/tensor/autograd.hpp"

#include "gpu/memory_pool.hpp"
#include "tensor/core/node.hpp"
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

TEST_P(AutogradOnDevice, GivesEachLeafElementsOfItsOwn) {
    const Tensor a = Tensor::of({1, 2}).to(device()).requires_grad_();
    const Tensor b = Tensor::of({3, 4}).to(device()).requires_grad_();
    const Tensor given = Tensor::of({5, 6}).to(device());
    (a + b).backward(given);
    a.grad().mul_(0.5f);
    EXPECT_EQ(b.grad().cpu().to_vector(), (std::vector<float>{5, 6}));
    EXPECT_EQ(given.cpu().to_vector(), (std::vector<float>{5, 6}));
    b.grad().zero_();
    EXPECT_EQ(a.grad().cpu().to_vector(), (std::vector<float>{2.5, 3}));
    EXPECT_EQ(given.cpu().to_vector(), (std::vector<float>{5, 6}));
}

INSTANTIATE_ON_EACH_DEVICE(AutogradOnDevice);

TEST(Autograd, ABackwardThatThrowsLeavesNothingBehind) {
    const Tensor x = Tensor::of({1, 2}).requires_grad_();
    const Tensor w = Tensor::of({1, 1}).requires_grad_();
    Tensor factor = Tensor::of({3, 3});
    const Tensor h = x * factor;
    Tensor changed = sum(h + w);
    factor.fill_(2);  // h cannot be differentiated any more
    EXPECT_NE(error_of([&] { changed.backward(true); }).find("changed in place"),
              std::string::npos);
    EXPECT_FALSE(x.has_grad());
    EXPECT_FALSE(w.has_grad());
    EXPECT_EQ(h.impl()->grad.defined(), false);

    const Tensor z = x * 2;
    Tensor once = sum(z);
    once.backward();
    Tensor again = sum(z * w);  // z has released what it saved
    EXPECT_NE(error_of([&] { again.backward(); }).find("has gone through operator* before"),
              std::string::npos);
    EXPECT_FALSE(w.has_grad());
    EXPECT_EQ(x.grad().to_vector(), (std::vector<float>{2, 2}));
}

// The error is found after the gradient has arrived at an intermediate tensor, which must not keep
// it for the next pass.
TEST(Autograd, AnArrivedGradientIsNotCountedTwiceAfterAnError) {
    const Tensor x = Tensor::of({1, 1}).requires_grad_();
    Tensor factor = Tensor::of({2, 2});
    const Tensor h = x * 3;
    Tensor bad = sum(h + x * factor);
    factor.fill_(9);
    EXPECT_NE(error_of([&] { bad.backward(true); }), "");
    sum(h * 2).backward(true);
    EXPECT_EQ(x.grad().to_vector(), (std::vector<float>{6, 6}));
}

TEST(Autograd, ALossThatIsKeptDoesNotKeepWhatItWasComputedFrom) {
    Tensor w = Tensor::ones({1000, 100}).requires_grad_();
    const auto in_use = [] { return gpu::pool_use(Device::cpu()).in_use; };
    const std::size_t before = in_use();
    std::vector<Tensor> losses;
    for (int i = 0; i < 5; ++i) {
        losses.push_back(sum(relu(w * 2 + 1)));
        losses.back().backward();
    }
    w.zero_grad();
    EXPECT_LE(in_use(), before + 100'000);  // one activation has 400,000 bytes
}

TEST(Autograd, AddAndCopyInPlaceRefuseATensorWhoseGradientWouldBeLost) {
    const Tensor w = Tensor::of({1, 2}).requires_grad_();
    Tensor h = Tensor::zeros({2});
    EXPECT_EQ(error_of([&] { h.add_(w); }),
              "add_: the tensor of shape (2) that is added requires gradients, which a change in "
              "place would lose. Compute a new tensor, or use detach() or a NoGrad.");
    EXPECT_NE(error_of([&] { h.copy_(w * 2); }).find("copy_: the tensor of shape (2)"),
              std::string::npos);
    EXPECT_EQ(h.to_vector(), (std::vector<float>{0, 0}));
    h.add_(w.detach());
    const NoGrad no_grad;
    h.add_(w);
    EXPECT_EQ(h.to_vector(), (std::vector<float>{2, 4}));
}

TEST(Autograd, OnlyWhatAGradientNeedsMustStayAsItWas) {
    const auto image = [](float value) { return Tensor::full({1, 1, 2, 2}, value); };
    const auto gradient_after_change = [](auto operation, Tensor changed, Tensor x) {
        x.requires_grad_();
        Tensor loss = sum(operation(changed, x));
        x.detach().mul_(2);  // the gradient of x needs only the other one
        loss.backward();
        return x.grad().to_vector()[0];
    };
    const auto times = [](const Tensor& a, const Tensor& b) { return a * b; };
    const auto swapped = [](const Tensor& a, const Tensor& b) { return b * a; };
    const auto product = [](const Tensor& a, const Tensor& b) { return matmul(a, b); };
    const auto layer = [](const Tensor& a, const Tensor& b) { return linear(b, a); };
    const auto convolution = [](const Tensor& a, const Tensor& b) { return conv2d(b, a); };
    EXPECT_EQ(gradient_after_change(times, Tensor::of({3}), Tensor::of({5})), 3);
    EXPECT_EQ(gradient_after_change(swapped, Tensor::of({3}), Tensor::of({5})), 3);
    EXPECT_EQ(gradient_after_change(product, Tensor::full({1, 1}, 3), Tensor::full({1, 1}, 5)), 3);
    EXPECT_EQ(gradient_after_change(layer, Tensor::full({1, 1}, 3), Tensor::full({1, 1}, 5)), 3);
    EXPECT_EQ(gradient_after_change(convolution, image(3), image(5)), 3);
}

TEST(Autograd, FollowsCopiesToOtherDevices) {
    Tensor x = Tensor::of({1, 2}).requires_grad_();
    sum(x.to("simulator")).backward();
    EXPECT_TRUE(x.grad().device().is_cpu());
    EXPECT_EQ(x.grad().to_vector(), (std::vector<float>{1, 1}));
}

TEST(OnGradient, IsCalledWhenTheLastUseOfALeafIsDone) {
    Tensor early = Tensor::of({1, 2}).requires_grad_();
    Tensor late = Tensor::of({3, 4}).requires_grad_();
    Tensor twice = Tensor::of({5, 6}).requires_grad_();
    std::vector<std::pair<const void*, float>> calls;
    const OnGradient note([&](const Tensor& leaf, const Tensor& gradient) {
        calls.emplace_back(leaf.impl().get(), gradient.data()[0]);
        EXPECT_FALSE(leaf.has_grad());
    });
    Tensor loss = sum(early * early * twice * late * twice);
    loss.backward();
    ASSERT_EQ(calls.size(), 3u);
    EXPECT_EQ(calls[0], std::make_pair(static_cast<const void*>(late.impl().get()), 25.0f));
    EXPECT_EQ(calls[1], std::make_pair(static_cast<const void*>(twice.impl().get()), 30.0f));
    EXPECT_EQ(calls[2], std::make_pair(static_cast<const void*>(early.impl().get()), 150.0f));
    EXPECT_EQ(early.grad().data()[0], 150.0f);
}

TEST(TakeGradients, MayMoveAGradientAway) {
    Tensor taken = Tensor::of({1, 2}).requires_grad_();
    Tensor left = Tensor::of({3, 4}).requires_grad_();
    Tensor gradient;
    const tensor::TakeGradients take([&](const Tensor& leaf, Tensor& complete) {
        if (leaf.impl() == taken.impl()) gradient = std::exchange(complete, Tensor());
    });
    sum(taken * left).backward();
    EXPECT_FALSE(taken.has_grad());
    EXPECT_EQ(gradient.to_vector(), (std::vector<float>{3, 4}));
    EXPECT_EQ(gradient.impl().use_count(), 1);  // nobody else has it
    EXPECT_EQ(left.grad().to_vector(), (std::vector<float>{1, 2}));
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
    const Tensor integers = Tensor::from(std::vector<int>{1, 2});
    EXPECT_EQ(error_of([&] { (x * 2).backward(integers); }).find("backward: "), 0U);
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
