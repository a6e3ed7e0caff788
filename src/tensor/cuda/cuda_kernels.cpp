#include "cuda_kernels.hpp"

#include "gpu/cached_program.hpp"

#include "lanes/base/error.hpp"

#include <limits>
#include <memory>
#include <string_view>
#include <vector>

namespace lanes::tensor {

Kernels& cuda_kernels(const Device& device) {
    static std::mutex mutex;
    // never freed: a GPU's driver may be gone when a process ends
    static auto& all = *new std::vector<std::unique_ptr<CudaKernels>>();
    const std::lock_guard lock(mutex);
    for (const auto& kernels : all) {
        const Device& known = kernels->device();
        if (known.backend() == device.backend() ||
            (known == device && known.checks() == device.checks() &&
             known.architecture() == device.architecture()))
            return *kernels;
    }
    all.push_back(std::make_unique<CudaKernels>(device));
    return *all.back();
}

CudaKernels::CachedKernel& CudaKernels::kernel(const char* file, const char* name) {
    const std::lock_guard lock(mutex_);
    const auto known = kernels_.find(std::string_view(name));
    if (known != kernels_.end()) return known->second;
    return kernels_.try_emplace(name, gpu::CachedProgram::of(device_, file).kernel(name))
        .first->second;
}

gpu::RawArgument CudaKernels::raw_argument(const gpu::Argument& x) {
    static constexpr void* null_pointer = nullptr;
    if (x.kind == gpu::Argument::Kind::null_pointer)
        return {nullptr, 0, static_cast<const void*>(&null_pointer)};
    if (x.kind == gpu::Argument::Kind::scalar) return {nullptr, 0, x.value.data()};
    return {x.storage->memory().get(), 0, nullptr};
}

void CudaKernels::run(const char* file, const char* name, const LaunchConfig& config,
                      const std::vector<gpu::Argument>& arguments) {
    CachedKernel& known = kernel(file, name);
    if (!known.kernel.entry()->can_enqueue() || gpu::any_trace_is_open()) {
        gpu::launch_arguments(known.kernel, config, arguments);
        return;
    }
    std::vector<gpu::RawArgument> raw;
    raw.reserve(arguments.size());
    for (const gpu::Argument& argument : arguments) {
        if (current_capture() != nullptr) keep(argument);
        raw.push_back(raw_argument(argument));
    }
    if (!known.checked) check(known, config, arguments, raw.data());
    known.kernel.entry()->enqueue(config, raw.data(), raw.size());
}

void CudaKernels::check(CachedKernel& known, const LaunchConfig& config,
                        const std::vector<gpu::Argument>& arguments, const gpu::RawArgument* raw) {
    const std::vector<gpu::BoundArgument> bound =
        gpu::checked_arguments(known.kernel, config, arguments);
    for (std::size_t i = 0; i < bound.size(); ++i) {
        const std::vector<unsigned char>& value = bound[i].value;
        const bool same = bound[i].memory != nullptr
                              ? raw[i].memory != nullptr
                              : arguments[i].kind != gpu::Argument::Kind::scalar ||
                                    value.size() == arguments[i].value.size();
        LANES_REQUIRE(same, known.kernel.name(), ": argument ", i + 1,
                      " has another type than the parameter. Pass exactly the parameter's type.");
    }
    known.checked = true;
}

int int_of(std::size_t count) {
    constexpr std::size_t largest = std::numeric_limits<int>::max() - 1024;
    LANES_REQUIRE(count <= largest, "Tensor: ", count, " elements, CUDA kernels count up to ",
                  largest, ". Work on parts of the tensor.");
    return static_cast<int>(count);
}

}  // namespace lanes::tensor
