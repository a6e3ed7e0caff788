// Sizes at which the CUDA kernels use several blocks, tiles and chunks: on the simulator without
// checks, because they are large, and on a GPU if there is one. The small sizes of ../ops run with
// all checks.
#include "lanes/tensor/ops.hpp"
#include "lanes/tensor/update.hpp"
#include "tensor/core/kernels.hpp"
#include "tensor/devices.hpp"

#include <cmath>
#include <thread>

namespace lanes {
namespace {

class LargeOnDevice : public OnEachDevice {
protected:
    void SetUp() override {
        OnEachDevice::SetUp();
        manual_seed(1);
    }
    static Device device() { return Device(GetParam()).fast(); }

    // What an operation computes here and on the CPU.
    template <class Compute>
    static void compare(const Compute& compute, const std::vector<Tensor>& inputs,
                        double tolerance) {
        std::vector<Tensor> here;
        for (const Tensor& input : inputs) here.push_back(input.to(device()));
        const std::vector<float> expected = compute(inputs).to_vector();
        const std::vector<float> values = compute(here).cpu().to_vector();
        ASSERT_EQ(values.size(), expected.size());
        double worst = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            worst = std::max(worst, std::abs(static_cast<double>(values[i]) - expected[i]));
        EXPECT_LE(worst, tolerance);
    }

