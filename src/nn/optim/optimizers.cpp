#include "lanes/nn/optim.hpp"

#include "lanes/base/error.hpp"

#include <cmath>
#include <unordered_map>
#include <utility>

namespace lanes {

using tensor::Update;

namespace {

void require_rate(double rate, const char* operation) {
    LANES_REQUIRE(std::isfinite(rate) && rate >= 0, operation, ": the learning rate is ", rate,
                  ". Give a number of at least 0.");
}

void require_share(double value, const char* operation, const char* name) {
    LANES_REQUIRE(value >= 0 && value < 1, operation, ": ", name, " is ", value,
                  ". Give a number from 0 to below 1.");
}

}  // namespace

Optimizer::Optimizer(std::string kind, std::vector<Tensor> parameters, double learning_rate,
                     std::string first, std::string second)
    : kind_(std::move(kind)),
      parameters_(std::move(parameters)),
      learning_rate_(learning_rate),
      initial_learning_rate_(learning_rate),
      first_name_(std::move(first)),
      second_name_(std::move(second)),
      updates_(parameters_.size()) {
    require_rate(learning_rate, "Optimizer");
    LANES_REQUIRE(!parameters_.empty(),
                  "Optimizer: there are no parameters. Give those of a model: model.parameters().");
    std::unordered_map<const void*, std::size_t> positions;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        LANES_REQUIRE(parameters_[i].defined() && parameters_[i].is_leaf(), "Optimizer: parameter ",
                      i,
                      " was computed from others or is undefined. Give leaves, such as "
                      "model.parameters().");
        const auto [known, is_new] = positions.emplace(parameters_[i].impl().get(), i);
        LANES_REQUIRE(is_new, kind_, ": parameters ", known->second, " and ", i,
                      " are the same tensor, of shape ", parameters_[i].shape(),
                      ". Give each once: it would be updated twice.");
        updates_[i].parameter = parameters_[i];
    }
}

void Optimizer::set_learning_rate(double learning_rate) {
    require_rate(learning_rate, "set_learning_rate");
    learning_rate_ = learning_rate;
    if (settings_.defined()) prepare(settings_.device());
}

// Keeps the settings on the device of the parameters; uploads the learning rate if it has changed.
void Optimizer::prepare(const Device& device) {
    const auto rate = static_cast<float>(learning_rate_);
    if (!settings_.defined()) {
        settings_ = Tensor::of({rate, 0, 0, 0}).to(device);
    } else {
        settings_ = settings_.to(device);
        if (learning_rate_on_device_ != rate) settings_.slice(0, 1).fill_(rate);
    }
    learning_rate_on_device_ = rate;
}

void Optimizer::step() {
    std::vector<Update> updates;
    updates.reserve(parameters_.size());
    for (Update& update : updates_) {
        const Tensor& parameter = update.parameter;
        if (!parameter.requires_grad() || !parameter.has_grad()) continue;
        for (auto [kept, name] :
             {std::pair(&update.first, &first_name_), std::pair(&update.second, &second_name_)}) {
            if (name->empty()) continue;
            if (!kept->defined())
                *kept = Tensor::zeros(parameter.shape(), parameter.device());
            else if (kept->device() != parameter.device())
                *kept = kept->to(parameter.device());
        }
        updates.push_back({parameter, parameter.grad(), update.first, update.second});
    }
    if (updates.empty()) return;
    prepare(updates.front().parameter.device());
    step_impl(updates, settings_);
}

void Optimizer::zero_grad() {
    for (Tensor& parameter : parameters_) parameter.zero_grad();
}

Optimizer::State Optimizer::state() const {
    State state;
    state.kind = kind_;
    state.learning_rate = learning_rate_;
    state.initial_learning_rate = initial_learning_rate_;
    state.scheduled_steps = scheduled_steps_;
    for (std::size_t i = 0; i < updates_.size(); ++i) {
        const std::string number = std::to_string(i) + ".";
        if (updates_[i].first.defined())
            state.tensors.emplace_back(number + first_name_, updates_[i].first);
        if (updates_[i].second.defined())
            state.tensors.emplace_back(number + second_name_, updates_[i].second);
    }
    if (settings_.defined()) state.tensors.emplace_back("settings", settings_);
    return state;
}

