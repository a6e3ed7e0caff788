// cudaGetLastError and the names of errors.
#include "runtime.hpp"

using lanes::cuda_runtime::Runtime;

namespace {

struct Named {
    cudaError_t error;
    const char *name, *text;
};

#define LANES_ERROR(name, text) {name, #name, text}
constexpr Named errors[] = {
    LANES_ERROR(cudaSuccess, "no error"),
    LANES_ERROR(cudaErrorInvalidValue, "invalid argument"),
    LANES_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    LANES_ERROR(cudaErrorInitializationError, "initialization error"),
    LANES_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    LANES_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    LANES_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    LANES_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    LANES_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    LANES_ERROR(cudaErrorInsufficientDriver,
                "CUDA driver version is insufficient for CUDA runtime version"),
    LANES_ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    LANES_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    LANES_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    LANES_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    LANES_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    LANES_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    LANES_ERROR(cudaErrorNotReady, "device not ready"),
    LANES_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    LANES_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    LANES_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    LANES_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    LANES_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    LANES_ERROR(cudaErrorAssert, "device-side assert triggered"),
    LANES_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    LANES_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    LANES_ERROR(cudaErrorNotSupported, "operation not supported"),
    LANES_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef LANES_ERROR

const Named& named(cudaError_t error) {
    for (const Named& known : errors)
        if (known.error == error) return known;
    static const Named unknown{cudaErrorUnknown, "unrecognized error code",
                               "unrecognized error code"};
    return unknown;
}

}  // namespace

namespace lanes::cuda_runtime {
const char* error_name(cudaError_t error) { return named(error).name; }
}  // namespace lanes::cuda_runtime

cudaError_t cudaGetLastError() {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    const cudaError_t error = runtime.sticky ? runtime.sticky : runtime.last;
    runtime.last = cudaSuccess;
    runtime.looked_at();
    return error;
}

cudaError_t cudaPeekAtLastError() {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    runtime.looked_at();
    return runtime.sticky ? runtime.sticky : runtime.last;
}

const char* cudaGetErrorString(cudaError_t error) { return named(error).text; }
const char* cudaGetErrorName(cudaError_t error) { return named(error).name; }
