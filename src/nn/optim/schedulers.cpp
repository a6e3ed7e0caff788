#include "lanes/nn/optim.hpp"

#include "lanes/base/error.hpp"

#include <cmath>

namespace lanes {

void Scheduler::step() {
    LANES_REQUIRE(number_ == optimizer_.schedules_,
                  "Scheduler::step: another schedule was made for this optimizer later. An "
                  "optimizer has one schedule: use the last one only.");
    ++optimizer_.scheduled_steps_;
    optimizer_.set_learning_rate(
        rate_impl(optimizer_.initial_learning_rate_, optimizer_.scheduled_steps_));
}

StepLR::StepLR(Optimizer& optimizer, std::size_t step_size, double gamma)
    : Scheduler(optimizer), step_size_(step_size), gamma_(gamma) {
    LANES_REQUIRE(step_size > 0 && gamma >= 0, "StepLR: a step size of ", step_size,
                  " and gamma of ", gamma, ". Give a step size of at least 1, and gamma from 0.");
}

double StepLR::rate_impl(double initial, std::size_t steps) const {
    const std::size_t reductions = steps / step_size_;
    return initial * std::pow(gamma_, static_cast<double>(reductions));
}

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, std::size_t T_max, double eta_min)
    : Scheduler(optimizer), steps_to_minimum_(T_max), eta_min_(eta_min) {
    LANES_REQUIRE(T_max > 0 && eta_min >= 0, "CosineAnnealingLR: T_max is ", T_max, " and eta_min ",
                  eta_min, ". Give at least 1 step, and a rate from 0.");
}

double CosineAnnealingLR::rate_impl(double initial, std::size_t steps) const {
    const double pi = std::acos(-1.0);
    const double angle = pi * static_cast<double>(steps) / static_cast<double>(steps_to_minimum_);
    return eta_min_ + (initial - eta_min_) * (1 + std::cos(angle)) / 2;
}

}  // namespace lanes
