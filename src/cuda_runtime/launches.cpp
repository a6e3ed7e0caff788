// Launches, and what is asked about CUDA kernels.
#include "call.hpp"

#include "gpu/launch_record.hpp"
#include "gpu/simulator/run/notes.hpp"

#include "lanes/gpu/finding.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>

namespace lanes::cuda_runtime {

namespace {

struct CallConfiguration {
    dim3 grid, block;
    std::size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
    const void* caller = nullptr;
};

// Set by <<<...>>>, and taken by the function that the compiler makes of the CUDA kernel.
thread_local std::vector<CallConfiguration> configurations;
thread_local const void* launching = nullptr;

cudaError_t error_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::out_of_bounds:
        case FindingKind::host_pointer:
            return cudaErrorIllegalAddress;
        case FindingKind::assertion:
            return cudaErrorAssert;
        case FindingKind::no_progress:
            return cudaErrorLaunchTimeout;
        default:
            return cudaErrorLaunchFailure;
    }
}

// A GPU's driver reports what went wrong on the device; the message ends with the error's name.
cudaError_t error_of_driver(const std::string& message) {
    for (const auto& [name, error] :
         {std::pair("CUDA_ERROR_ASSERT", cudaErrorAssert),
          std::pair("CUDA_ERROR_ILLEGAL_ADDRESS", cudaErrorIllegalAddress),
          std::pair("CUDA_ERROR_LAUNCH_TIMEOUT", cudaErrorLaunchTimeout)})
        if (message.find(name) != std::string::npos) return error;
    return cudaErrorLaunchFailure;
}

// What the simulator says of a CUDA kernel, with the places of the program's own files.
std::string explained(const std::string& message, const gpu::whole_program::DeviceUnit& unit) {
    std::string text = gpu::whole_program::in_cuda_words(
        gpu::whole_program::with_source_places(message, unit.name, unit.lines));
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

// The arguments as the back-end takes them: memory for a pointer into an allocation, otherwise
// bytes.
class Arguments {
public:
    Arguments(Runtime& runtime, const gpu::Entry& entry, void** values) {
        const auto& parameters = entry.signature().parameters;
        const std::vector<std::size_t> sizes = entry.attributes().parameter_bytes;
        bound.resize(sizes.size());
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            gpu::BoundArgument& argument = bound[i];
            argument.parameter = i < parameters.size() ? &parameters[i] : &unknown_;
            const auto* bytes = static_cast<const unsigned char*>(values[i]);
            argument.value.assign(bytes, bytes + sizes[i]);
            if (!argument.parameter->pointer || sizes[i] != sizeof(void*)) continue;
            unsigned char* address = nullptr;
            std::memcpy(static_cast<void*>(&address), bytes, sizeof address);
            Allocation* const found = runtime.find(address);
            if (!found && address) note_stranger(runtime, *argument.parameter, address);
            if (!found || !found->memory) continue;
            argument.memory = found->memory;
            argument.offset = static_cast<std::size_t>(address - found->first);
            argument.element_bytes = std::max<std::size_t>(argument.parameter->tag.bytes, 1);
            argument.elements = found->bytes / argument.element_bytes;
        }
    }

    std::vector<gpu::BoundArgument> bound;
    std::string strangers;  // sentences about pointers that lead into no allocation

private:
    void note_stranger(Runtime& runtime, const gpu::Parameter& parameter, const void* address) {
        const auto* freed = runtime.find_freed(address);
        strangers +=
            "\n  The argument " + parameter.name +
            (freed ? " points to memory that was freed in " + place_text(freed->second)
                   : " is a pointer into the host's memory, which the device cannot follow. "
                     "Allocate it with cudaMalloc and copy the values, or with "
                     "cudaMallocManaged") +
            ".";
    }

    gpu::Parameter unknown_;
};

