#include "base/math.hpp"
#include "cuda_kernels.hpp"

#include <algorithm>
#include <limits>

namespace lanes::tensor {

namespace {

constexpr const char* file = "tensor_update.cu";
constexpr std::size_t most = 16;              // parameters of one launch, as in the file
constexpr std::size_t block_elements = 2048;  // likewise

struct Parts {  // as in the file
    int first_block[most];
    int count[most];
};

struct AdamNumbers {  // AdamRule of the file
    float beta1;
    float beta2;
    float one_minus_beta1;
    float one_minus_beta2;
    float eps;
    float weight_decay;
};

gpu::Argument optional_argument(const Tensor& x) {
    return x.defined() ? argument_of(x) : gpu::argument(nullptr);
}

// The parts of an update that a CUDA kernel takes: parameters first, then gradients, …
using Member = Tensor Update::*;

struct Launch {
    std::vector<gpu::Argument> arguments;
    LaunchConfig config;
};

Launch launch_of(const Update* first, std::size_t count, std::initializer_list<Member> members) {
    Launch launch;
    launch.arguments.reserve(members.size() * most + 8);
    for (const Member member : members)
        for (std::size_t i = 0; i < most; ++i)
            launch.arguments.push_back(i < count ? optional_argument(first[i].*member)
                                                 : gpu::argument(nullptr));
    Parts parts{};
    std::fill_n(parts.first_block, most, std::numeric_limits<int>::max());
    std::size_t blocks = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t size = first[i].parameter.size();
        parts.first_block[i] = int_of(blocks);
        parts.count[i] = int_of(size);
        blocks += ceil_div(size, block_elements);
    }
    launch.arguments.push_back(gpu::argument(parts));
    launch.config = {blocks, 256};
    return launch;
}

}  // namespace

void CudaKernels::sgd_step(const std::vector<Update>& updates, const SgdRule& rule,
                           const Tensor& settings) {
    for (std::size_t start = 0; start < updates.size(); start += most) {
        const Update* const first = updates.data() + start;
        const std::size_t count = std::min(most, updates.size() - start);
        Launch launch =
            launch_of(first, count, {&Update::parameter, &Update::gradient, &Update::first});
        auto& arguments = launch.arguments;
        if (rule.momentum == 0)  // a momentum buffer that was passed anyway is ignored
            std::fill_n(arguments.begin() + 2 * most, most, gpu::argument(nullptr));
        arguments.push_back(argument_of(settings));
        arguments.push_back(gpu::argument(rule.momentum));
        arguments.push_back(gpu::argument(rule.weight_decay));
        arguments.push_back(gpu::argument(static_cast<int>(rule.nesterov)));
        run(file, "tensor_sgd_step", launch.config, arguments);
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
        Launch launch = launch_of(
            first, count, {&Update::parameter, &Update::gradient, &Update::first, &Update::second});
        launch.arguments.push_back(argument_of(settings));
        launch.arguments.push_back(gpu::argument(numbers));
        run(file, "tensor_adam_step", launch.config, launch.arguments);
    }
}

}  // namespace lanes::tensor
