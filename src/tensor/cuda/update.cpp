#include "cuda_kernels.hpp"

#include <algorithm>

namespace lanes::tensor {

namespace {

constexpr const char* file = "tensor_update.cu";
constexpr std::size_t most = 16;  // parameters of one launch, as in the file

struct Counts {  // as in the file
    int of[most];
};

struct AdamNumbers {  // AdamRule of the file
    float beta1;
    float beta2;
    float rest1;
    float rest2;
    float eps;
    float weight_decay;
};

gpu::Argument optional_argument(const Tensor& x) {
    return x.defined() ? argument_of(x) : gpu::argument(nullptr);
}

// The parts of an update that a CUDA kernel takes: parameters first, then gradients, …
using Member = Tensor Update::*;

std::vector<gpu::Argument> arguments_of(const Update* first, std::size_t count,
                                        std::initializer_list<Member> members) {
    std::vector<gpu::Argument> arguments;
    arguments.reserve(members.size() * most + 8);
    for (const Member member : members)
        for (std::size_t i = 0; i < most; ++i)
            arguments.push_back(i < count ? optional_argument(first[i].*member)
                                          : gpu::argument(nullptr));
    Counts counts{};
    for (std::size_t i = 0; i < count; ++i) counts.of[i] = int_of(first[i].parameter.size());
    arguments.push_back(gpu::argument(counts));
    return arguments;
}

// Enough blocks to fill the device; the threads of a row then take several elements each.
LaunchConfig grid_of(const Device& device, const Update* first, std::size_t count) {
    constexpr std::size_t threads = 256;
    constexpr std::size_t blocks_per_multiprocessor = 16;
    std::size_t largest = 1;
    for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, first[i].parameter.size());
    const std::size_t wanted = (largest + threads - 1) / threads;
    const std::size_t multiprocessors = device.limits().multiprocessors;
    const std::size_t enough =
        multiprocessors == 0 ? wanted : multiprocessors * blocks_per_multiprocessor;
    return {{std::min(wanted, enough), count}, threads};
}

}  // namespace

void CudaKernels::sgd_step(const std::vector<Update>& updates, const SgdRule& rule,
                           const Tensor& settings) {
    for (std::size_t start = 0; start < updates.size(); start += most) {
        const Update* const first = updates.data() + start;
        const std::size_t count = std::min(most, updates.size() - start);
        auto arguments =
            arguments_of(first, count, {&Update::parameter, &Update::gradient, &Update::first});
        if (rule.momentum == 0)  // what a caller keeps all the same is not touched
            std::fill_n(arguments.begin() + 2 * most, most, gpu::argument(nullptr));
        arguments.push_back(argument_of(settings));
        arguments.push_back(gpu::argument(rule.momentum));
        arguments.push_back(gpu::argument(rule.weight_decay));
        arguments.push_back(gpu::argument(static_cast<int>(rule.nesterov)));
        run(file, "tensor_sgd_step", grid_of(device_, first, count), arguments);
    }
}

void CudaKernels::adam_step(const std::vector<Update>& updates, const AdamRule& rule,
                            Tensor& settings) {
    run(file, "tensor_adam_begin", {1, 1}, settings, rule.beta1, rule.beta2);
    const AdamNumbers numbers{static_cast<float>(rule.beta1),
                              static_cast<float>(rule.beta2),
                              static_cast<float>(1 - rule.beta1),
                              static_cast<float>(1 - rule.beta2),
                              rule.eps,
                              rule.weight_decay};
    for (std::size_t start = 0; start < updates.size(); start += most) {
        const Update* const first = updates.data() + start;
        const std::size_t count = std::min(most, updates.size() - start);
        auto arguments = arguments_of(
            first, count, {&Update::parameter, &Update::gradient, &Update::first, &Update::second});
        arguments.push_back(argument_of(settings));
        arguments.push_back(gpu::argument(numbers));
        run(file, "tensor_adam_step", grid_of(device_, first, count), arguments);
    }
}

}  // namespace lanes::tensor
