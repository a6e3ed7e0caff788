// What the functions of CUDA's runtime share: the device, its memory, errors, and where in the
// program something happened.
#pragma once

#include "gpu/backend.hpp"
#include "gpu/whole_program/manifest.hpp"

#include "cuda_runtime.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lanes::cuda_runtime {

// The caller of the function that uses it: a line of the program.
#define LANES_CALLER __builtin_return_address(0)

struct Allocation {
    // device: the host cannot follow the address. managed and pinned: both sides can.
    enum class Kind { device, managed, pinned } kind = Kind::device;
    unsigned char* first = nullptr;
    std::size_t bytes = 0;
    std::shared_ptr<gpu::Memory> memory;  // null: memory of the host that the device can follow
    const void* caller = nullptr;         // who allocated it
    const char* function = "";            // by which function
};

struct CudaKernelHandle {
    std::shared_ptr<gpu::Entry> entry;
    const gpu::whole_program::DeviceUnit* unit = nullptr;
    std::string expression;
    int most_dynamic_shared = -1;                // set by cudaFuncSetAttribute
    double checked_seconds = 0;                  // that launches with checks took so far
    bool blocks_wait = false;                    // for each other; without checks perhaps forever
    std::shared_ptr<gpu::Entry> without_checks;  // once that was long enough
};

class Runtime {
public:
    static Runtime& get();

    std::recursive_mutex mutex;

    const Device& device();  // throws Error
    bool on_simulator() { return device().is_simulator(); }

    // --- Memory
    Allocation& allocate(Allocation::Kind kind, std::size_t bytes, const void* caller,
                         const char* function);
    void free(unsigned char* first, const void* caller);
    // The allocation that holds the address; null if there is none.
    Allocation* find(const void* address);
    // The same among those that were freed; the second is who freed it.
    const std::pair<Allocation, const void*>* find_freed(const void* address) const;
    const std::map<std::uintptr_t, Allocation>& allocations() const { return allocations_; }
    void free_all();

    // --- CUDA kernels and variables of the device
    CudaKernelHandle* cuda_kernel(const void* function);  // null if it is none
    // The one to be launched. A program may launch a CUDA kernel thousands of times: after some
    // seconds without a finding, the simulator runs it without checks.
    gpu::Entry& entry_to_launch(CudaKernelHandle& handle);
    // Throws Error if there is no such variable.
    std::shared_ptr<gpu::Memory> variable(const void* symbol, std::string* name = nullptr);

    void count(const LaunchReport& launch);

    // --- Errors
    // Prints what is wrong and returns the code, which cudaGetLastError returns, too.
    cudaError_t fail(cudaError_t error, const void* caller, const std::string& function,
                     const std::string& explanation);
    // After a CUDA kernel failed: every later call returns this error.
    cudaError_t sticky = cudaSuccess;
    cudaError_t last = cudaSuccess;
    void looked_at() { unseen_.clear(); }
    bool any_finding = false;
    // Prints something that is not wrong, or not always.
    void note(const std::string& message, const void* caller);
    void fault(cudaError_t error, const std::string& message, const void* caller);

    const gpu::whole_program::Manifest& manifest() const { return manifest_; }

    // Prints to standard error, and keeps it for the report.
    void say(const std::string& text);

    // What is left to say when the program ends.
    void report_at_exit(int status);

private:
    Runtime();
    // A device text, compiled with or without checks; the values of its variables move along.
    struct Compiled {
        std::shared_ptr<gpu::Module> modules[2];
        bool fast = false;  // which of them has the present values
    };
    gpu::Module& module(const gpu::whole_program::DeviceUnit& unit, bool fast);
    gpu::Module& present_module(const gpu::whole_program::DeviceUnit& unit);

    gpu::whole_program::Manifest manifest_;
    std::unique_ptr<Device> device_;
    std::map<std::uintptr_t, Allocation> allocations_;
    std::vector<std::pair<Allocation, const void*>> freed_;
    std::map<const void*, CudaKernelHandle> cuda_kernels_;
    std::map<const gpu::whole_program::DeviceUnit*, Compiled> compiled_;
    std::vector<std::pair<const void*, std::string>> unseen_;  // failed calls
    gpu::whole_program::ProgramReport report_;
};

// While it exists, the host can follow the addresses of device memory: of one allocation, or all.
class HostAccess {
public:
    explicit HostAccess(Allocation* only = nullptr);
    ~HostAccess();
    HostAccess(const HostAccess&) = delete;
    HostAccess& operator=(const HostAccess&) = delete;

private:
    Allocation* only_;
};

// --- Places (places.cpp)

struct Place {
    std::string file;
    int line = 0;
    std::string text() const { return file + ":" + std::to_string(line); }
};
// The lines of these return addresses in the program's own files; line 0 if it is none.
std::vector<Place> places_of(const std::vector<const void*>& codes);
Place place_of(const void* code);
// "vector_add.cu:12", or "the program" if the line is not known.
std::string place_text(const void* code);
// The line itself, "\n    12 | cudaMalloc(&d, n);"; "" if the file cannot be read.
std::string shown_line(const Place& place);

// The program's symbol at this address. A static one and a variable of the device belong to one
// file; two files may have one of the same name.
struct Symbol {
    std::string name;  // mangled; "" if there is none
    std::string file;  // as DeviceUnit::host_file; "": all files share it
    bool belongs_to(const gpu::whole_program::DeviceUnit& unit) const {
        return file.empty() || file == unit.host_file;
    }
};
Symbol symbol_at(const void* address);

void install_crash_handler();  // crash.cpp

const char* error_name(cudaError_t error);

}  // namespace lanes::cuda_runtime
