#include "cpu_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::tensor {

namespace {

// Calls part(update, first, last) for parts of the elements of all updates. They are divided among
// the threads as if they lay one behind the other, so that threads are started once.
template <class Part>
void for_each_part(const std::vector<Update>& updates, std::size_t cost, const Part& part) {
    std::size_t total = 0;
    for (const Update& update : updates) total += update.parameter.size();
    parallel_for(total, cost, [&](std::size_t first, std::size_t last) {
        std::size_t start = 0;
        for (const Update& update : updates) {
            const std::size_t count = update.parameter.size();
            const std::size_t from = std::clamp(first, start, start + count) - start;
            const std::size_t to = std::clamp(last, start, start + count) - start;
            if (from < to) part(update, from, to);
            start += count;
        }
    });
}

}  // namespace

void CpuKernels::sgd_step(const std::vector<Update>& updates, const SgdRule& rule,
                          const Tensor& settings) {
    const float rate = floats(settings)[0];
    const float momentum = rule.momentum;
    const float decay = rule.weight_decay;
    const bool nesterov = rule.nesterov;
    for_each_part(updates, 2, [=](const Update& update, std::size_t first, std::size_t last) {
        float* const __restrict w = floats(update.parameter);
        const float* const __restrict g = floats(update.gradient);
        if (momentum == 0) {
            for (std::size_t i = first; i < last; ++i) w[i] -= rate * (g[i] + decay * w[i]);
            return;
        }
        float* const __restrict velocity = floats(update.first);
        for (std::size_t i = first; i < last; ++i) {
            const float gradient = g[i] + decay * w[i];
            velocity[i] = momentum * velocity[i] + gradient;
            w[i] -= rate * (nesterov ? gradient + momentum * velocity[i] : velocity[i]);
        }
    });
}

void CpuKernels::adam_step(const std::vector<Update>& updates, const AdamRule& rule,
                           Tensor& settings) {
    float* const setting = floats(settings);
    setting[1] += 1;
    const double steps = setting[1];
    // the means begin at 0: these factors take out what that costs
    setting[2] = static_cast<float>(setting[0] / (1 - std::pow(rule.beta1, steps)));
    setting[3] = static_cast<float>(1 / std::sqrt(1 - std::pow(rule.beta2, steps)));
    const float rate = setting[2];
    const float root_scale = setting[3];
    const auto beta1 = static_cast<float>(rule.beta1);
    const auto beta2 = static_cast<float>(rule.beta2);
    const auto one_minus_beta1 = static_cast<float>(1 - rule.beta1);
    const auto one_minus_beta2 = static_cast<float>(1 - rule.beta2);
    const float eps = rule.eps;
    const float decay = rule.weight_decay;
    for_each_part(updates, 8, [=](const Update& update, std::size_t first, std::size_t last) {
        float* const __restrict w = floats(update.parameter);
        const float* const __restrict g = floats(update.gradient);
        float* const __restrict mean = floats(update.first);
        float* const __restrict square = floats(update.second);
        for (std::size_t i = first; i < last; ++i) {
            const float gradient = g[i] + decay * w[i];
            mean[i] = beta1 * mean[i] + one_minus_beta1 * gradient;
            square[i] = beta2 * square[i] + one_minus_beta2 * gradient * gradient;
            w[i] -= rate * mean[i] / (std::sqrt(square[i]) * root_scale + eps);
        }
    });
}

}  // namespace lanes::tensor
