// One GPU in this process: its context, its stream, and what happens when either is lost.
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

    // Makes the context current in this thread, and anew where the process was forked since. To be called before anything is asked of the driver.
    const Driver& use();

    // Whether something made in that generation can still be freed. Opens nothing: destructors ask it, in forked processes too.
    bool is_alive(std::uint64_t generation) const;

    // Changes with each new context: memory and modules of an older one are gone.
    std::uint64_t generation() const { return generation_; }
    std::string why_renewed() const { return why_renewed_; }  // "the process was forked", "launch f <<<1, 32>>> failed"

    // Throws Error for any result but success: operation, words of the driver, what to do. After one that no call survives the context is made anew.
    void require(Result result, const std::string& operation);

    StreamHandle stream() const { return stream_; }
    const std::string& name() const { return name_; }
    const std::string& architecture() const { return architecture_; }
    const DeviceLimits& limits() const { return limits_; }
    int number() const { return number_; }

private:
    void open(const Driver& d);
    bool renew();  // after an error that no call survives; false where nothing helps
    void read_limits(const Driver& d);

    int number_;
    DeviceNumber device_ = 0;
    ContextHandle context_ = nullptr;
    StreamHandle stream_ = nullptr;
    int process_ = 0, driver_serial_ = 0;
    std::uint64_t generation_ = 0;
    std::string why_renewed_, name_, architecture_;
    DeviceLimits limits_;
    std::recursive_mutex mutex_;
};

}  // namespace lanes::gpu::cuda
