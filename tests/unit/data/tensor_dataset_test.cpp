#include "lanes/data/tensor_dataset.hpp"

#include "error_of.hpp"

#include <gtest/gtest.h>

namespace {

using lanes::Tensor;
using lanes::TensorDataset;
using lanes_test::error_of;

TEST(TensorDataset, AnExampleIsARowOfEachTensor) {
    const Tensor x = Tensor::of({{1, 2}, {3, 4}, {5, 6}});
    const TensorDataset dataset(x, Tensor::from(std::vector<int>{7, 8, 9}));
    ASSERT_EQ(dataset.size(), 3u);
    const auto [row, label] = dataset.get(1);
    EXPECT_EQ(row.to_vector(), (std::vector<float>{3, 4}));
    EXPECT_EQ(row.shape(), lanes::Shape{2});
    EXPECT_EQ(label.item(), 8);
    EXPECT_EQ(label.rank(), 0u);
}

TEST(TensorDataset, SharesItsElements) {
    Tensor x = Tensor::zeros({4, 2});
    const TensorDataset dataset(x);
    x.fill_(3);
    const auto [row] = dataset.get(2);
    EXPECT_EQ(row.to_vector(), (std::vector<float>{3, 3}));
}

TEST(TensorDataset, MakesLabelsOfOneHotRows) {
    const lanes::Dataset images{xt::ones<float>({3, 4}), lanes::one_hot({5, 0, 9})};
    const TensorDataset dataset(images);
    EXPECT_EQ(dataset.tensors()[0].shape(), (lanes::Shape{3, 4}));
    EXPECT_EQ(dataset.tensors()[1].to_vector<int>(), (std::vector<int>{5, 0, 9}));
}

TEST(TensorDataset, SaysWhatIsWrong) {
    EXPECT_EQ(error_of([] { TensorDataset(Tensor::zeros({3, 2}), Tensor::zeros({4})); }),
              "TensorDataset: tensor 0, (3, 2), and tensor 1, (4), have different numbers of rows. "
              "Give one row per example.");
    EXPECT_EQ(error_of([] { TensorDataset(Tensor::zeros({})); }),
              "TensorDataset: tensor 0 is a single number. Give tensors with one row per example.");
    EXPECT_EQ(error_of([] { TensorDataset{Tensor()}; }),
              "TensorDataset: tensor 0 holds nothing. Make it first, as by "
              "Tensor::zeros({100, 3}).");
    EXPECT_EQ(error_of([] { TensorDataset(Tensor::zeros({3})).get(3); }),
              "TensorDataset::get: example 3 of 3. Examples are counted from 0.");
}

}  // namespace