    // c = a · b with each side transposed or not; c: (m, n).
    static void compare_products(std::size_t m, std::size_t n, std::size_t k) {
        for (const bool transpose_a : {false, true})
            for (const bool transpose_b : {false, true}) {
                const Tensor a = Tensor::randn(transpose_a ? Shape{k, m} : Shape{m, k});
                const Tensor b = Tensor::randn(transpose_b ? Shape{n, k} : Shape{k, n});
                compare(
                    [=](const auto& in) { return matmul(in[0], in[1], transpose_a, transpose_b); },
                    {a, b}, 1e-3);
            }
    }
};

TEST_P(LargeOnDevice, ProductsOfEachTileSize) {
    for (const std::size_t size : {31, 100, 300})
        for (const bool transpose_a : {false, true})
            for (const bool transpose_b : {false, true}) {
                const Tensor a = Tensor::rand({size, size});
                const Tensor b = Tensor::rand({size, size});
                compare(
                    [=](const auto& in) { return matmul(in[0], in[1], transpose_a, transpose_b); },
                    {a, b}, 1e-6 * static_cast<double>(size * size));
            }
}

// m, n, k that lead to each CUDA kernel of tensor_matmul.cu but v4, with whole and with cut tiles.
TEST_P(LargeOnDevice, ProductsOfEachCudaKernel) {
    const std::size_t shapes[][3] = {{16, 128, 784},   {5, 10, 128},    {16, 70, 2304},
                                     {16, 300, 10},    {128, 128, 784}, {40, 10, 1200},
                                     {10, 64, 16},     {400, 1, 33},    {300, 260, 132},
                                     {16, 1000, 2048}, {5, 1028, 2052}};
    for (const auto& [m, n, k] : shapes) compare_products(m, n, k);
}

// Large enough for tensor_matmul_v4 to keep 132 multiprocessors busy: tiles that were moved to be
// inside of c, and more slabs than are on their way at a time.
TEST_P(LargeOnDevice, ProductsOfTheLargestTiles) {
    compare_products(1400, 1396, 80);
    if (GetParam() == std::string("simulator")) return;
    compare_products(512, 640, 8192);  // k is split
    compare_products(2048, 2048, 1024);
}

// The first launch of a CUDA kernel checks it and loads it.
TEST_P(LargeOnDevice, SeveralThreadsMayComputeFirst) {
    const Tensor x = Tensor::arange(1000).to(device());
    std::vector<std::thread> threads;
    std::vector<float> sums(8);
    threads.reserve(sums.size());
    for (float& result : sums)
        threads.emplace_back([&] { result = lanes::max(lanes::exp(x * -1) + x).cpu().item(); });
    for (std::thread& thread : threads) thread.join();
    for (const float result : sums) EXPECT_EQ(result, 999);
}

TEST_P(LargeOnDevice, LayersWithBiasAndActivation) {
    for (const std::size_t batch : {3, 16, 100}) {
        const Tensor x = Tensor::randn({batch, 1100});
        const Tensor weight = Tensor::randn({37, 1100});
        const Tensor bias = Tensor::randn({37});
        compare([](const auto& in) { return linear(in[0], in[1], in[2], Activation::relu); },
                {x, weight, bias}, 1e-3);
    }
}

TEST_P(LargeOnDevice, SumsOfLongLines) {
    const Tensor x = Tensor::randn({3, 10'000});
    compare([](const auto& in) { return sum(in[0]); }, {x}, 1e-2);
    compare([](const auto& in) { return sum(in[0], {1}); }, {x}, 1e-2);
    compare([](const auto& in) { return sum(in[0], {0}); }, {x}, 1e-5);
    compare([](const auto& in) { return max(in[0]); }, {x}, 0);
}

// Shapes that lead to each CUDA kernel of tensor_conv2d.cu, with whole and with cut tiles, with k
// whole and split, and one that leads to im2col.
TEST_P(LargeOnDevice, Convolutions) {
    struct Case {
        Shape x, weight;
        std::size_t stride, padding;
    };
    const Case cases[] = {
        {{3, 5, 19, 17}, {6, 5, 3, 3}, 2, 1},   {{2, 3, 32, 32}, {64, 3, 7, 7}, 2, 3},
        {{2, 96, 7, 7}, {70, 96, 3, 3}, 1, 1},  {{3, 8, 9, 9}, {16, 8, 1, 1}, 2, 0},
        {{5, 2, 100, 90}, {3, 2, 3, 3}, 1, 1},  {{9, 4, 64, 64}, {66, 4, 2, 3}, 1, 0},
        {{1, 600, 6, 6}, {8, 600, 3, 3}, 1, 1}, {{2, 3, 20, 20}, {4, 3, 9, 9}, 1, 4},
        {{5, 3, 180, 180}, {4, 3, 7, 7}, 2, 3},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.x.text() + " * " + one.weight.text());
        const auto options = Conv2dOptions().stride(one.stride).padding(one.padding);
        compare([&](const auto& in) { return conv2d(in[0], in[1], {}, options); },
                {Tensor::randn(one.x), Tensor::randn(one.weight)}, 5e-4);
    }
}

// More parameters than one launch takes, with parts of blocks, whole and several blocks.
TEST_P(LargeOnDevice, StepsOfOptimizers) {
    const std::size_t sizes[] = {1, 2047, 2048, 2049, 5000, 3, 4096, 7,    1,
                                 1, 30,   2000, 10,   6000, 1, 2,    2050, 9};
    for (const bool adam : {false, true}) {
        const auto trained = [&](const Device& where) {
            manual_seed(2);
            std::vector<tensor::Update> updates;
            for (const std::size_t size : sizes)
                updates.push_back({Tensor::randn({size}).to(where), Tensor::randn({size}).to(where),
                                   Tensor::zeros({size}, where), Tensor::zeros({size}, where)});
            Tensor settings = Tensor::of({0.1f, 0, 0, 0}).to(where);
            for (int i = 0; i < 3; ++i) {
                if (adam)
                    tensor::adam_step(updates, {}, settings);
                else
                    tensor::sgd_step(updates, {0.9f, 0.01f, i == 2}, settings);
            }
            std::vector<float> all;
            for (const tensor::Update& update : updates)
                for (const float value : update.parameter.cpu().to_vector()) all.push_back(value);
            return all;
        };
        const std::vector<float> expected = trained(Device::cpu());
        const std::vector<float> values = trained(device());
        ASSERT_EQ(values.size(), expected.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            ASSERT_NEAR(values[i], expected[i], 1e-5) << "element " << i << ", adam " << adam;
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, LargeOnDevice, testing::Values("simulator", "cuda:0"),
                         [](const auto& info) { return test_name(info.param); });

TEST(CudaKernels, ALabelThatIsNoClassMakesALossOfNan) {
    const Device device = "simulator";
    const Tensor logits = Tensor::zeros({2, 3}, device);
    const Tensor labels = Tensor::from(std::vector<int>{0, 3}, device);
    EXPECT_TRUE(std::isnan(cross_entropy(logits, labels).item()));
}

// A case that was forgotten in a .cu: not some other operation's result.
TEST(CudaKernels, AnOperationThatACudaKernelDoesNotKnowIsAnError) {
    const Device device = "simulator";
    const Tensor x = Tensor::full({3}, 1, device);
    Tensor y = Tensor::zeros({3}, device);
    tensor::Kernels& kernels = tensor::kernels_of(x);
    const auto expect_error = [](const auto& compute) {
        try {
            compute();
            ADD_FAILURE() << "no error";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("without a case"), std::string::npos)
                << error.what();
        }
    };
    expect_error([&] { kernels.unary(static_cast<tensor::Unary>(99), x, y); });
    expect_error([&] { kernels.binary(static_cast<tensor::Binary>(99), x, x, y); });
    const Tensor matrix = Tensor::full({2, 2}, 1, device);
    Tensor dz = Tensor::zeros({2, 2}, device);
    Tensor dbias = Tensor::zeros({2}, device);
    expect_error(
        [&] { kernels.linear_gradient(matrix, matrix, static_cast<Activation>(99), dz, dbias); });
}

// More rows than tiles fit along the second axis of a grid.
TEST_P(LargeOnDevice, ProductsHaveMillionsOfRows) {
    const std::size_t rows = 65536 * 32 + 1;
    const Tensor a = Tensor::rand({rows, 1});
    const Tensor b = Tensor::full({1, 1}, 2);
    const std::vector<float> c = matmul(a.to(device()), b.to(device())).cpu().to_vector();
    const std::vector<float> expected = a.to_vector();
    ASSERT_EQ(c.size(), rows);
    for (std::size_t i = 0; i < rows; ++i) ASSERT_EQ(c[i], 2 * expected[i]) << "row " << i;
}

}  // namespace
}  // namespace lanes
