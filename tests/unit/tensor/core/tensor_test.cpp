#include "lanes/tensor/tensor.hpp"

#include "tensor/devices.hpp"

#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xview.hpp>

#include <array>
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
    EXPECT_EQ(Tensor::zeros({2}, device(), DType::int32).cpu().to_vector<int>(),
              (std::vector<int>{0, 0}));
    const Matrix matrix{{1, 2}, {3, 4}};
    const Tensor x = Tensor::from(matrix, device());
    EXPECT_EQ(x.shape(), (Shape{2, 2}));
    EXPECT_EQ(x.cpu().to_xtensor<2>(), matrix);
    EXPECT_EQ(x.device(), device());
    EXPECT_EQ(x.at({1, 0}), 3);
    EXPECT_EQ(Tensor::zeros({0, 3}, device()).size(), 0U);
}

TEST(Tensor, CountsBeyondWhatAFloatCanCount) {
    const Tensor x = Tensor::arange((1U << 24) + 10);
    EXPECT_EQ(x.at({(1U << 24) + 8}), 16777224);
}

TEST(Tensor, ReshapeRefusesAProductOfExtentsThatOverflows) {
    EXPECT_NE(
        error_of([] { Tensor::of({1}).reshape({7, 7905747460161236407}); }).find("more than 2^40"),
        std::string::npos);
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

TEST_P(TensorOnDevice, CanBeFilledSliceBySlice) {
    Tensor x = Tensor::empty({3, 2}, device());
    for (const std::size_t row : {0, 1, 2}) x[row].fill_(static_cast<float>(row));
    EXPECT_EQ((x * 2).cpu().to_vector(), (Floats{0, 0, 2, 2, 4, 4}));
}

TEST_P(TensorOnDevice, RowsThatOverlapAreNotCopiedOntoEachOther) {
    Tensor h = Tensor::arange(6).to(device());
    const std::string error = error_of([&] { h.slice(1, 6).copy_(h.slice(0, 5)); });
    EXPECT_EQ(error,
              "copy_: the tensor of shape (5) shares some of its elements with the one that is "
              "copied, at other positions. Copy a clone() of it.");
    EXPECT_NE(error_of([&] { h.slice(0, 5).add_(h.slice(1, 6)); }).find("clone()"),
              std::string::npos);
    h.slice(0, 3).copy_(h.slice(3, 6));  // next to each other
    h.copy_(h);
    h.add_(h);
    EXPECT_EQ(h.cpu().to_vector(), (Floats{6, 8, 10, 6, 8, 10}));
}

TEST_P(TensorOnDevice, MovesWithEverythingThatSharesItsElements) {
    Tensor x = Tensor::of({{1, 2}, {3, 4}});
    Tensor row = x[1];
    const Tensor flat = x.reshape({4});
    row.to_(device());
    EXPECT_EQ(x.device(), device());
    EXPECT_EQ(flat.device(), device());
    row.fill_(7);
    EXPECT_EQ(x.cpu().to_vector(), (Floats{1, 2, 7, 7}));
    EXPECT_EQ(flat.cpu().to_vector(), (Floats{1, 2, 7, 7}));
    x.to_(Device::cpu());
    EXPECT_EQ(row.to_vector(), (Floats{7, 7}));
    Tensor y = Tensor::of({1, 2}).requires_grad_();
    Tensor part = y.detach().requires_grad_();
    sum(part * 2).backward();
    y.to_(device());
    part.to_(device());
    EXPECT_EQ(part.grad().device(), device());
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
    EXPECT_EQ(Tensor::from(std::vector<unsigned char>{1, 255}).to_vector<int>(),
              (std::vector<int>{1, 255}));
    EXPECT_EQ(Tensor::from(std::vector<std::size_t>{3}).dtype(), DType::int32);
    EXPECT_EQ(error_of([] { Tensor::from(std::vector<std::int64_t>{1, 5'000'000'000}); }),
              "Tensor::from: element 1 is 5000000000, which int32 cannot hold. Convert the values "
              "first.");
    EXPECT_EQ(Tensor::from(Tensor4::from_shape({2, 3, 4, 5})).shape(), (Shape{2, 3, 4, 5}));
}

TEST(Tensor, MovesAsAChangeThatBackwardNotices) {
    Tensor x = Tensor::of({1, 2}).requires_grad_();
    Tensor loss = sum(x * x);
    Tensor shifted = sum(x + 1);
    x.to_("simulator");
    EXPECT_NE(error_of([&] { loss.backward(); }), "");
    EXPECT_NE(error_of([&] { shifted.backward(); }).find("moved"), std::string::npos);
    EXPECT_FALSE(x.has_grad());
    sum(x * x).backward();
    EXPECT_EQ(x.grad().cpu().to_vector(), (Floats{2, 4}));
}

TEST(Tensor, TakesXtensorExpressionsOfAnyLayout) {
    const Matrix m{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    const auto expect = [](const Tensor& x, const Shape& shape, const Floats& values) {
        EXPECT_EQ(x.shape(), shape);
        EXPECT_EQ(x.to_vector(), values);
    };
    expect(Tensor::from(xt::view(m, xt::range(1, 3), xt::all())), {2, 3}, {4, 5, 6, 7, 8, 9});
    expect(Tensor::from(xt::view(m, xt::all(), 1)), {3}, {2, 5, 8});
    expect(Tensor::from(xt::view(m, xt::keep(2, 0), xt::range(0, 3, 2))), {2, 2}, {7, 9, 1, 3});
    expect(Tensor::from(xt::transpose(m)), {3, 3}, {1, 4, 7, 2, 5, 8, 3, 6, 9});
    expect(Tensor::from(xt::view(m, 0, xt::all()) * 2.0f), {3}, {2, 4, 6});
    expect(Tensor::from(xt::sum(m, {0})), {3}, {12, 15, 18});
    const xt::xtensor<double, 2, xt::layout_type::column_major> columns{{1, 2}, {3, 4}};
    expect(Tensor::from(columns), {2, 2}, {1, 2, 3, 4});
    EXPECT_EQ(Tensor::from(m > 7.0f).to_vector<int>(),
              (std::vector<int>{0, 0, 0, 0, 0, 0, 0, 1, 1}));
    EXPECT_EQ(Tensor::from(std::array<short, 2>{-1, 2}).to_vector<int>(),
              (std::vector<int>{-1, 2}));
}

TEST(Tensor, RefusesUnsignedNumbersThatWouldBecomeNegative) {
    EXPECT_EQ(error_of([] { Tensor::from(std::vector<unsigned long>{1, ~0UL}); }),
              "Tensor::from: element 1 is 18446744073709551615, which int32 cannot hold. Convert "
              "the values first.");
    EXPECT_NE(error_of([] { Tensor::from(std::vector<unsigned long>{0x80000000UL}); }), "");
    EXPECT_NE(error_of([] { Tensor::from(std::vector<long>{-0x80000001L}); }), "");
    EXPECT_EQ(Tensor::from(std::vector<long>{-0x80000000L, 0x7fffffffL}).to_vector<int>(),
              (std::vector<int>{-0x7fffffff - 1, 0x7fffffff}));
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
