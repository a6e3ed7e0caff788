// The host's side of CUDA for programs that tools/run-cu compiles: types, errors, and the functions
// of the runtime that src/cuda_runtime implements. Names, values and parameters are those of CUDA,
// so that programs need not be changed.
#pragma once

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <new>

// In a CUDA file these words stay until host and device are apart.
#ifndef __CUDA__
#define __host__
#define __device__
#define __global__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#endif

// Other headers ask with these whether this one was included.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__

#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
#define CUDART_CB

#define LANES_BOTH __host__ __device__ static inline

// --- Vectors

#define LANES_VECTOR(T, name, a2, a4)                                              \
    struct name##1 { T x; };                                                       \
    struct __attribute__((aligned(a2))) name##2 { T x, y; };                       \
    struct name##3 { T x, y, z; };                                                 \
    struct __attribute__((aligned(a4))) name##4 { T x, y, z, w; };                 \
    LANES_BOTH name##1 make_##name##1(T x) { return name##1 {x}; }                 \
    LANES_BOTH name##2 make_##name##2(T x, T y) { return name##2 {x, y}; }         \
    LANES_BOTH name##3 make_##name##3(T x, T y, T z) { return name##3 {x, y, z}; } \
    LANES_BOTH name##4 make_##name##4(T x, T y, T z, T w) { return name##4 {x, y, z, w}; }
LANES_VECTOR(signed char, char, 2, 4)
LANES_VECTOR(unsigned char, uchar, 2, 4)
LANES_VECTOR(short, short, 4, 8)
LANES_VECTOR(unsigned short, ushort, 4, 8)
LANES_VECTOR(int, int, 8, 16)
LANES_VECTOR(unsigned int, uint, 8, 16)
LANES_VECTOR(long, long, 16, 16)
LANES_VECTOR(unsigned long, ulong, 16, 16)
LANES_VECTOR(long long, longlong, 16, 16)
LANES_VECTOR(unsigned long long, ulonglong, 16, 16)
LANES_VECTOR(float, float, 8, 16)
LANES_VECTOR(double, double, 16, 16)
#undef LANES_VECTOR

struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1)
        : x(x_), y(y_), z(z_) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};

// --- Functions that CUDA gives to the host, too

#define LANES_MIN_MAX(T)                                           \
    LANES_BOTH constexpr T min(T a, T b) { return b < a ? b : a; } \
    LANES_BOTH constexpr T max(T a, T b) { return a < b ? b : a; }
LANES_MIN_MAX(int)
LANES_MIN_MAX(unsigned)
LANES_MIN_MAX(long)
LANES_MIN_MAX(unsigned long)
LANES_MIN_MAX(long long)
LANES_MIN_MAX(unsigned long long)
#undef LANES_MIN_MAX
LANES_BOTH constexpr unsigned min(unsigned a, int b) { return min(a, unsigned(b)); }
LANES_BOTH constexpr unsigned min(int a, unsigned b) { return min(unsigned(a), b); }
LANES_BOTH constexpr unsigned max(unsigned a, int b) { return max(a, unsigned(b)); }
LANES_BOTH constexpr unsigned max(int a, unsigned b) { return max(unsigned(a), b); }
LANES_BOTH float min(float a, float b) { return fminf(a, b); }
LANES_BOTH float max(float a, float b) { return fmaxf(a, b); }
LANES_BOTH double min(double a, double b) { return fmin(a, b); }
LANES_BOTH double max(double a, double b) { return fmax(a, b); }
#if !__GLIBC_PREREQ(2, 42)  // later C libraries have these functions of C23
LANES_BOTH float rsqrtf(float x) { return 1.0f / sqrtf(x); }
LANES_BOTH double rsqrt(double x) { return 1.0 / sqrt(x); }
#endif
#if !__GLIBC_PREREQ(2, 41)
LANES_BOTH float sinpif(float x) { return sinf(3.14159265358979f * x); }
LANES_BOTH float cospif(float x) { return cosf(3.14159265358979f * x); }
#endif

// --- Errors

