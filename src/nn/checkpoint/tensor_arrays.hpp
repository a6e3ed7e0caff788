// Between the arrays of a file and tensors.
#pragma once

#include "array_file.hpp"

#include "lanes/nn/module.hpp"

#include <string>
#include <vector>

namespace lanes::nn {

Array array_of(const std::string& name, const Tensor& tensor);
Tensor tensor_of(const FileContext& file, const Array& array);

}  // namespace lanes::nn
