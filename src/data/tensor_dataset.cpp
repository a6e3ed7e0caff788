#include "lanes/data/tensor_dataset.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>

namespace lanes {

std::array<Tensor, 2> to_tensors(const Dataset& images) {
    const std::size_t classes = images.y.shape(1);
    Tensor labels = Tensor::empty({images.y.shape(0)}, Device::cpu(), DType::int32);
    const float* row = images.y.data();
    for (std::size_t i = 0; i < labels.size(); ++i, row += classes)
        labels.data<int>()[i] = static_cast<int>(std::max_element(row, row + classes) - row);
    return {Tensor::from(images.x), labels};
}

namespace data {

std::size_t common_rows(const Tensor* tensors, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        LANES_REQUIRE(tensors[i].defined(), "TensorDataset: tensor ", i,
                      " holds nothing. Make it first, as by Tensor::zeros({100, 3}).");
        LANES_REQUIRE(tensors[i].rank() > 0, "TensorDataset: tensor ", i,
                      " is a single number. Give tensors with one row per example.");
        LANES_REQUIRE(tensors[i].shape(0) == tensors[0].shape(0), "TensorDataset: tensor 0, ",
                      tensors[0].shape(), ", and tensor ", i, ", ", tensors[i].shape(),
                      ", have different numbers of rows. Give one row per example.");
    }
    return tensors[0].shape(0);
}

void require_row(std::size_t index, std::size_t rows) {
    LANES_REQUIRE(index < rows, "TensorDataset::get: example ", index, " of ", rows,
                  ". Examples are counted from 0.");
}

}  // namespace data

}  // namespace lanes
