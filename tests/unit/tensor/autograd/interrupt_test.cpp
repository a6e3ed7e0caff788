#include "tensor/devices.hpp"

#include "interrupt_button.hpp"

namespace lanes {
namespace {

using lanes_test::interrupt_pressed;

class InterruptButton : public testing::Test {
protected:
    ~InterruptButton() override { interrupt_pressed = 0; }
};

TEST_F(InterruptButton, EndsAnyOperationThatComputes) {
    const Tensor x = Tensor::ones({2, 2}).requires_grad_();
    Tensor loss = sum(x * x);
    interrupt_pressed = 1;
    EXPECT_EQ(error_of([&] { relu(x); }), "relu: interrupted.");
    EXPECT_EQ(error_of([&] { matmul(x, x); }), "matmul: interrupted.");
    EXPECT_EQ(error_of([&] { loss.backward(); }), "backward: interrupted.");
    EXPECT_FALSE(x.has_grad());
    const NoGrad no_grad;
    EXPECT_EQ(error_of([&] { x + x; }), "operator+: interrupted.");
}

TEST_F(InterruptButton, LetsWeightsBeSaved) {
    const Tensor x = Tensor::ones({2, 2}).requires_grad_();
    interrupt_pressed = 1;
    EXPECT_EQ(x.detach().clone().to("simulator").reshape({4}).slice(0, 1).cpu().item(), 1);
}

}  // namespace
}  // namespace lanes
