// What runs CUDA kernels: a GPU or the simulator, with one interface.
//
//   #include <iostream>
//   const lanes::Device device = lanes::Device::best();  // a GPU if there is one
//   std::cout << device.description() << '\n';
//   if (!lanes::Device::has_gpu()) std::cout << lanes::Device::why_no_gpu() << '\n';
//   const lanes::Device quick = device.fast();           // the simulator without its checks
#pragma once

#include "lanes/gpu/checks.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace lanes {

namespace gpu {
class Backend;  // src/gpu/backend.hpp
}

// What one launch may ask for. The simulator has the limits of the architecture that it stands for.
struct DeviceLimits {
    unsigned threads_per_block = 1024;
    std::array<unsigned, 3> block{1024, 1024, 64};
    std::array<unsigned, 3> grid{2147483647, 65535, 65535};
    std::size_t shared_bytes_per_block = std::size_t{48} * 1024;  // static and dynamic together
    std::size_t shared_bytes_per_block_optin =
        std::size_t{227} * 1024;  // dynamic shared memory is raised to this by launch itself
    std::size_t constant_bytes = std::size_t{64} * 1024;
    unsigned multiprocessors = 0;
    std::size_t memory_bytes = 0;
};

// A handle that is cheap to copy.
class Device {
public:
    static Device best();  // DeviceScope's, or LANES_DEVICE: simulator, gpu:N or best; else GPU 0
                           // or the simulator
    static Device gpu(int number = 0);  // throws Error that says what is missing
    static Device simulator(const std::string& architecture = "sm_90");  // with all checks
    static bool has_gpu();            // whether gpu(0) would work
    static std::string why_no_gpu();  // one sentence; "" where has_gpu()

    Device fast() const;  // the same simulator without checks; a GPU is returned as it is
    Device with(const Checks& checks)
        const;                // the same simulator with other checks; a GPU is returned as it is
    Device compared() const;  // a GPU whose launches are run on the simulator as well and compared;
                              // the simulator is returned as it is

    bool is_simulator() const;
    const std::string& name() const;          // "NVIDIA H200", "simulator"
    const std::string& architecture() const;  // "sm_90"
    const DeviceLimits& limits() const;
    const Checks& checks() const;
    std::string description()
        const;  // one line for a table: name, architecture, multiprocessors or workers, checks
    void synchronize() const;  // waits for everything launched; throws what went wrong there

    // Whether buffers of one can be used on the other: the same GPU, or both simulators (whatever
    // their checks).
    bool shares_memory_with(const Device& other) const;

    const std::shared_ptr<gpu::Backend>& backend() const { return backend_; }
    bool is_compared() const { return compared_; }

private:
    Device(std::shared_ptr<gpu::Backend> backend, bool compared);

    std::shared_ptr<gpu::Backend> backend_;
    bool compared_ = false;
};

// Device::best() is this device as long as the scope lives, in all threads of the process and
// before LANES_DEVICE. An exercise runs a student's function on the simulator with it, whatever the
// machine has. The innermost scope counts.
class DeviceScope {
public:
    explicit DeviceScope(const Device& device);
    ~DeviceScope();
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;
};

}  // namespace lanes