void require_shared_limit(const CudaKernelHandle& handle, const LaunchConfig& config,
                          const DeviceLimits& limits) {
    const std::size_t fixed = handle.entry->attributes().static_shared_bytes;
    if (config.shared_bytes + fixed <= limits.shared_bytes_per_block ||
        static_cast<int>(config.shared_bytes) <= handle.most_dynamic_shared)
        return;
    throw Error(std::to_string(config.shared_bytes),
                " bytes of dynamic shared memory: without "
                "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) "
                "a block has at most ",
                limits.shared_bytes_per_block - fixed);
}

LaunchConfig config_of(dim3 grid, dim3 block, std::size_t shared_bytes) {
    LaunchConfig config;
    config.grid = {grid.x, grid.y, grid.z};
    config.block = {block.x, block.y, block.z};
    config.shared_bytes = shared_bytes;
    return config;
}

cudaError_t launch(const void* function, dim3 grid, dim3 block, void** arguments,
                   std::size_t shared_bytes, const void* caller, bool cooperative = false) {
    return call(caller, "a launch", [&](Runtime& runtime) {
        CudaKernelHandle* const handle = runtime.cuda_kernel(function);
        if (!handle)
            return runtime.fail(cudaErrorInvalidDeviceFunction, caller, "cudaLaunchKernel",
                                "this is no __global__ function of the program");
        LaunchConfig config = config_of(grid, block, shared_bytes);
        config.cooperative = cooperative;
        const std::string text = gpu::launch_text(handle->entry->name(), config);
        cudaError_t refused = cudaErrorInvalidConfiguration;
        try {
            const Device& device = runtime.device();
            gpu::check_shape(text, config, device.limits(), handle->entry->attributes());
            require_shared_limit(*handle, config, device.limits());
            refused = cudaErrorCooperativeLaunchTooLarge;
            if (cooperative && device.is_simulator())
                gpu::check_cooperative(text, config, device.limits(), handle->entry->attributes());
        } catch (const Error& error) {
            std::string why = error.what();
            if (why.rfind(text + ": ", 0) == 0) why.erase(0, text.size() + 2);
            if (!why.empty() && why.back() == '.') why.pop_back();
            return runtime.fail(refused, caller, text, why);
        }
        const Arguments given(runtime, *handle->entry, arguments);
        try {
            const HostAccess access;
            gpu::Entry& entry = runtime.entry_to_launch(*handle);
            gpu::simulator::print_note() = [unit = handle->unit](const std::string& note) {
                std::fflush(stdout);
                std::fprintf(stderr, "%s\n", explained(note, *unit).c_str());
            };
            const auto begin = std::chrono::steady_clock::now();
            const LaunchReport report = entry.launch(config, given.bound);
            runtime.count(report);
            if (report.record && report.record->block_waited) handle->blocks_wait = true;
            if (runtime.device().checks().any() && runtime.on_simulator())
                handle->checked_seconds +=
                    std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        } catch (const CudaKernelFault& fault) {
            // Correct programs may do this: who comes last at an atomicExch, for example.
            if (!fault.findings().empty() &&
                fault.findings().front().kind == FindingKind::schedule_dependence &&
                !handle->without_checks) {
                runtime.note(explained(fault.what(), *handle->unit), caller);
                handle->checked_seconds = std::numeric_limits<double>::infinity();
                return launch(function, grid, block, arguments, shared_bytes, caller, cooperative);
            }
            const cudaError_t code = error_of(
                fault.findings().empty() ? FindingKind::trap : fault.findings().front().kind);
            std::string message = explained(fault.what(), *handle->unit);
            if (code == cudaErrorIllegalAddress) message += given.strangers;
            runtime.fault(code, message, caller);
        } catch (const Error& error) {
            runtime.fault(error_of_driver(error.what()), explained(error.what(), *handle->unit),
                          caller);
        }
        // As on a GPU: the launch itself succeeded, what failed is reported by a later call.
        return cudaSuccess;
    });
}

// How many blocks fit on a multiprocessor at once, by threads and shared memory.
int active_blocks(Runtime& runtime, const CudaKernelHandle& handle, int threads,
                  std::size_t shared_bytes) {
    const std::size_t shared = shared_bytes + handle.entry->attributes().static_shared_bytes;
    return static_cast<int>(gpu::resident_blocks(static_cast<std::size_t>(std::max(threads, 0)),
                                                 shared, runtime.device().limits()));
}

