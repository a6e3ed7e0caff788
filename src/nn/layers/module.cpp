#include "lanes/nn/module.hpp"

#include "module_state.hpp"

#include "tensor/core/text_table.hpp"

#include "lanes/base/error.hpp"
#include "lanes/tensor/autograd.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <typeinfo>

namespace lanes {

using nn::ModuleState;

namespace {

std::string class_name(const Module& module) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(typeid(module).name(), nullptr, nullptr, &status), std::free);
    const std::string full = status == 0 ? name.get() : typeid(module).name();
    return full.substr(full.rfind(':') + 1);  // without namespaces: npos + 1 is 0
}

// Calls visit(state, prefix) for a module and all inside of it; prefix: "" or "0.conv1.".
template <class Visit>
void for_each_state(ModuleState& state, const std::string& prefix, const Visit& visit) {
    visit(state, prefix);
    for (const auto& [name, child] : state.children)
        for_each_state(*child, prefix + name + ".", visit);
}

void add_prefixed(const NamedTensors& from, const std::string& prefix, NamedTensors& to) {
    for (const auto& [name, tensor] : from) to.emplace_back(prefix + name, tensor);
}

const Tensor* find(const NamedTensors& tensors, const std::string& name) {
    const auto found = std::find_if(tensors.begin(), tensors.end(),
                                    [&](const auto& one) { return one.first == name; });
    return found == tensors.end() ? nullptr : &found->second;
}

std::string names_of(const NamedTensors& tensors) {
    std::string names;
    for (const auto& [name, tensor] : tensors) names += (names.empty() ? "" : ", ") + name;
    return names.empty() ? "none" : names;
}

void require_name(const NamedTensors& known, const std::string& name, const char* operation) {
    LANES_REQUIRE(!name.empty() && name.find('.') == std::string::npos, operation, ": the name \"",
                  name, "\" is empty or holds a dot. Dots separate the names of nested modules.");
    LANES_REQUIRE(find(known, name) == nullptr, operation, ": the name \"", name,
                  "\" is taken. Give each tensor of a module its own name.");
}

void write_text(const ModuleState& state, const std::string& kind, const std::string& indent,
                std::string& text) {
    text += kind + "(" + state.details;
    if (state.children.empty()) {
        text += ")\n";
        return;
    }
    text += "\n";
    for (const auto& [name, child] : state.children) {
        text.append(indent).append("  (").append(name).append("): ");
        write_text(*child, child->kind, indent + "  ", text);
    }
    text += indent + ")\n";
}

}  // namespace

void nn::require_fitting(const NamedTensors& wanted, const NamedTensors& given,
                         const std::string& operation) {
    for (const auto& [name, tensor] : wanted) {
        const Tensor* const other = find(given, name);
        LANES_REQUIRE(other != nullptr, operation, ": the tensor \"", name, "\" of shape ",
                      tensor.shape(), " is missing. Given are: ", names_of(given), ".");
        LANES_REQUIRE(other->shape() == tensor.shape(), operation, ": \"", name,
                      "\" has the shape ", other->shape(), ", the module's ", tensor.shape(),
                      ". Build the module with the extents that were saved.");
        LANES_REQUIRE(other->dtype() == tensor.dtype(), operation, ": \"", name, "\" holds ",
                      to_text(other->dtype()), ", the module's ", to_text(tensor.dtype()),
                      ". Convert the values first.");
    }
    for (const auto& [name, tensor] : given) {
        const std::string counter = "num_batches_tracked";  // PyTorch's batch norm has it as well
        const bool is_counter =
            name.size() >= counter.size() &&
            name.compare(name.size() - counter.size(), counter.size(), counter) == 0;
        LANES_REQUIRE(is_counter || find(wanted, name) != nullptr, operation, ": \"", name,
                      "\" of shape ", tensor.shape(),
                      " belongs to no part of the module. It has: ", names_of(wanted), ".");
    }
}

void nn::copy_values(const NamedTensors& into, const NamedTensors& from) {
    const NoGrad no_grad;
    for (const auto& [name, tensor] : into) Tensor(tensor).copy_(*find(from, name));
}

Module::Module(std::string kind, std::string details) : state_(std::make_shared<ModuleState>()) {
    state_->kind = std::move(kind);
    state_->details = std::move(details);
}

