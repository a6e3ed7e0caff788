// NVIDIA's driver (libcuda), opened at run time. The functions and numbers that are used are
// declared here: no CUDA header is needed to build the library.
#pragma once

#include <cstddef>
#include <string>

namespace lanes::gpu::cuda {

using Result = int;  // CUresult; 0 is success
using DeviceNumber = int;
using DeviceAddress = unsigned long long;
using ContextHandle = struct OpaqueContext*;
using ModuleHandle = struct OpaqueModule*;
using FunctionHandle = struct OpaqueFunction*;
using StreamHandle = struct OpaqueStream*;
using EventHandle = struct OpaqueEvent*;
using GraphHandle = struct OpaqueGraph*;
using ExecutableGraphHandle = struct OpaqueExecutableGraph*;

enum class DeviceAttribute : int {
    threads_per_block = 1,
    block_x = 2,
    block_y = 3,
    block_z = 4,
    grid_x = 5,
    grid_y = 6,
    grid_z = 7,
    shared_bytes_per_block = 8,
    constant_bytes = 9,
    multiprocessors = 16,
    architecture_major = 75,
    architecture_minor = 76,
    shared_bytes_per_block_optin = 97
};

enum class FunctionAttribute : int {
    max_threads_per_block = 0,
    static_shared_bytes = 1,
    registers = 4,
    max_dynamic_shared_bytes = 8
};

constexpr Result out_of_memory = 2;

struct Driver {
    Result (*init)(unsigned) = nullptr;
    Result (*version)(int*) = nullptr;
    Result (*count)(int*) = nullptr;
    Result (*device)(DeviceNumber*, int) = nullptr;
    Result (*name)(char*, int, DeviceNumber) = nullptr;
    Result (*attribute)(int*, DeviceAttribute, DeviceNumber) = nullptr;
    Result (*total_memory)(std::size_t*, DeviceNumber) = nullptr;
    Result (*retain_context)(ContextHandle*, DeviceNumber) = nullptr;
    Result (*set_context)(ContextHandle) = nullptr;
    Result (*synchronize)() = nullptr;
    Result (*memory_info)(std::size_t* free, std::size_t* total) = nullptr;
    Result (*allocate)(DeviceAddress*, std::size_t) = nullptr;
    Result (*free)(DeviceAddress) = nullptr;
    Result (*copy_to_device)(DeviceAddress, const void*, std::size_t) = nullptr;
    Result (*copy_to_host)(void*, DeviceAddress, std::size_t) = nullptr;
    Result (*copy_to_device_async)(DeviceAddress, const void*, std::size_t, StreamHandle) = nullptr;
    Result (*copy_to_host_async)(void*, DeviceAddress, std::size_t, StreamHandle) = nullptr;
    Result (*pin)(void*, std::size_t, unsigned) = nullptr;  // host memory: page-locked
    Result (*unpin)(void*) = nullptr;
    Result (*fill_bytes)(DeviceAddress, unsigned char, std::size_t) = nullptr;
    Result (*load_module)(ModuleHandle*, const void*) = nullptr;
    Result (*unload_module)(ModuleHandle) = nullptr;
    Result (*function)(FunctionHandle*, ModuleHandle, const char*) = nullptr;
    Result (*global)(DeviceAddress*, std::size_t*, ModuleHandle, const char*) = nullptr;
    Result (*function_attribute)(int*, FunctionAttribute, FunctionHandle) = nullptr;
    Result (*set_function_attribute)(FunctionHandle, FunctionAttribute, int) = nullptr;
    Result (*parameter)(FunctionHandle, std::size_t index, std::size_t* offset,
                        std::size_t* bytes) = nullptr;  // since CUDA 12.4; nullptr before
    Result (*launch)(FunctionHandle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned shared, StreamHandle, void** parameters, void** extra) = nullptr;
    Result (*launch_cooperative)(FunctionHandle, unsigned, unsigned, unsigned, unsigned, unsigned,
                                 unsigned, unsigned shared, StreamHandle,
                                 void** parameters) = nullptr;
    Result (*create_stream)(StreamHandle*, unsigned) = nullptr;
    Result (*query_stream)(StreamHandle) = nullptr;
    Result (*create_event)(EventHandle*, unsigned) = nullptr;
    Result (*destroy_event)(EventHandle) = nullptr;
    Result (*record_event)(EventHandle, StreamHandle) = nullptr;
    Result (*query_event)(EventHandle) = nullptr;
    Result (*begin_capture)(StreamHandle, int mode) = nullptr;
    Result (*end_capture)(StreamHandle, GraphHandle*) = nullptr;
    Result (*instantiate)(ExecutableGraphHandle*, GraphHandle, unsigned long long) = nullptr;
    Result (*launch_graph)(ExecutableGraphHandle, StreamHandle) = nullptr;
    Result (*destroy_graph)(GraphHandle) = nullptr;
    Result (*destroy_executable_graph)(ExecutableGraphHandle) = nullptr;
    Result (*elapsed_ms)(float*, EventHandle, EventHandle) = nullptr;
    Result (*error_name)(Result, const char**) = nullptr;
    Result (*get_error_string)(Result, const char**) = nullptr;
    int (*flush)(void*) = nullptr;  // fflush of the C library that this libcuda prints with
    int process = 0;                // it works in this process and in no fork of it
    char path[4096] = "";  // of the library that was opened first. No std::string: buffers that
                           // live until the end of the process use this object then

    // "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)", and a sentence of
    // explanation where we have one.
    std::string error_text(Result result) const;
};

// The driver of this process, initialised. After a fork a second libcuda is opened: the first one
// answers "not initialised" forever in a child. Throws Error that says what is missing.
const Driver& driver();

// One sentence for the common results, "" for others: what a student does about it.
std::string advice_for(Result result);

// Whether every later call of this process would fail as well. Driver 580 on an H200: neither a
// reset or a new context (both answer with the same error) nor a second libcuda (error 304) helps;
// a forked process with a libcuda of its own does.
bool is_sticky(Result result);

}  // namespace lanes::gpu::cuda
