#include "lanes/lesson/own_kernels.hpp"

#include "lanes/base/error.hpp"
#include "lanes/data/mnist.hpp"
#include "lanes/tensor/ops.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::Device;
using lanes::Tensor;

// The step by hand, as 08b asks for it.
Tensor step_by_hand(const lanes::OwnKernels& own, lanes::TwoLayers& net, const Tensor& x,
                    const Tensor& y, float rate, float momentum) {
    const Tensor z1 = matmul(x, net.w1), a1 = relu(z1);
    const auto [losses, g2] = own.softmax_cross_entropy(matmul(a1, net.w2), y);
    const Tensor g1 = own.relu_backward(z1, matmul(g2, net.w2, false, true));
    own.sgd_update(net.w1, net.v1, matmul(x, g1, true), rate, momentum);
    own.sgd_update(net.w2, net.v2, matmul(a1, g2, true), rate, momentum);
    return mean(losses);
}

TEST(OwnKernels, TrainLikeAutograd) {
    const lanes::OwnKernels kernels(Device::simulator());
    const lanes::Dataset images = lanes::load_fashion_mnist().train;
    const lanes::OwnTraining training(kernels, images, 100, 6, step_by_hand);
    EXPECT_LT(training.difference(), 1e-4);
    EXPECT_LT(training.last_loss(), 0.9 * training.first_loss());
}

TEST(OwnKernels, AMistakeIsSeenInTheWeights) {
    const lanes::OwnKernels kernels(Device::simulator());
    const auto uphill = [](const auto& own, auto& net, const auto& x, const auto& y, float rate,
                           float momentum) {
        return step_by_hand(own, net, x, y, -rate, momentum);
    };
    const lanes::Dataset images = lanes::load_fashion_mnist().train;
    EXPECT_GT(lanes::OwnTraining(kernels, images, 50, 1, uphill).difference(), 1e-3);
}

TEST(OwnKernels, AMissingAnswerIsTheLibrarys) {
    const std::string missing =
        "__global__ void sgd_update(float* w, float* v, const float* g, float rate, float "
        "momentum, int n) {\n    #error \"Fill in sgd_update: three lines.\"\n}";
    testing::internal::CaptureStdout();
    const lanes::OwnKernels kernels(Device::simulator(), "", missing);
    EXPECT_EQ(testing::internal::GetCapturedStdout(),
              "sgd_update is not filled in yet: this uses the library's version.\n");
    Tensor w = Tensor::ones({3}, Device::simulator()), v = Tensor::zeros({3}, Device::simulator());
    kernels.sgd_update(w, v, Tensor::ones({3}, Device::simulator()), 0.5f, 0.9f);
    EXPECT_EQ(w.cpu().to_vector(), (std::vector<float>{0.5f, 0.5f, 0.5f}));
}

TEST(OwnKernels, ShapesMustAgree) {
    const lanes::OwnKernels kernels(Device::simulator());
    const Tensor z = Tensor::zeros({2, 3}, Device::simulator());
    EXPECT_THROW(kernels.relu_backward(z, Tensor::zeros({3, 2}, Device::simulator())),
                 lanes::Error);
    EXPECT_THROW(kernels.softmax_cross_entropy(z, z), lanes::Error);
}

}  // namespace
