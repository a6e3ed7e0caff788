// Tensors in memory as a dataset: example i consists of row i of each tensor.
//
//   const auto data = lanes::load_fashion_mnist();
//   const lanes::TensorDataset train(data.train);  // images (10000, 784), labels (10000), int32
//   const auto [image, label] = train.get(5);      // (784), and a tensor without axes
//   const auto x = lanes::Tensor::randn({100, 3});
//   const lanes::TensorDataset pairs(x, lanes::Tensor::rand({100}));
//   const std::size_t examples = pairs.size();     // 100
#pragma once

#include "lanes/data/dataset.hpp"
#include "lanes/tensor/tensor.hpp"

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace lanes {

// The images, (images, pixels), and the classes of their one-hot labels, (images), int32.
std::array<Tensor, 2> to_tensors(const Dataset& images);

namespace data {

// Throws Error unless all have the same number of rows; returns that number.
std::size_t common_rows(const Tensor* tensors, std::size_t count);
void require_row(std::size_t index, std::size_t rows);

}  // namespace data

// N: tensors per example. The elements are shared with the given tensors, not copied.
template <std::size_t N>
class TensorDataset {
public:
    explicit TensorDataset(std::array<Tensor, N> tensors)
        : tensors_(std::move(tensors)), rows_(data::common_rows(tensors_.data(), N)) {}

    template <class... Tensors, class = std::enable_if_t<sizeof...(Tensors) == N &&
                                                         (std::is_same_v<Tensors, Tensor> && ...)>>
    explicit TensorDataset(const Tensors&... tensors)
        : TensorDataset(std::array<Tensor, N>{tensors...}) {}

    explicit TensorDataset(const Dataset& images) : TensorDataset(to_tensors(images)) {}

    std::size_t size() const { return rows_; }

    std::array<Tensor, N> get(std::size_t index) const {
        data::require_row(index, rows_);
        std::array<Tensor, N> example;
        for (std::size_t i = 0; i < N; ++i) example[i] = tensors_[i][index];
        return example;
    }

    const std::array<Tensor, N>& tensors() const { return tensors_; }

private:
    std::array<Tensor, N> tensors_;
    std::size_t rows_;
};

template <class... Rest>
TensorDataset(const Tensor&, const Rest&...) -> TensorDataset<1 + sizeof...(Rest)>;
TensorDataset(const Dataset&) -> TensorDataset<2>;

}  // namespace lanes
