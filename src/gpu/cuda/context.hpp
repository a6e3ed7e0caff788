// One GPU in this process: its context, its stream, and what happens when they are lost, by a fork
// or by an error that no later call survives.
#pragma once

#include "driver.hpp"

#include "lanes/gpu/device.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace lanes::gpu::cuda {

class Context {
public:
    // One for each number, shared by all Devices. Throws Error that says what is missing.
    static std::shared_ptr<Context> of_gpu(int number);

    explicit Context(int number);

    // Makes the context current in this thread, and anew where the process was forked since. To be
    // called before anything is asked of the driver. Throws Error after an error that no call
    // survives.
    const Driver& use();

    // Whether something made in that generation can still be freed. Opens nothing: destructors ask
    // it, in forked processes too.
    bool is_alive(std::uint64_t generation) const;

    // Changes with each new context: memory and modules of an older one are gone.
    std::uint64_t generation() const { return generation_; }

    // Throws Error for any result but success: operation, words of the driver, what to do.
    void require(Result result, const std::string& operation);

    StreamHandle stream() const { return stream_; }
    const std::string& name() const { return name_; }
    const std::string& architecture() const { return architecture_; }
    const DeviceLimits& limits() const { return limits_; }
    int number() const { return number_; }

private:
    void open(const Driver& d);
    void read_limits(const Driver& d);

    int number_;
    DeviceNumber device_ = 0;
    ContextHandle context_ = nullptr;
    StreamHandle stream_ = nullptr;
    int process_ = 0;
    std::uint64_t generation_ = 0;
    std::string name_, architecture_;
    std::string failed_;  // the operation after which nothing works any more in this process
    DeviceLimits limits_;
    std::recursive_mutex mutex_;
};

}  // namespace lanes::gpu::cuda