typedef enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorInsufficientDriver = 35,
    cudaErrorMissingConfiguration = 52,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorSymbolNotFound = 500,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorPeerAccessNotEnabled = 705,
    cudaErrorAssert = 710,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999
} cudaError_t;

// --- Handles, kinds, flags

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
enum cudaComputeMode {
    cudaComputeModeDefault,
    cudaComputeModeExclusive,
    cudaComputeModeProhibited,
    cudaComputeModeExclusiveProcess
};
enum cudaLimit {
    cudaLimitStackSize,
    cudaLimitPrintfFifoSize,
    cudaLimitMallocHeapSize,
    cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid,
    cudaMemLocationTypeDevice,
    cudaMemLocationTypeHost
};
struct cudaMemLocation {
    enum cudaMemLocationType type;
    int id;
};
enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged
};
struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void* devicePointer;
    void* hostPointer;
};

enum {
    cudaCpuDeviceId = -1,
    cudaInvalidDeviceId = -2,
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4,
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceBlockingSync = 4,
    cudaDeviceMapHost = 8,
    cudaOccupancyDefault = 0,
    cudaOccupancyDisableCachingOverride = 1
};

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxPitch = 11,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrGpuOverlap = 15,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout = 17,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrEccEnabled = 32,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrStreamPrioritiesSupported = 78,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrHostNativeAtomicSupported = 86,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrComputePreemptionSupported = 90,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMemoryPoolsSupported = 115
};

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory;
    int computeMode;
    int maxTexture1D, maxTexture1DLayered[2], maxTexture2D[2], maxTexture2DLayered[3],
        maxTexture3D[3];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
    int asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;
    int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
    int globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
    int concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
    int cooperativeLaunch, cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int memoryPoolsSupported;
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

typedef void (*cudaHostFn_t)(void*);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*);

// --- Functions. The compiler warns of a result that nobody looks at: those places are known when
// a call fails.

#define LANES_API __attribute__((warn_unused_result)) cudaError_t

extern "C" {
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);

LANES_API cudaGetDeviceCount(int* count);
LANES_API cudaSetDevice(int device);
LANES_API cudaGetDevice(int* device);
LANES_API cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
LANES_API cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
LANES_API cudaChooseDevice(int* device, const cudaDeviceProp* properties);
LANES_API cudaDeviceSynchronize();
LANES_API cudaDeviceReset();
LANES_API cudaSetDeviceFlags(unsigned flags);
LANES_API cudaDeviceSetLimit(cudaLimit limit, size_t value);
LANES_API cudaDeviceGetLimit(size_t* value, cudaLimit limit);
LANES_API cudaDeviceSetCacheConfig(cudaFuncCache config);
LANES_API cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
LANES_API cudaDeviceCanAccessPeer(int* can, int device, int peer);
LANES_API cudaDeviceEnablePeerAccess(int peer, unsigned flags);
LANES_API cudaDeviceDisablePeerAccess(int peer);
LANES_API cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
LANES_API cudaDriverGetVersion(int* version);
LANES_API cudaRuntimeGetVersion(int* version);
LANES_API cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);
LANES_API cudaProfilerStart();
LANES_API cudaProfilerStop();

LANES_API cudaMalloc(void** pointer, size_t bytes);
LANES_API cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
LANES_API cudaFree(void* pointer);
LANES_API cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream);
LANES_API cudaFreeAsync(void* pointer, cudaStream_t stream);
LANES_API cudaMallocManaged(void** pointer, size_t bytes, unsigned flags);
LANES_API cudaMallocHost(void** pointer, size_t bytes);
LANES_API cudaHostAlloc(void** pointer, size_t bytes, unsigned flags);
LANES_API cudaFreeHost(void* pointer);
LANES_API cudaHostGetDevicePointer(void** pointer, void* host, unsigned flags);
LANES_API cudaHostRegister(void* host, size_t bytes, unsigned flags);
LANES_API cudaHostUnregister(void* host);
LANES_API cudaHostGetFlags(unsigned* flags, void* host);
LANES_API cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
LANES_API cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                       size_t height, cudaMemcpyKind kind);
LANES_API cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                            size_t width, size_t height, cudaMemcpyKind kind,
                            cudaStream_t stream = 0);
