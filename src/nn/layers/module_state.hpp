// What copies of a module share.
#pragma once

#include "lanes/nn/module.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanes::nn {

struct ModuleState {
    std::string kind;     // "Linear"
    std::string details;  // "in_features=784, out_features=128, bias=true"
    bool training = true;
    NamedTensors parameters;
    NamedTensors buffers;
    std::vector<std::pair<std::string, std::shared_ptr<ModuleState>>> children;
};

// Throws Error, "OPERATION: …", unless `given` has the names and shapes of `wanted`.
void require_fitting(const NamedTensors& wanted, const NamedTensors& given,
                     const std::string& operation);
// Copies the values of `from` into the tensors of the same names.
void copy_values(const NamedTensors& into, const NamedTensors& from);

}  // namespace lanes::nn
