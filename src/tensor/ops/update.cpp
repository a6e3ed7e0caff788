#include "lanes/tensor/update.hpp"

#include "tensor/core/kernels.hpp"
#include "tensor/core/tensor_impl.hpp"

#include "lanes/base/error.hpp"

namespace lanes::tensor {

namespace {

void require_kept(const Tensor& kept, const Tensor& parameter, const char* name) {
    require_type(kept, DType::float32, name);
    require_same_device(parameter, kept, name);
    LANES_REQUIRE(kept.shape() == parameter.shape(), name, ": a parameter of shape ",
                  parameter.shape(), " with a tensor of shape ", kept.shape(),
                  ". The gradient and what the optimizer keeps must have the parameter's shape.");
}

// The updates that have elements, checked.
std::vector<Update> checked(const std::vector<Update>& updates, const Tensor& settings, bool first,
                            bool second, const char* name) {
    require_type(settings, DType::float32, name);
    LANES_REQUIRE(settings.size() == 4, name, ": the settings have the shape ", settings.shape(),
                  ". Give 4 numbers, the learning rate first.");
    std::vector<Update> filled;
    filled.reserve(updates.size());
    for (const Update& update : updates) {
        require_type(update.parameter, DType::float32, name);
        require_same_device(settings, update.parameter, name);
        require_kept(update.gradient, update.parameter, name);
        if (first) require_kept(update.first, update.parameter, name);
        if (second) require_kept(update.second, update.parameter, name);
        if (update.parameter.size() > 0) filled.push_back(update);
    }
    return filled;
}

void mark_changed(const std::vector<Update>& updates) {
    for (const Update& update : updates)
        for (const Tensor* one : {&update.parameter, &update.first, &update.second})
            if (one->defined()) changed(*one);
}

}  // namespace

void sgd_step(const std::vector<Update>& updates, const SgdRule& rule, const Tensor& settings) {
    const auto filled = checked(updates, settings, rule.momentum != 0, false, "sgd_step");
    if (filled.empty()) return;
    kernels_of(settings).sgd_step(filled, rule, settings);
    mark_changed(filled);
}

void adam_step(const std::vector<Update>& updates, const AdamRule& rule, Tensor& settings) {
    const auto filled = checked(updates, settings, true, true, "adam_step");
    if (filled.empty()) return;
    kernels_of(settings).adam_step(filled, rule, settings);
    mark_changed(filled);
    changed(settings);
}

}  // namespace lanes::tensor
