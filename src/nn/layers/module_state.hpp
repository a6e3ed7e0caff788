// What copies of a module share, and what an assignment shares.
#pragma once

#include "lanes/nn/module.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanes::nn {

// The module without its parts. Shared by copies and by assignments.
struct ModuleBody {
    std::string kind;     // "Linear"
    std::string details;  // "in_features=784, out_features=128, bias=true"
    bool training = true;
    NamedTensors parameters;
    NamedTensors buffers;
    std::shared_ptr<const void> options;  // of its class: Conv2dOptions
};

struct ModuleParts {
    std::vector<std::pair<std::string, std::shared_ptr<ModuleState>>> children;
    std::vector<std::shared_ptr<Module>> layers;  // of a Sequential, in the order of the children
    bool is_list = false;                         // of a Sequential
};

// Copies of a module share one ModuleState, and a module is registered by it. An assignment
// replaces its contents: all who refer to the module, under whatever name, then see the new one.
struct ModuleState {
    std::shared_ptr<ModuleBody> body = std::make_shared<ModuleBody>();
    std::shared_ptr<ModuleParts> parts = std::make_shared<ModuleParts>();
};

// Sets a module and its parts to evaluation mode; the destructor restores the mode of each.
class EvaluationMode {
public:
    explicit EvaluationMode(const Module& module);
    ~EvaluationMode();
    EvaluationMode(const EvaluationMode&) = delete;
    EvaluationMode& operator=(const EvaluationMode&) = delete;

private:
    std::vector<std::pair<std::shared_ptr<ModuleBody>, bool>> before_;
};

// Throws Error, "OPERATION: …", unless `given` has the names and shapes of `wanted`.
void require_fitting(const NamedTensors& wanted, const NamedTensors& given,
                     const std::string& operation);
// Copies the values of `from` into the tensors of the same names.
void copy_values(const NamedTensors& into, const NamedTensors& from);

}  // namespace lanes::nn
