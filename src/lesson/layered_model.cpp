#include "layered_model.hpp"

namespace lanes::lesson {

Sequential layered_model(const Sizes& sizes) {
    Sequential model;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        if (i > 0) model.append(ReLU());
        model.append(Linear(sizes[i], sizes[i + 1]));
    }
    return model;
}

std::string name_of(const Sizes& sizes) {
    std::string name;
    for (const std::size_t size : sizes) name += (name.empty() ? "" : "-") + std::to_string(size);
    return name;
}

Tensor labels_of(std::size_t count) { return Tensor::zeros({count}, Device::cpu(), DType::int32); }

}  // namespace lanes::lesson
