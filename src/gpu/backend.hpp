// What a device must be able to do: one implementation for GPUs (src/gpu/cuda), one for the
// simulator (src/gpu/simulator). Nothing else in the module knows which.
#pragma once

#include "gpu/source/signature.hpp"

#include "lanes/gpu/checks.hpp"
#include "lanes/gpu/device.hpp"
#include "lanes/gpu/launch.hpp"
#include "lanes/gpu/report.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lanes::gpu {

// A piece of device memory. The destructor frees it and never throws.
class Memory {
public:
    virtual ~Memory() = default;
    virtual void upload(std::size_t offset, const void* from, std::size_t bytes) = 0;
    virtual void download(std::size_t offset, void* to, std::size_t bytes) const = 0;
    virtual void fill_zero() = 0;
    virtual std::size_t bytes() const = 0;
    virtual void* address() const = 0;  // as the device sees it; throws where the contents were
                                        // lost with an earlier process
};

struct EntryAttributes {
    unsigned registers_per_thread = 0;
    std::size_t static_shared_bytes = 0;
    unsigned max_threads_per_block = 1024;  // by __launch_bounds__ and registers
    std::vector<std::size_t>
        parameter_bytes;  // the driver's, or the compiler's; empty where it cannot say
};

// One argument as the back-end gets it, already checked against the signature.
struct BoundArgument {
    const Parameter* parameter = nullptr;
    std::shared_ptr<Memory>
        memory;  // of a pointer parameter; none where nullptr was given, value is 8 zero bytes then
    std::size_t elements = 0, element_bytes = 0;
    std::vector<unsigned char> value;  // bytes of a scalar, converted to the parameter's type
};

// A compiled __global__ function.
class Entry {
public:
    virtual ~Entry() = default;
    virtual const std::string& name() const = 0;
    virtual const Signature& signature() const = 0;
    virtual EntryAttributes attributes() const = 0;
    virtual LaunchReport launch(
        const LaunchConfig& config,
        const std::vector<BoundArgument>&
            arguments) = 0;  // limits were checked; waits until it has ended
};

struct ProgramText {
    std::string text, name;
    // One string each, as normal_flags() returns them, and --gpu-architecture=sm_90.
    std::vector<std::string> flags;
};

class Module {
public:
    virtual ~Module() = default;
    virtual std::shared_ptr<Entry> entry(const std::string& name_expression) = 0;
    virtual std::shared_ptr<Memory> variable(const std::string& name) = 0;
    const ProgramText& program() const { return program_; }

protected:
    explicit Module(ProgramText program) : program_(std::move(program)) {}

private:
    ProgramText program_;
};

class Backend {
public:
    virtual ~Backend() = default;
    virtual bool is_simulator() const = 0;
    virtual const std::string& name() const = 0;
    virtual const std::string& architecture() const = 0;
    virtual const DeviceLimits& limits() const = 0;
    virtual const Checks& checks() const = 0;
    virtual std::shared_ptr<Memory> allocate(std::size_t bytes, std::size_t element_bytes) = 0;
    virtual std::shared_ptr<Module> compile(const ProgramText& program) = 0;
    virtual void synchronize() = 0;
    virtual bool shares_memory_with(const Backend& other) const = 0;
};

// How messages name a launch: "launch max_v1 <<<1000, 2048>>>". The text of a shape is "1000",
// "(16, 16)" or "(4, 4, 4)". Both are in report.cpp.
std::string launch_text(const std::string& cuda_kernel, const LaunchConfig& config);
std::string shape_text(const Dim3& shape);

std::shared_ptr<Backend> make_cuda_backend(int number);  // src/gpu/cuda; throws what is missing
std::shared_ptr<Backend> make_simulator_backend(const std::string& architecture,
                                                const Checks& checks);  // src/gpu/simulator

}  // namespace lanes::gpu