void Optimizer::load_state(const State& state) {
    LANES_REQUIRE(state.kind == kind_, "load_state: the state of ", state.kind, " for ", kind_,
                  ". Make the optimizer that was saved.");
    std::vector<Update> updates = updates_;
    for (Update& update : updates) update.first = update.second = Tensor();
    Tensor settings;
    for (const auto& [name, value] : state.tensors) {
        if (name == "settings") {
            settings = value.clone();
            continue;
        }
        Tensor* place = nullptr;
        const Tensor* parameter = nullptr;
        for (std::size_t i = 0; i < updates.size() && place == nullptr; ++i) {
            const std::string number = std::to_string(i) + ".";
            parameter = &updates[i].parameter;
            if (!first_name_.empty() && name == number + first_name_) place = &updates[i].first;
            if (!second_name_.empty() && name == number + second_name_) place = &updates[i].second;
        }
        LANES_REQUIRE(place != nullptr, "load_state: \"", name, "\" of shape ", value.shape(),
                      " belongs to none of the ", updates.size(),
                      " parameters. Make the optimizer with the options that were saved.");
        LANES_REQUIRE(value.shape() == parameter->shape(), "load_state: \"", name,
                      "\" has the shape ", value.shape(), ", its parameter ", parameter->shape(),
                      ". Build the model with the extents that were saved.");
        *place = value.clone().to(parameter->device());
    }
    LANES_REQUIRE(!settings.defined() || settings.shape() == Shape{4},
                  "load_state: \"settings\" has the shape ", settings.shape(), ", not (4).");
    require_rate(state.learning_rate, "load_state");
    require_rate(state.initial_learning_rate, "load_state");
    updates_ = std::move(updates);
    settings_ = settings;
    learning_rate_ = state.learning_rate;
    initial_learning_rate_ = state.initial_learning_rate;
    scheduled_steps_ = state.scheduled_steps;
    if (settings.defined()) learning_rate_on_device_ = settings.cpu().at({0});
}

// --- SGD

SGD::SGD(std::vector<Tensor> parameters, double learning_rate, const SGDOptions& options)
    : Optimizer("SGD", std::move(parameters), learning_rate,
                options.momentum() == 0 ? "" : "momentum", ""),
      options_(options) {
    LANES_REQUIRE(options.momentum() >= 0 && options.weight_decay() >= 0, "SGD: momentum is ",
                  options.momentum(), " and weight_decay ", options.weight_decay(),
                  ". Give numbers of at least 0.");
    LANES_REQUIRE(!options.nesterov() || options.momentum() > 0,
                  "SGD: nesterov needs a momentum above 0, such as 0.9.");
}

void SGD::step_impl(const std::vector<Update>& updates, Tensor& settings) {
    tensor::sgd_step(updates,
                     {static_cast<float>(options_.momentum()),
                      static_cast<float>(options_.weight_decay()), options_.nesterov()},
                     settings);
}

// --- Adam

Adam::Adam(std::vector<Tensor> parameters, double learning_rate, const AdamOptions& options)
    : Optimizer("Adam", std::move(parameters), learning_rate, "exp_avg", "exp_avg_sq"),
      options_(options) {
    require_share(options.beta1(), "Adam", "beta1");
    require_share(options.beta2(), "Adam", "beta2");
    LANES_REQUIRE(options.eps() >= 0 && options.weight_decay() >= 0, "Adam: eps is ", options.eps(),
                  " and weight_decay ", options.weight_decay(), ". Give numbers of at least 0.");
}

void Adam::step_impl(const std::vector<Update>& updates, Tensor& settings) {
    tensor::adam_step(updates,
                      {options_.beta1(), options_.beta2(), static_cast<float>(options_.eps()),
                       static_cast<float>(options_.weight_decay())},
                      settings);
}

}  // namespace lanes