LANES_API cudaMemset(void* to, int value, size_t bytes);
LANES_API cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream = 0);
LANES_API cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height);
LANES_API cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                               cudaStream_t stream = 0);
LANES_API cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device);

LANES_API cudaStreamCreate(cudaStream_t* stream);
LANES_API cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
LANES_API cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
LANES_API cudaStreamDestroy(cudaStream_t stream);
LANES_API cudaStreamSynchronize(cudaStream_t stream);
LANES_API cudaStreamQuery(cudaStream_t stream);
LANES_API cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
LANES_API cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                unsigned flags);
LANES_API cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
LANES_API cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
LANES_API cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
LANES_API cudaEventSynchronize(cudaEvent_t event);
LANES_API cudaEventQuery(cudaEvent_t event);
LANES_API cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end);
LANES_API cudaEventDestroy(cudaEvent_t event);

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream);
LANES_API cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                      size_t shared_bytes, cudaStream_t stream);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                     cudaStream_t stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);

// Behind the inline functions below.
void lanes_cuda_replaced(const char* old_name, const char* new_name);
// room: bytes from the pointer to the end of its block, as far as the compiler knows.
LANES_API lanes_cuda_memcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            size_t to_room, size_t from_room, const char* function);
LANES_API lanes_cuda_set_attribute(const void* function, cudaFuncAttribute attribute, int value);
LANES_API lanes_cuda_attributes(cudaFuncAttributes* attributes, const void* function);
LANES_API lanes_cuda_occupancy(int* blocks, const void* function, int threads, size_t shared_bytes);
LANES_API lanes_cuda_block_size(int* grid, int* block, const void* function, size_t shared_bytes,
                                int most);
LANES_API lanes_cuda_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind);
LANES_API lanes_cuda_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind);
LANES_API lanes_cuda_symbol_size(size_t* bytes, const void* symbol);
LANES_API lanes_cuda_symbol_address(void** address, const void* symbol);
}

// Inlined, so that the calls above come from the program's own line.
#define LANES_INLINE static inline __attribute__((always_inline, warn_unused_result)) cudaError_t

// For arrays, and for blocks that the calling function allocated by malloc or new.
#define LANES_ROOM(pointer) __builtin_dynamic_object_size(pointer, 0)