CudaKernelHandle& handle_of(Runtime& runtime, const void* function) {
    CudaKernelHandle* const handle = runtime.cuda_kernel(function);
    if (!handle) throw Error("this is no __global__ function of the program");
    return *handle;
}

}  // namespace

}  // namespace lanes::cuda_runtime

using namespace lanes::cuda_runtime;  // NOLINT: the functions below are CUDA's

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream) {
    configurations.push_back({grid, block, shared_bytes, stream, LANES_CALLER});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                       void* stream) {
    if (configurations.empty()) return cudaErrorMissingConfiguration;
    const CallConfiguration& last = configurations.back();
    *grid = last.grid;
    *block = last.block;
    *shared_bytes = last.shared_bytes;
    *static_cast<cudaStream_t*>(stream) = last.stream;
    launching = last.caller;
    configurations.pop_back();
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t) {
    const void* const caller = launching ? launching : LANES_CALLER;
    launching = nullptr;
    return launch(function, grid, block, arguments, shared_bytes, caller);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes, cudaStream_t) {
    return launch(function, grid, block, arguments, shared_bytes, LANES_CALLER, true);
}

cudaError_t lanes_cuda_set_attribute(const void* function, cudaFuncAttribute attribute, int value) {
    return call(LANES_CALLER, "cudaFuncSetAttribute", [&](Runtime& runtime) {
        if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
        CudaKernelHandle& handle = handle_of(runtime, function);
        const std::size_t most = runtime.device().limits().shared_bytes_per_block_optin -
                                 handle.entry->attributes().static_shared_bytes;
        if (value < 0 || static_cast<std::size_t>(value) > most)
            throw lanes::Error(std::to_string(value),
                               " bytes of dynamic shared memory, the device allows ", most);
        handle.most_dynamic_shared = value;
        return cudaSuccess;
    });
}

cudaError_t lanes_cuda_attributes(cudaFuncAttributes* attributes, const void* function) {
    return call(LANES_CALLER, "cudaFuncGetAttributes", [&](Runtime& runtime) {
        const auto known = handle_of(runtime, function).entry->attributes();
        *attributes = {};
        attributes->sharedSizeBytes = known.static_shared_bytes;
        attributes->numRegs = static_cast<int>(known.registers_per_thread);
        attributes->maxThreadsPerBlock = static_cast<int>(known.max_threads_per_block);
        const int version = std::atoi(runtime.device().architecture().c_str() + 3);
        attributes->ptxVersion = attributes->binaryVersion = version;
        attributes->maxDynamicSharedSizeBytes =
            static_cast<int>(runtime.device().limits().shared_bytes_per_block);
        return cudaSuccess;
    });
}

cudaError_t lanes_cuda_occupancy(int* blocks, const void* function, int threads,
                                 size_t shared_bytes) {
    return call(
        LANES_CALLER, "cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&](Runtime& runtime) {
            *blocks = active_blocks(runtime, handle_of(runtime, function), threads, shared_bytes);
            return cudaSuccess;
        });
}

cudaError_t lanes_cuda_block_size(int* grid, int* block, const void* function, size_t shared_bytes,
                                  int most) {
    return call(LANES_CALLER, "cudaOccupancyMaxPotentialBlockSize", [&](Runtime& runtime) {
        const CudaKernelHandle& handle = handle_of(runtime, function);
        const auto allowed =
            static_cast<int>(std::min(runtime.device().limits().threads_per_block,
                                      handle.entry->attributes().max_threads_per_block));
        *block = most > 0 ? std::min(most, allowed) : allowed;
        const int blocks = active_blocks(runtime, handle, *block, shared_bytes);
        *grid = blocks * static_cast<int>(std::max(1U, runtime.device().limits().multiprocessors));
        return cudaSuccess;
    });
}
