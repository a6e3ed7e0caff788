// The device: how many there are, what it can do, waiting for it.
#include "call.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>

namespace lanes::cuda_runtime {

namespace {

constexpr int clock_khz = 1000000;

void require_device(int number) {
    if (number != 0) throw Error("there is no device ", number, ": the only one has the number 0");
}

cudaDeviceProp properties_of(const Device& device) {
    const DeviceLimits& limits = device.limits();
    cudaDeviceProp all;
    std::memset(&all, 0, sizeof all);
    std::snprintf(all.name, sizeof all.name, "%s", device.name().c_str());
    const int version = std::atoi(device.architecture().c_str() + 3);
    all.major = version / 10;
    all.minor = version % 10;
    all.totalGlobalMem = limits.memory_bytes;
    all.sharedMemPerBlock = limits.shared_bytes_per_block;
    all.sharedMemPerBlockOptin = limits.shared_bytes_per_block_optin;
    all.sharedMemPerMultiprocessor = limits.shared_bytes_per_block_optin + 1024;
    all.reservedSharedMemPerBlock = 1024;
    all.regsPerBlock = all.regsPerMultiprocessor = 65536;
    all.warpSize = 32;
    all.memPitch = 2147483647;
    all.maxThreadsPerBlock = static_cast<int>(limits.threads_per_block);
    for (std::size_t i = 0; i < 3; ++i) {
        all.maxThreadsDim[i] = static_cast<int>(limits.block[i]);
        all.maxGridSize[i] = static_cast<int>(limits.grid[i]);
    }
    all.clockRate = all.memoryClockRate = clock_khz;
    all.memoryBusWidth = 256;
    all.totalConstMem = limits.constant_bytes;
    all.textureAlignment = 512;
    all.multiProcessorCount = static_cast<int>(limits.multiprocessors);
    all.maxThreadsPerMultiProcessor = 2048;
    all.maxBlocksPerMultiProcessor = 32;
    all.canMapHostMemory = all.unifiedAddressing = all.managedMemory = 1;
    all.concurrentManagedAccess = device.is_simulator() ? 0 : 1;
    all.deviceOverlap = all.asyncEngineCount = all.concurrentKernels = 1;
    all.cooperativeLaunch = 1;
    all.l2CacheSize = 4 << 20;
    all.streamPrioritiesSupported = 1;
    return all;
}

int attribute_of(const cudaDeviceProp& all, cudaDeviceAttr attribute) {
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock:
            return all.maxThreadsPerBlock;
        case cudaDevAttrMaxBlockDimX:
        case cudaDevAttrMaxBlockDimY:
        case cudaDevAttrMaxBlockDimZ:
            return all.maxThreadsDim[attribute - cudaDevAttrMaxBlockDimX];
        case cudaDevAttrMaxGridDimX:
        case cudaDevAttrMaxGridDimY:
        case cudaDevAttrMaxGridDimZ:
            return all.maxGridSize[attribute - cudaDevAttrMaxGridDimX];
        case cudaDevAttrMaxSharedMemoryPerBlock:
            return static_cast<int>(all.sharedMemPerBlock);
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            return static_cast<int>(all.sharedMemPerBlockOptin);
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            return static_cast<int>(all.sharedMemPerMultiprocessor);
        case cudaDevAttrTotalConstantMemory:
            return static_cast<int>(all.totalConstMem);
        case cudaDevAttrWarpSize:
            return all.warpSize;
        case cudaDevAttrMaxPitch:
            return static_cast<int>(all.memPitch);
        case cudaDevAttrMaxRegistersPerBlock:
        case cudaDevAttrMaxRegistersPerMultiprocessor:
            return all.regsPerBlock;
        case cudaDevAttrClockRate:
            return all.clockRate;
        case cudaDevAttrMemoryClockRate:
            return all.memoryClockRate;
        case cudaDevAttrGlobalMemoryBusWidth:
            return all.memoryBusWidth;
        case cudaDevAttrL2CacheSize:
            return all.l2CacheSize;
        case cudaDevAttrMultiProcessorCount:
            return all.multiProcessorCount;
        case cudaDevAttrMaxThreadsPerMultiProcessor:
            return all.maxThreadsPerMultiProcessor;
        case cudaDevAttrComputeCapabilityMajor:
            return all.major;
        case cudaDevAttrComputeCapabilityMinor:
            return all.minor;
        case cudaDevAttrConcurrentManagedAccess:
            return all.concurrentManagedAccess;
        case cudaDevAttrGpuOverlap:
        case cudaDevAttrCanMapHostMemory:
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrAsyncEngineCount:
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrStreamPrioritiesSupported:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrMemoryPoolsSupported:
            return 1;
        default:
            return 0;
    }
}

}  // namespace

}  // namespace lanes::cuda_runtime

using namespace lanes::cuda_runtime;  // NOLINT: the functions below are CUDA's

cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
cudaError_t cudaSetDevice(int device) {
    return call(
        LANES_CALLER, "cudaSetDevice",
        [&](Runtime&) {
            require_device(device);
            return cudaSuccess;
        },
        cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return call(
        LANES_CALLER, "cudaGetDeviceProperties",
        [&](Runtime& runtime) {
            require_device(device);
            *properties = properties_of(runtime.device());
            return cudaSuccess;
        },
        cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return call(
        LANES_CALLER, "cudaDeviceGetAttribute",
        [&](Runtime& runtime) {
            require_device(device);
            *value = attribute_of(properties_of(runtime.device()), attribute);
            return cudaSuccess;
        },
        cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceSynchronize() {
    return call(
        LANES_CALLER, "cudaDeviceSynchronize",
        [](Runtime& runtime) {
            runtime.device().synchronize();
            return cudaSuccess;
        },
        cudaErrorLaunchFailure);
}
void lanes_cuda_replaced(const char* old_name, const char* new_name) {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    // The compiler may have turned one call into several.
    static std::set<const void*> callers;
    static std::set<std::string> reported;
    const void* const caller = LANES_CALLER;
    if (!callers.insert(caller).second) return;
    const std::string message =
        place_text(caller) + ": " + old_name + ": CUDA has replaced it by " + new_name + ".\n";
    if (reported.insert(message).second) runtime.say(message);
}
cudaError_t cudaDeviceReset() {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    runtime.free_all();
    runtime.sticky = runtime.last = cudaSuccess;
    return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    *value = limit == cudaLimitStackSize ? 1024 : 8 << 20;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    *can = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
    return call(
        LANES_CALLER, "cudaDeviceEnablePeerAccess",
        [](Runtime&) -> cudaError_t { throw lanes::Error("there is only one device"); },
        cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int) { return cudaErrorPeerAccessNotEnabled; }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
    return call(LANES_CALLER, "cudaMemGetInfo", [&](Runtime& runtime) {
        *total_bytes = runtime.device().limits().memory_bytes;
        *free_bytes = runtime.device().free_bytes();
        if (runtime.on_simulator())
            for (const auto& [address, allocation] : runtime.allocations())
                *free_bytes -= std::min(*free_bytes, allocation.bytes);
        return cudaSuccess;
    });
}
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
