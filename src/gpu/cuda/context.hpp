// One GPU in this process: its context, its stream, and what happens when they are lost, by a fork
// or by a sticky error: every later call fails.
#pragma once

#include "driver.hpp"
#include "staging.hpp"

#include "base/kept_process.hpp"
#include "lanes/gpu/device.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace lanes::gpu::cuda {

class Context {
public:
    // One for each number, shared by all Devices. Throws Error that says what is missing.
    static std::shared_ptr<Context> of_gpu(int number);

    explicit Context(int number);

    // Makes the context current in this thread, and makes a new one if the process was forked. Call
    // it before any call of the driver. Throws Error after an error that makes all further calls
    // fail.
    const Driver& use();

    // Whether something made in that generation can still be freed. Opens nothing: destructors ask
    // it, in forked processes too.
    bool is_alive(std::uint64_t generation) const;

    // Changes with each new context: memory and modules of an older one are gone.
    std::uint64_t generation() const { return generation_; }

    // Throws Error for any result but success: operation, words of the driver, what to do.
    void require(Result result, const std::string& operation);

    // Until everything launched before is done. Throws Error if it failed, or if the user
    // interrupts a CUDA kernel that does not end.
    void wait(const std::string& operation);

    // The last CUDA kernel that was started without waiting: an error that is found later names it.
    // "": all have ended.
    void set_last_launch(const std::string& cuda_kernel);

    // Copies after everything launched before. An upload may return while the GPU still reads the
    // library's own copy of the data; a download waits.
    void upload(DeviceAddress to, const void* from, std::size_t bytes);
    void download(void* to, DeviceAddress from, std::size_t bytes);

    // Memory of the host that the GPU can access by itself, so that copies need no staging.
    void pin(void* start, std::size_t bytes);
    void unpin(void* start);

    // Between begin and end, launches are recorded and not carried out. end returns the graph, or
    // nullptr if it failed or if `keep` is false.
    void begin_capture();
    GraphHandle end_capture(bool keep);
    // Throws Error while launches are recorded: the operation would wait for the GPU.
    void require_no_capture(const std::string& operation) const;
    // Throws Error while another thread records: there is one stream, the launch would be recorded.
    void require_launches_allowed(const std::string& operation) const;

    StreamHandle stream() const { return stream_; }
    const std::string& name() const { return name_; }
    const std::string& architecture() const { return architecture_; }
    const DeviceLimits& limits() const { return limits_; }
    int number() const { return number_; }

private:
    void open(const Driver& d);
    void read_limits(const Driver& d);
    Staging& staging(const Driver& d);
    bool is_pinned(const void* start, std::size_t bytes) const;

    int number_;
    DeviceNumber device_ = 0;
    ContextHandle context_ = nullptr;
    StreamHandle stream_ = nullptr;
    int process_ = 0;
    std::uint64_t generation_ = 0;
    std::string name_, architecture_;
    std::string failed_;  // the operation after which nothing works any more in this process
    bool continues_in_fork_ = false;     // the session does, after this cell, because of that
    std::unique_ptr<KeptProcess> kept_;  // a fork has none of the GPU's memory
    char last_launch_[64] = "";
    DeviceLimits limits_;
    std::unique_ptr<Staging> staging_;
    std::map<void*, std::size_t> pinned_;  // start, bytes
    std::atomic<bool> recording_{false};
    std::thread::id recorder_;  // the thread that records
    std::recursive_mutex mutex_;
};

}  // namespace lanes::gpu::cuda
