#include "lanes/nn/optim.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
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
      slots_(parameters_.size()) {
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
        slots_[i].update.parameter = parameters_[i];
    }
}

void Optimizer::set_learning_rate(double learning_rate) {
    require_rate(learning_rate, "set_learning_rate");
    learning_rate_ = learning_rate;
    for (Slot& slot : slots_)
        if (slot.group) set_rate(*slot.group, slot.group->settings.device());
}

// Keeps the settings on the device of the parameters; uploads the learning rate if it has changed.
void Optimizer::set_rate(Group& group, const Device& device) const {
    const auto rate = static_cast<float>(learning_rate_);
    group.settings = group.settings.to(device);
    if (group.learning_rate != rate) group.settings.slice(0, 1).fill_(rate);
    group.learning_rate = rate;
}

// The group of parameters that have been in one group so far, or in none. The settings count steps
// on the device: if others of the group are not updated in this step, the members go on with a
// copy.
std::shared_ptr<Optimizer::Group> Optimizer::group_for(const std::vector<Slot*>& members) {
    const std::shared_ptr<Group>& group = members.front()->group;
    const auto in_group = std::count_if(slots_.begin(), slots_.end(),
                                        [&](const Slot& slot) { return slot.group == group; });
    if (group && static_cast<std::size_t>(in_group) == members.size()) return group;
    if (group) return std::make_shared<Group>(Group{group->settings.clone(), group->learning_rate});
    const auto rate = static_cast<float>(learning_rate_);
    const Device& device = members.front()->update.parameter.device();
    return std::make_shared<Group>(Group{Tensor::of({rate, 0, 0, 0}).to(device), rate});
}

void Optimizer::step() {
    std::vector<std::pair<Group*, std::vector<Slot*>>> together;
    for (Slot& slot : slots_) {
        const Tensor& parameter = slot.update.parameter;
        if (!parameter.requires_grad() || !parameter.has_grad()) continue;
        for (auto [kept, name] : {std::pair(&slot.update.first, &first_name_),
                                  std::pair(&slot.update.second, &second_name_)}) {
            if (name->empty()) continue;
            if (!kept->defined())
                *kept = Tensor::zeros(parameter.shape(), parameter.device());
            else if (kept->device() != parameter.device())
                *kept = kept->to(parameter.device());
        }
        auto found = std::find_if(together.begin(), together.end(), [&](const auto& known) {
            return known.first == slot.group.get();
        });
        if (found == together.end()) found = together.insert(found, {slot.group.get(), {}});
        found->second.push_back(&slot);
    }
    for (auto& [before, members] : together) {
        const std::shared_ptr<Group> group = group_for(members);
        std::vector<Update> updates;
        updates.reserve(members.size());
        for (Slot* slot : members) {
            slot->group = group;
            updates.push_back(slot->update);
            updates.back().gradient = slot->update.parameter.grad();
        }
        set_rate(*group, updates.front().parameter.device());
        step_impl(updates, group->settings);
    }
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
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const std::string number = std::to_string(i) + ".";
        const auto& [update, group] = slots_[i];
        if (update.first.defined()) state.tensors.emplace_back(number + first_name_, update.first);
        if (update.second.defined())
            state.tensors.emplace_back(number + second_name_, update.second);
        if (group) state.tensors.emplace_back(number + "settings", group->settings);
    }
    return state;
}

void Optimizer::load_state(const State& state) {
    LANES_REQUIRE(state.kind == kind_, "load_state: the state of ", state.kind, " for ", kind_,
                  ". Make the optimizer that was saved.");
    std::vector<Slot> slots(slots_.size());
    for (std::size_t i = 0; i < slots.size(); ++i) slots[i].update.parameter = parameters_[i];
    std::map<std::vector<float>, std::shared_ptr<Group>> groups;  // by their settings
    for (const auto& [name, value] : state.tensors) {
        bool is_known = false;
        for (std::size_t i = 0; i < slots.size() && !is_known; ++i) {
            const std::string number = std::to_string(i) + ".";
            Update& update = slots[i].update;
            const Tensor& parameter = update.parameter;
            if (name == number + "settings") {
                LANES_REQUIRE(value.shape() == Shape{4}, "load_state: \"", name,
                              "\" has the shape ", value.shape(), ", not (4).");
                auto& group = groups[value.cpu().to_vector()];
                if (!group)
                    group = std::make_shared<Group>(
                        Group{value.clone().to(parameter.device()), value.cpu().at({0})});
                slots[i].group = group;
                is_known = true;
            }
            for (auto [kept, kept_name] : {std::pair(&update.first, &first_name_),
                                           std::pair(&update.second, &second_name_)}) {
                if (kept_name->empty() || name != number + *kept_name) continue;
                LANES_REQUIRE(value.shape() == parameter.shape(), "load_state: \"", name,
                              "\" has the shape ", value.shape(), ", its parameter ",
                              parameter.shape(),
                              ". Build the model with the extents that were saved.");
                *kept = value.clone().to(parameter.device());
                is_known = true;
            }
        }
        LANES_REQUIRE(is_known, "load_state: \"", name, "\" of shape ", value.shape(),
                      " belongs to none of the ", slots.size(),
                      " parameters. Make the optimizer with the options that were saved.");
    }
    require_rate(state.learning_rate, "load_state");
    require_rate(state.initial_learning_rate, "load_state");
    slots_ = std::move(slots);
    learning_rate_ = state.learning_rate;
    initial_learning_rate_ = state.initial_learning_rate;
    scheduled_steps_ = state.scheduled_steps;
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
