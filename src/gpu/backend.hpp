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
#include <utility>
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
    // As the device sees it. Throws if the contents were lost with an earlier process.
    virtual void* address() const = 0;
};

struct EntryAttributes {
    unsigned registers_per_thread = 0;
    std::size_t static_shared_bytes = 0;
    unsigned max_threads_per_block = 1024;  // by __launch_bounds__ and registers
    // From the driver or the compiler; empty if it does not report them.
    std::vector<std::size_t> parameter_bytes;
};

// One argument as the back-end receives it, already checked against the signature.
struct BoundArgument {
    const Parameter* parameter = nullptr;
    // Of a pointer parameter. Null if nullptr was passed; then value is 8 zero bytes.
    std::shared_ptr<Memory> memory;
    std::size_t elements = 0, element_bytes = 0;
    std::size_t offset = 0;            // bytes from the memory's first byte to the pointer
    std::vector<unsigned char> value;  // bytes of a scalar, converted to the parameter's type
};

// One argument of Entry::enqueue: memory of the device from an offset on, or a value of exactly the
// parameter's type.
struct RawArgument {
    const Memory* memory = nullptr;
    std::size_t offset = 0;  // bytes
    const void* value = nullptr;
};

// A compiled __global__ function.
class Entry {
public:
    virtual ~Entry() = default;
    virtual const std::string& name() const = 0;
    virtual const Signature& signature() const = 0;
    virtual EntryAttributes attributes() const = 0;
    // Limits were checked before. Waits until the launch has ended.
    virtual LaunchReport launch(const LaunchConfig& config,
                                const std::vector<BoundArgument>& arguments) = 0;

    // Starts it after everything launched before, and returns at once: no checks, no timing. What
    // fails on the device is reported by the next copy to the host or synchronize(). GPUs only.
    virtual bool can_enqueue() const { return false; }
    virtual void enqueue(const LaunchConfig& config, const RawArgument* arguments,
                         std::size_t count);
};

struct ProgramText {
    std::string text, name;  // the name is for messages
    // One string each, as normal_flags() returns them, and --gpu-architecture=sm_90.
    std::vector<std::string> flags;
    // The name by which the compiler gets the text, and by which the cache knows it. That of a
    // notebook's cell is always the same, though its number changes each time that it is run.
    std::string file = name;
    // Name expressions of templates that the simulator compiles together with the rest. Others are
    // compiled when they are asked for.
    std::vector<std::string> instances = {};
};

class Module {
public:
    virtual ~Module() = default;
    virtual std::shared_ptr<Entry> entry(const std::string& name_expression) = 0;
    virtual std::shared_ptr<Memory> variable(const std::string& name) = 0;
    const ProgramText& program() const { return program_; }
    // What the text declares, read once: Program::kernel may stand in a loop of launches.
    const Declarations& declarations() const { return declarations_; }

protected:
    explicit Module(ProgramText program)
        : program_(std::move(program)),
          declarations_(read_declarations(program_.text, program_.flags)) {}

private:
    ProgramText program_;
    Declarations declarations_;
};

// A sequence of launches that was recorded once: replay() starts all of them at once, after
// everything launched before, and does not wait.
class CapturedGraph {
public:
    virtual ~CapturedGraph() = default;
    virtual void replay() = 0;
};

class Backend {
public:
    virtual ~Backend() = default;
    virtual bool is_cpu() const { return false; }
    virtual bool is_simulator() const = 0;
    virtual std::string id() const = 0;  // "cpu", "cuda:0", "simulator"
    virtual const std::string& name() const = 0;
    virtual const std::string& architecture() const = 0;
    virtual const DeviceLimits& limits() const = 0;
    virtual const Checks& checks() const = 0;
    virtual std::shared_ptr<Memory> allocate(std::size_t bytes, std::size_t element_bytes) = 0;
    virtual std::shared_ptr<Module> compile(const ProgramText& program) = 0;
    virtual std::size_t free_bytes() const = 0;
    virtual void synchronize() = 0;
    virtual bool shares_memory_with(const Backend& other) const = 0;

    // --- GPUs only. Between begin and end, launches without waiting are recorded and not carried
    // out; everything that waits for the device throws Error.
    virtual bool can_record() const { return false; }
    virtual void begin_capture() {}
    virtual std::unique_ptr<CapturedGraph> end_capture() { return nullptr; }
    virtual void cancel_capture() noexcept {}

    // Makes memory of the host accessible to the device for faster copies.
    virtual void pin(void*, std::size_t) {}
    virtual void unpin(void*) noexcept {}
};

// The arguments of a launch as the back-end gets them; throws Error if they or the launch shape do
// not fit. In launch.cpp.
std::vector<BoundArgument> checked_arguments(const CudaKernel& cuda_kernel,
                                             const LaunchConfig& config,
                                             const std::vector<Argument>& arguments);

// Throws Error if the device or the CUDA kernel does not allow this grid, block or shared memory.
// In launch.cpp.
void check_shape(const std::string& launch, const LaunchConfig& config, const DeviceLimits& limits,
                 const EntryAttributes& attributes);

// How many blocks of the simulated device fit on one multiprocessor at once. shared_bytes: static
// and dynamic. In launch.cpp.
std::size_t resident_blocks(std::size_t threads, std::size_t shared_bytes,
                            const DeviceLimits& limits);
// Throws Error if not all blocks of a cooperative launch are on the simulated device at once.
void check_cooperative(const std::string& launch, const LaunchConfig& config,
                       const DeviceLimits& limits, const EntryAttributes& attributes);

// How messages name a launch: "launch max_v1 <<<1000, 2048>>>". The text of a shape is "1000",
// "(16, 16)" or "(4, 4, 4)". Both are in report.cpp.
std::string launch_text(const std::string& cuda_kernel, const LaunchConfig& config);
std::string shape_text(const Dim3& shape);

std::shared_ptr<Backend> cpu_backend();  // the same one for all callers
// In src/gpu/cuda. Throws Error that says what is missing.
std::shared_ptr<Backend> make_cuda_backend(int number);
int cuda_device_count();  // 0 without a driver
std::shared_ptr<Backend> make_simulator_backend(const std::string& architecture,
                                                const Checks& checks);  // src/gpu/simulator

}  // namespace lanes::gpu
