#include "lanes/tensor/tensor.hpp"

#include "tensor/devices.hpp"

#include <cstdint>
#include <sstream>

namespace lanes {
namespace {

using Floats = std::vector<float>;

class TensorOnDevice : public OnEachDevice {};

TEST_P(TensorOnDevice, IsCreatedWithItsValues) {
    EXPECT_EQ(Tensor::zeros({2, 2}, device()).cpu().to_vector(), (Floats{0, 0, 0, 0}));
    EXPECT_EQ(Tensor::ones({2}, device()).cpu().to_vector(), (Floats{1, 1}));
    EXPECT_EQ(Tensor::full({2}, 2.5f, device()).cpu().to_vector(), (Floats{2.5, 2.5}));
    EXPECT_EQ(Tensor::arange(3, device()).cpu().to_vector(), (Floats{0, 1, 2}));
    EXPECT_EQ(Tensor::zeros({2}, device(), DType::int32).cpu().to_labels(),
              (std::vector<int>{0, 0}));
    const Matrix matrix{{1, 2}, {3, 4}};
    const Tensor x = Tensor::from(matrix, device());
    EXPECT_EQ(x.shape(), (Shape{2, 2}));
    EXPECT_EQ(x.cpu().to_xtensor<2>(), matrix);
    EXPECT_EQ(x.device(), device());
    EXPECT_EQ(x.at({1, 0}), 3);
    EXPECT_EQ(Tensor::zeros({0, 3}, device()).size(), 0U);
}

TEST_P(TensorOnDevice, SlicesAndReshapedTensorsShareTheElements) {
    Tensor x = Tensor::of({{1, 2}, {3, 4}, {5, 6}}).to(device());
    x.slice(1, 3).reshape({4}).slice(1, 2).fill_(9);
    EXPECT_EQ(x.cpu().to_vector(), (Floats{1, 2, 3, 9, 5, 6}));
    EXPECT_EQ(x[1].cpu().to_vector(), (Floats{3, 9}));
    Tensor copy = x.clone();
    copy.zero_();
    EXPECT_EQ(x.cpu().to_vector(), (Floats{1, 2, 3, 9, 5, 6}));
    x[0].copy_(Tensor::of({7, 8}));  // from the CPU
    EXPECT_EQ(x[0].cpu().to_vector(), (Floats{7, 8}));
    x.add_(x, -0.5f).mul_(2);
    EXPECT_EQ(x[0].cpu().to_vector(), (Floats{7, 8}));
}

TEST_P(TensorOnDevice, RandomNumbersAreTheSameAsOnTheCpu) {
    manual_seed(5);
    const Floats here = Tensor::randn({7}, device()).cpu().to_vector();
    manual_seed(5);
    EXPECT_EQ(here, Tensor::randn({7}).to_vector());
    EXPECT_NE(here, Tensor::randn({7}).to_vector());
}

INSTANTIATE_ON_EACH_DEVICE(TensorOnDevice);

TEST(Tensor, TakesManyContainers) {
    EXPECT_EQ(Tensor::from(std::vector<double>{1, 2}).to_vector(), (Floats{1, 2}));
    EXPECT_EQ(Tensor::from(std::vector<unsigned char>{1, 255}).to_labels(),
              (std::vector<int>{1, 255}));
    EXPECT_EQ(Tensor::from(std::vector<std::size_t>{3}).dtype(), DType::int32);
    EXPECT_EQ(error_of([] { Tensor::from(std::vector<std::int64_t>{1, 5'000'000'000}); }),
              "Tensor::from: element 1 is 5000000000, which int32 cannot hold. Convert the values "
              "first.");
    EXPECT_EQ(Tensor::from(Tensor4::from_shape({2, 3, 4, 5})).shape(), (Shape{2, 3, 4, 5}));
}

TEST(Tensor, IsCopiedToOtherDevicesOnlyWhenAsked) {
    const Tensor x = Tensor::of({1, 2});
    EXPECT_EQ(x.cpu().data(), x.data());  // it is there already
    const Tensor there = x.to("simulator");
    EXPECT_EQ(error_of([&] { x + there; }),
              "operator+: one tensor, (2), lives on cpu and the other, (2), on simulator. Copy one "
              "of them: x.to(device).");
    EXPECT_EQ(error_of([&] { there.to_vector(); }),
              "to_vector: the tensor lives on simulator. Copy it first: x.cpu().");
    EXPECT_NE(error_of([&] { there.data(); }), "");
}

TEST(Tensor, ErrorsNameTheShapes) {
    const Tensor x = Tensor::zeros({2, 3});
    EXPECT_EQ(error_of([&] { x.reshape({4, 2}); }),
              "reshape: (2, 3) has 6 elements, which do not fit the new shape (4, 2). Both must "
              "have the same number of elements.");
    EXPECT_NE(error_of([&] { x.reshape({-1, 4}); }), "");
    EXPECT_NE(error_of([&] { x.reshape({-1, -1}); }), "");
    EXPECT_EQ(error_of([&] { x.slice(1, 3); }),
              "slice: rows 1 to 3 of a tensor of shape (2, 3), which has 2 along axis 0. Give "
              "first <= last <= that number.");
    EXPECT_NE(error_of([&] { x.item(); }).find("has 6 elements"), std::string::npos);
    EXPECT_NE(error_of([&] { x.to_xtensor<1>(); }).find("to_xtensor<2>()"), std::string::npos);
    EXPECT_NE(error_of([&] { x.at({0, 3}); }).find("index 3 along axis 1"), std::string::npos);
    EXPECT_NE(error_of([] { Tensor::zeros({-1, 2}); }), "");
    EXPECT_NE(error_of([] { Tensor::zeros({-2}); }), "");
    EXPECT_NE(error_of([] { Tensor().shape(); }), "");
    EXPECT_NE(error_of([] { Tensor::zeros({1 << 20, 1 << 20, 1 << 20}); }).find("2^40"),
              std::string::npos);
}

TEST(Tensor, IsShownAsATable) {
    std::ostringstream out;
    out << Tensor::of({{1, 2.5}, {-10, 0}});
    EXPECT_EQ(out.str(), "Tensor (2, 2) float32 on cpu\n  1  2.5\n-10    0\n");
    EXPECT_EQ(Tensor::full({}, 3).text(), "Tensor () float32 on cpu\n3\n");
    const std::string cut = Tensor::arange(100).text();
    EXPECT_EQ(cut, "Tensor (100) float32 on cpu\n0  1  2  3  …  96  97  98  99\n");
    EXPECT_NE(Tensor::zeros({5, 2, 2}).text().find("[1]\n0  0\n0  0\n"), std::string::npos);
    EXPECT_NE(Tensor::zeros({2, 2, 1, 1}).text().find("[1, 0]\n0\n"), std::string::npos);
    const std::string json = mime_bundle_repr(Tensor::of({1, 2})).dump();
    EXPECT_NE(json.find("\"text/html\":\"<p>Tensor (2) float32 on cpu</p><table>"),
              std::string::npos)
        << json;
}

}  // namespace
}  // namespace lanes