// What is registered under a name is the state: its contents are replaced, not the state itself.
Module& Module::operator=(const Module& other) {
    if (this == &other || state_ == other.state_) return *this;
    *state_ = ModuleState(*other.state_);  // a copy first: the other may be a part of this one
    return *this;
}

// --- parameters

NamedTensors Module::named_parameters() const {
    NamedTensors all;
    for_each_state(*state_, "", [&](const ModuleState& state, const std::string& prefix) {
        add_prefixed(state.parameters, prefix, all);
    });
    return all;
}

NamedTensors Module::named_buffers() const {
    NamedTensors all;
    for_each_state(*state_, "", [&](const ModuleState& state, const std::string& prefix) {
        add_prefixed(state.buffers, prefix, all);
    });
    return all;
}

NamedTensors Module::state_dict() const {
    NamedTensors all;
    for_each_state(*state_, "", [&](const ModuleState& state, const std::string& prefix) {
        add_prefixed(state.parameters, prefix, all);
        add_prefixed(state.buffers, prefix, all);
    });
    return all;
}

std::vector<Tensor> Module::parameters() const {
    std::vector<Tensor> all;
    for (const auto& [name, tensor] : named_parameters()) all.push_back(tensor);
    return all;
}

Tensor Module::parameter(const std::string& name) const {
    const NamedTensors all = state_dict();
    const Tensor* const found = find(all, name);
    LANES_REQUIRE(found != nullptr, "parameter: there is none with the name \"", name,
                  "\". The names are: ", names_of(all), ".");
    return *found;
}

std::size_t Module::parameter_count(bool trainable) const {
    std::size_t count = 0;
    for (const Tensor& tensor : parameters())
        if (!trainable || tensor.requires_grad()) count += tensor.size();
    return count;
}

void Module::load_state_dict(const NamedTensors& tensors) {
    const NamedTensors all = state_dict();
    nn::require_fitting(all, tensors, "load_state_dict");
    nn::copy_values(all, tensors);
}

Tensor Module::register_parameter(const std::string& name, const Tensor& value) {
    require_name(state_->parameters, name, "register_parameter");
    Tensor parameter = value;
    state_->parameters.emplace_back(name, parameter.requires_grad_());
    return parameter;
}

Tensor Module::register_buffer(const std::string& name, const Tensor& value) {
    require_name(state_->buffers, name, "register_buffer");
    state_->buffers.emplace_back(name, value);
    return value;
}

void Module::add_child(const std::string& name, const Module& child) {
    require_name({}, name, "register_module");
    LANES_REQUIRE(child.state_ != state_, "register_module: \"", name,
                  "\" is the module itself. Register another one.");
    if (child.state_->kind.empty()) child.state_->kind = class_name(child);
    for (auto& [known, state] : state_->children)
        if (known == name) {
            state = child.state_;
            return;
        }
    state_->children.emplace_back(name, child.state_);
}

const Tensor& Module::own_parameter(std::size_t index) const {
    return state_->parameters[index].second;
}

Tensor& Module::own_buffer(std::size_t index) const { return state_->buffers[index].second; }

// --- training

Module& Module::train(bool on) {
    for_each_state(*state_, "",
                   [&](ModuleState& state, const std::string&) { state.training = on; });
    return *this;
}

bool Module::training() const { return state_->training; }

Module& Module::requires_grad_(bool on) {
    for (Tensor& tensor : parameters()) tensor.requires_grad_(on);
    return *this;
}

void Module::zero_grad() {
    for (Tensor& tensor : parameters()) tensor.zero_grad();
}

Module& Module::to(const Device& device) {
    for (auto& [name, tensor] : state_dict()) tensor.to_(device);
    return *this;
}

// --- text

std::string Module::text() const {
    std::string text;
    write_text(*state_, state_->kind.empty() ? class_name(*this) : state_->kind, "", text);
    text.pop_back();  // the last end of line, as in PyTorch
    return text;
}

std::ostream& operator<<(std::ostream& out, const Module& module) { return out << module.text(); }

tensor::MimeBundle mime_bundle_repr(const Module& module) {
    const std::string text = module.text();
    return tensor::mime_bundle(text, "<pre>" + tensor::html_text(text) + "</pre>");
}

}  // namespace lanes