LANES_INLINE cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return lanes_cuda_memcpy(to, from, bytes, kind, LANES_ROOM(to), LANES_ROOM(from), "cudaMemcpy");
}
LANES_INLINE cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                             cudaStream_t = 0) {
    return lanes_cuda_memcpy(to, from, bytes, kind, LANES_ROOM(to), LANES_ROOM(from),
                             "cudaMemcpyAsync");
}
// Names before CUDA 4.0.
LANES_INLINE cudaThreadSynchronize() {
    lanes_cuda_replaced("cudaThreadSynchronize", "cudaDeviceSynchronize");
    return cudaDeviceSynchronize();
}
LANES_INLINE cudaThreadExit() {
    lanes_cuda_replaced("cudaThreadExit", "cudaDeviceReset");
    return cudaDeviceReset();
}
LANES_INLINE cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
LANES_INLINE cudaEventCreate(cudaEvent_t* event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
}
LANES_INLINE cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                  unsigned, cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(pointer, bytes, location.id, stream);
}
LANES_INLINE cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                           cudaMemLocation location) {
    return cudaMemAdvise(pointer, bytes, advice, location.id);
}
template <class T>
LANES_INLINE cudaStreamAttachMemAsync(cudaStream_t, T*, size_t = 0, unsigned = 4) {
    return cudaSuccess;
}
template <class T>
LANES_INLINE cudaMalloc(T** pointer, size_t bytes) {
    return cudaMalloc((void**)pointer, bytes);
}
template <class T>
LANES_INLINE cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync((void**)pointer, bytes, stream);
}
template <class T>
LANES_INLINE cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
    return cudaMallocPitch((void**)pointer, pitch, width, height);
}
template <class T>
LANES_INLINE cudaMallocManaged(T** pointer, size_t bytes, unsigned flags = 1) {
    return cudaMallocManaged((void**)pointer, bytes, flags);
}
template <class T>
LANES_INLINE cudaMallocHost(T** pointer, size_t bytes, unsigned flags = 0) {
    return cudaHostAlloc((void**)pointer, bytes, flags);
}
template <class T>
LANES_INLINE cudaHostAlloc(T** pointer, size_t bytes, unsigned flags) {
    return cudaHostAlloc((void**)pointer, bytes, flags);
}
template <class T>
LANES_INLINE cudaHostGetDevicePointer(T** pointer, void* host, unsigned flags) {
    return cudaHostGetDevicePointer((void**)pointer, host, flags);
}
template <class T>
LANES_INLINE cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return lanes_cuda_to_symbol((const void*)&symbol, from, bytes, offset, kind);
}
template <class T>
LANES_INLINE cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                     size_t offset = 0,
                                     cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                     cudaStream_t = 0) {
    return lanes_cuda_to_symbol((const void*)&symbol, from, bytes, offset, kind);
}
template <class T>
LANES_INLINE cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                  cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return lanes_cuda_from_symbol(to, (const void*)&symbol, bytes, offset, kind);
}
template <class T>
LANES_INLINE cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                       cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                       cudaStream_t = 0) {
    return lanes_cuda_from_symbol(to, (const void*)&symbol, bytes, offset, kind);
}
template <class T>
LANES_INLINE cudaGetSymbolSize(size_t* bytes, const T& symbol) {
    return lanes_cuda_symbol_size(bytes, (const void*)&symbol);
}
template <class T>
LANES_INLINE cudaGetSymbolAddress(void** address, const T& symbol) {
    return lanes_cuda_symbol_address(address, (const void*)&symbol);
}
template <class F>
LANES_INLINE cudaLaunchKernel(F* function, dim3 grid, dim3 block, void** arguments,
                              size_t shared_bytes = 0, cudaStream_t stream = 0) {
    return cudaLaunchKernel((const void*)function, grid, block, arguments, shared_bytes, stream);
}
template <class F>
LANES_INLINE cudaLaunchCooperativeKernel(F* function, dim3 grid, dim3 block, void** arguments,
                                         size_t shared_bytes = 0, cudaStream_t stream = 0) {
    return cudaLaunchCooperativeKernel((const void*)function, grid, block, arguments, shared_bytes,
                                       stream);
}
template <class F>
LANES_INLINE cudaFuncSetAttribute(F* function, cudaFuncAttribute attribute, int value) {
    return lanes_cuda_set_attribute((const void*)function, attribute, value);
}
template <class F>
LANES_INLINE cudaFuncGetAttributes(cudaFuncAttributes* attributes, F* function) {
    return lanes_cuda_attributes(attributes, (const void*)function);
}
template <class F>
LANES_INLINE cudaFuncSetCacheConfig(F*, cudaFuncCache) {
    return cudaSuccess;
}
template <class F>
LANES_INLINE cudaFuncSetSharedMemConfig(F*, cudaSharedMemConfig) {
    return cudaSuccess;
}
template <class F>
LANES_INLINE cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F* function, int threads,
                                                           size_t shared_bytes) {
    return lanes_cuda_occupancy(blocks, (const void*)function, threads, shared_bytes);
}
template <class F>
LANES_INLINE cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F* function,
                                                                    int threads,
                                                                    size_t shared_bytes, unsigned) {
    return lanes_cuda_occupancy(blocks, (const void*)function, threads, shared_bytes);
}
template <class F>
LANES_INLINE cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F* function,
                                                size_t shared_bytes = 0, int most = 0) {
    return lanes_cuda_block_size(grid, block, (const void*)function, shared_bytes, most);
}
template <class Bytes, class F>
LANES_INLINE cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, F* function,
                                                            Bytes bytes_of_block, int most = 0) {
    return lanes_cuda_block_size(grid, block, (const void*)function, bytes_of_block(256), most);
}

#undef LANES_ROOM
#undef LANES_API
#undef LANES_INLINE
#undef LANES_BOTH
