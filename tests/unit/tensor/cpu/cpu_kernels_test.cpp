// Sizes at which several threads and the blocks of the fast loops are used.
#include "lanes/tensor/ops.hpp"
#include "tensor/devices.hpp"
#include "tensor/plain/elementwise.hpp"
#include "tensor/plain/images.hpp"
#include "tensor/plain/matmul.hpp"
#include "tensor/plain/reduce.hpp"
#include "tensor/plain/shapes.hpp"

#include <cmath>
#include <limits>

namespace lanes {
namespace {

plain::Array<float> plain_of(const Tensor& x) { return {x.shape(), x.to_vector()}; }

void expect_near(const Tensor& y, const plain::Array<float>& expected, double tolerance) {
    const std::vector<float> values = y.to_vector();
    ASSERT_EQ(values.size(), expected.size());
    double worst = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        worst = std::max(worst, std::abs(static_cast<double>(values[i]) - expected[i]));
    EXPECT_LE(worst, tolerance);
}

class LargeTensors : public testing::Test {
protected:
    void SetUp() override { manual_seed(1); }
};

TEST_F(LargeTensors, AreAddedWithBroadcasting) {
    const Tensor a = Tensor::randn({70, 50, 30});
    const Tensor b = Tensor::randn({50, 1});
    expect_near(a + b, plain::combine(plain_of(a), plain_of(b), a.shape(), std::plus<>()), 0);
}

TEST_F(LargeTensors, AreSummedAlongEachAxis) {
    const Tensor x = Tensor::randn({40, 50, 300});
    for (std::size_t axis = 0; axis < 3; ++axis)
        expect_near(sum(x, {static_cast<int>(axis)}, true), plain::sum(plain_of(x), {axis}), 2e-4);
}

// Added one after the other, the largest float to which 1 can be added is 2^24.
TEST_F(LargeTensors, HaveExactMeansAlongTheFirstAxis) {
    const Tensor x = Tensor::ones({20'000'000, 2});
    EXPECT_EQ(mean(x, {0}).to_vector(), (std::vector<float>{1, 1}));
}

TEST_F(LargeTensors, AreMultiplied) {
    const Tensor a = Tensor::randn({150, 120});
    const Tensor b = Tensor::randn({130, 120});
    expect_near(matmul(a, b, false, true), plain::matmul(plain_of(a), plain_of(b), false, true),
                1e-4);
}

TEST_F(LargeTensors, AreTransposed) {
    const Tensor x = Tensor::randn({301, 257});
    expect_near(transpose(x), plain::permute(plain_of(x), {1, 0}), 0);
    const Tensor y = Tensor::randn({20, 30, 100});
    expect_near(permute(y, {1, 2, 0}), plain::permute(plain_of(y), {1, 2, 0}), 0);
}

TEST_F(LargeTensors, AreConvolved) {
    const Tensor x = Tensor::randn({4, 8, 20, 20});
    const Tensor weight = Tensor::randn({8, 8, 3, 3});
    expect_near(conv2d(x, weight, {}, Conv2dOptions().stride(2).padding(1)),
                plain::conv2d(plain_of(x), plain_of(weight), plain::Array<float>(Shape{8}), 2, 1),
                1e-4);
}

// One image and several at a time; kernels of one pixel; padding wider than the image.
TEST(Convolution, IsTheSumOverEachWindow) {
    manual_seed(2);
    for (const std::size_t batch : {1, 3})
        for (const std::size_t kernel : {1, 2, 3, 5})
            for (const std::size_t stride : {1, 2, 3})
                for (const std::size_t padding : {0, 1, 3}) {
                    const Tensor x = Tensor::randn({batch, 2, 6, 5});
                    const Tensor weight = Tensor::randn({3, 2, kernel, kernel});
                    const plain::Array<float> no_bias(Shape{3});
                    SCOPED_TRACE(testing::Message() << "kernel " << kernel << ", stride " << stride
                                                    << ", padding " << padding);
                    expect_near(
                        conv2d(x, weight, {}, Conv2dOptions().stride(stride).padding(padding)),
                        plain::conv2d(plain_of(x), plain_of(weight), no_bias, stride, padding),
                        1e-5);
                }
}

TEST(MaxPool, KeepsNanAndTheFirstOfEqualOnes) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Tensor x = Tensor::from(std::vector<float>{1, nan, 3, 3, 2, 0, 3, 3}).reshape({1, 1, 2, 4});
    x.requires_grad_();
    const Tensor y = max_pool2d(x, Pool2dOptions(2));
    EXPECT_TRUE(std::isnan(y.to_vector()[0]));
    EXPECT_EQ(y.to_vector()[1], 3);
    sum(y).backward();
    EXPECT_EQ(x.grad().to_vector(), (std::vector<float>{0, 1, 1, 0, 0, 0, 0, 0}));
}

TEST_F(LargeTensors, HaveSoftmaxOfEachRow) {
    const Tensor x = Tensor::randn({500, 100});
    expect_near(softmax(x), plain::softmax(plain_of(x), 1), 1e-6);
}

}  // namespace
}  // namespace lanes
