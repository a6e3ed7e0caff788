#include "lanes/nn/module.hpp"

#include "module_state.hpp"

#include "tensor/core/text_table.hpp"

#include "base/text.hpp"
#include "lanes/base/error.hpp"
#include "lanes/tensor/autograd.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <typeinfo>
#include <unordered_set>
#include <utility>

namespace lanes {

using nn::ModuleBody;
using nn::ModuleParts;
using nn::ModuleState;

namespace {

std::string class_name(const Module& module) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(typeid(module).name(), nullptr, nullptr, &status), std::free);
    const std::string full = status == 0 ? name.get() : typeid(module).name();
    return full.substr(full.rfind(':') + 1);  // without namespaces: npos + 1 is 0
}

// Calls visit(body, prefix) for a module and all its parts; prefix: "" or "0.conv1.".
template <class Visit>
void for_each_body(const ModuleState& state, const std::string& prefix, const Visit& visit) {
    visit(state.body, prefix);
    for (const auto& [name, child] : state.parts->children)
        for_each_body(*child, prefix + name + ".", visit);
}

std::shared_ptr<ModuleState>* find_child(ModuleParts& parts, const std::string& name) {
    for (auto& [known, child] : parts.children)
        if (known == name) return &child;
    return nullptr;
}

// `mine` becomes `other`. Parts that both have keep their own state, which members of the class of
// `mine` refer to. The layers of a list belong to no member: they become those of the other.
void assign(ModuleState& mine, const ModuleState& other) {
    mine.body = other.body;
    if (other.parts->is_list) {
        mine.parts = other.parts;
        return;
    }
    auto parts = std::make_shared<ModuleParts>();
    for (const auto& [name, theirs] : other.parts->children) {
        const std::shared_ptr<ModuleState>* const own = find_child(*mine.parts, name);
        if (own != nullptr) assign(**own, *theirs);
        parts->children.emplace_back(name, own != nullptr ? *own : theirs);
    }
    mine.parts = std::move(parts);
}

// Whether `part` is `whole` or a part of it, or shares its list of parts with one.
bool contains(const ModuleState& whole, const ModuleState& part) {
    if (&whole == &part || (part.parts->is_list && whole.parts == part.parts)) return true;
    return std::any_of(whole.parts->children.begin(), whole.parts->children.end(),
                       [&](const auto& child) { return contains(*child.second, part); });
}

constexpr const char* part_of_itself =
    "Module: a module would become a part of itself. Assign or register another one.";

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
    text += kind + "(" + state.body->details;
    bool has_parts = false;
    for (const auto& [name, child] : state.parts->children) {
        // A list without layers does nothing. A block of ResNet has one if it adds its input as it
        // is; torchvision shows nothing there.
        if (child->parts->is_list && child->parts->layers.empty()) continue;
        if (!std::exchange(has_parts, true)) text += "\n";
        text.append(indent).append("  (").append(name).append("): ");
        write_text(*child, child->body->kind, indent + "  ", text);
    }
    text += has_parts ? indent + ")\n" : ")\n";
}

// Each tensor once, under its first name.
NamedTensors without_repeats(const NamedTensors& tensors) {
    NamedTensors unique;
    std::unordered_set<const void*> known;
    for (const auto& one : tensors)
        if (known.insert(one.second.impl().get()).second) unique.push_back(one);
    return unique;
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
        const bool is_counter = ends_with(name, counter);
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
    state_->body->kind = std::move(kind);
    state_->body->details = std::move(details);
}

// NOLINTNEXTLINE(bugprone-unhandled-self-assignment): handles share a state, which is compared
Module& Module::operator=(const Module& other) {
    if (state_ == other.state_) return *this;
    LANES_REQUIRE(
        std::none_of(other.state_->parts->children.begin(), other.state_->parts->children.end(),
                     [&](const auto& child) { return contains(*child.second, *state_); }),
        part_of_itself);
    assign(*state_, ModuleState(*other.state_));  // a copy: the other may be a part of this one
    return *this;
}

// --- parameters

NamedTensors Module::named_parameters() const {
    NamedTensors all;
    for_each_body(*state_, "", [&](const auto& body, const std::string& prefix) {
        add_prefixed(body->parameters, prefix, all);
    });
    return without_repeats(all);
}

