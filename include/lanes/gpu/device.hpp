// Where data lives and work is done: the CPU, a GPU or the simulator. GPU and simulator run CUDA
// kernels, with one interface. Devices are written `cpu`, `cuda:0` and `simulator`.
//
//   #include <iostream>
//   const lanes::Device device = lanes::Device::best();  // a GPU if there is one
//   const lanes::Device first = "cuda:0";                // by its name
//   std::cout << device << ": " << device.description() << '\n';
//   if (!lanes::Device::has_gpu()) std::cout << lanes::Device::why_no_gpu() << '\n';
//   const lanes::Device quick = device.fast();           // the simulator without its checks
#pragma once

#include "lanes/gpu/checks.hpp"

#include <array>
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace lanes {

namespace gpu {
class Backend;  // src/gpu/backend.hpp
}

// Limits of one launch. The simulator has the limits of the architecture that it imitates.
struct DeviceLimits {
    unsigned threads_per_block = 1024;
    std::array<unsigned, 3> block{1024, 1024, 64};
    std::array<unsigned, 3> grid{2147483647, 65535, 65535};
    std::size_t shared_bytes_per_block = std::size_t{48} * 1024;  // static and dynamic together
    // launch() itself raises the limit of dynamic shared memory to this.
    std::size_t shared_bytes_per_block_optin = std::size_t{227} * 1024;
    std::size_t constant_bytes = std::size_t{64} * 1024;
    unsigned multiprocessors = 0;
    std::size_t memory_bytes = 0;
};

// A handle that is cheap to copy.
class Device {
public:
    // "cpu", "cuda:0" (or "cuda", "gpu:0"), "simulator" (or "simulator:sm_80"), "best".
    Device(const char* name);
    Device(const std::string& name);

    // The device for CUDA kernels: that of the innermost DeviceScope, or LANES_DEVICE (a name as
    // above), or GPU 0, or the simulator if there is no GPU.
    static Device best();
    static Device cpu();
    static Device gpu(int number = 0);  // throws Error that says what is missing
    static Device simulator(const std::string& architecture = "sm_90");  // with all checks
    static std::vector<Device> all();                                    // cpu, each GPU, simulator
    static bool has_gpu();            // whether gpu(0) would work
    static std::string why_no_gpu();  // one sentence; "" if has_gpu()

    Device fast() const;  // the same simulator without checks; a GPU is returned unchanged
    // The same simulator with other checks; a GPU is returned unchanged.
    Device with(const Checks& checks) const;

    bool is_cpu() const;
    bool is_simulator() const;
    std::string id() const;                   // "cpu", "cuda:0", "simulator"
    const std::string& name() const;          // "NVIDIA H200", "simulator", "cpu"
    const std::string& architecture() const;  // "sm_90"; of the CPU "x86-64" or "aarch64"
    const DeviceLimits& limits() const;
    const Checks& checks() const;
    // One line for a table: name, architecture, multiprocessors or workers, checks.
    std::string description() const;
    std::size_t free_bytes() const;  // of its memory, at this moment
    void synchronize() const;        // waits for all launches; throws their errors

    // Whether buffers of one can be used on the other: the same GPU, or both simulators (with any
    // checks). This is what == compares.
    bool shares_memory_with(const Device& other) const;
    friend bool operator==(const Device& a, const Device& b) { return a.shares_memory_with(b); }
    friend bool operator!=(const Device& a, const Device& b) { return !(a == b); }
    friend std::ostream& operator<<(std::ostream& out, const Device& device);  // its id

    const std::shared_ptr<gpu::Backend>& backend() const { return backend_; }

private:
    explicit Device(std::shared_ptr<gpu::Backend> backend);

    std::shared_ptr<gpu::Backend> backend_;
};

// Device::best() is this device while the scope exists, in all threads of the process; LANES_DEVICE
// is ignored. Exercises use it to run a student's function on the simulator on any machine. The
// innermost scope counts.
class DeviceScope {
public:
    explicit DeviceScope(const Device& device);
    ~DeviceScope();
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;
};

}  // namespace lanes