NamedTensors Module::named_buffers() const {
    NamedTensors all;
    for_each_body(*state_, "", [&](const auto& body, const std::string& prefix) {
        add_prefixed(body->buffers, prefix, all);
    });
    return without_repeats(all);
}

NamedTensors Module::state_dict() const {
    NamedTensors all;
    for_each_body(*state_, "", [&](const auto& body, const std::string& prefix) {
        add_prefixed(body->parameters, prefix, all);
        add_prefixed(body->buffers, prefix, all);
    });
    return all;
}

std::vector<Tensor> Module::parameters() const {
    std::vector<Tensor> all;
    for (const auto& [name, tensor] : named_parameters()) all.push_back(tensor);
    return all;
}

Tensor Module::parameter(const std::string& name) const {
    return named(&ModuleBody::parameters, name, "parameter", "buffer");
}

Tensor Module::buffer(const std::string& name) const {
    return named(&ModuleBody::buffers, name, "buffer", "parameter");
}

Tensor Module::named(NamedTensors ModuleBody::* kind, const std::string& name,
                     const char* operation, const char* other) const {
    NamedTensors all;
    for_each_body(*state_, "", [&](const auto& body, const std::string& prefix) {
        add_prefixed((*body).*kind, prefix, all);
    });
    const Tensor* const found = find(all, name);
    if (found != nullptr) return *found;
    const NamedTensors both = state_dict();
    LANES_REQUIRE(find(both, name) == nullptr, operation, ": \"", name, "\" is a ", other, ". Use ",
                  other, "(\"", name, "\").");
    throw Error(operation, ": there is none with the name \"", name,
                "\". The names are: ", names_of(all), ".");
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
    require_name(state_->body->parameters, name, "register_parameter");
    Tensor parameter = value;
    state_->body->parameters.emplace_back(name, parameter.requires_grad_());
    return parameter;
}

Tensor Module::register_buffer(const std::string& name, const Tensor& value) {
    require_name(state_->body->buffers, name, "register_buffer");
    state_->body->buffers.emplace_back(name, value);
    return value;
}

void Module::add_child(const std::string& name, const Module& child) {
    require_name({}, name, "register_module");
    LANES_REQUIRE(find_child(*state_->parts, name) == nullptr, "register_module: the name \"", name,
                  "\" is taken. Give each part of a module its own name.");
    LANES_REQUIRE(!contains(*child.state_, *state_), part_of_itself);
    if (child.state_->body->kind.empty()) child.state_->body->kind = class_name(child);
    state_->parts->children.emplace_back(name, child.state_);
}

const Tensor& Module::own_parameter(std::size_t index) const {
    return state_->body->parameters[index].second;
}

bool Module::has_own_parameter(std::size_t index) const {
    return index < state_->body->parameters.size();
}

Tensor& Module::own_buffer(std::size_t index) const { return state_->body->buffers[index].second; }

void Module::set_options(std::shared_ptr<const void> options) {
    state_->body->options = std::move(options);
}

const void* Module::options() const { return state_->body->options.get(); }

// --- training

Module& Module::train(bool on) {
    for_each_body(*state_, "", [&](const auto& body, const std::string&) { body->training = on; });
    return *this;
}

bool Module::training() const { return state_->body->training; }

nn::EvaluationMode::EvaluationMode(const Module& module) {
    for_each_body(*module.state_, "", [&](const auto& body, const std::string&) {
        before_.emplace_back(body, std::exchange(body->training, false));
    });
}

nn::EvaluationMode::~EvaluationMode() {
    // Backwards: of a part that was met twice, the first mode counts.
    for (auto one = before_.rbegin(); one != before_.rend(); ++one)
        one->first->training = one->second;
}

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
    const std::string& kind = state_->body->kind;
    write_text(*state_, kind.empty() ? class_name(*this) : kind, "", text);
    text.pop_back();  // the last end of line, as in PyTorch
    return text;
}

std::ostream& operator<<(std::ostream& out, const Module& module) { return out << module.text(); }

tensor::MimeBundle mime_bundle_repr(const Module& module) {
    const std::string text = module.text();
    return tensor::mime_bundle(text, "<pre>" + escaped(text) + "</pre>");
}

}  // namespace lanes
