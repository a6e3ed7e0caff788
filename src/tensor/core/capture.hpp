// The capture of a training step that is in progress in this thread, if any: see
// lanes/tensor/captured_step.hpp. Operations ask here what they have to do differently.
#pragma once

#include "gpu/memory_pool.hpp"
#include "lanes/tensor/tensor.hpp"

#include <memory>
#include <vector>

namespace lanes::tensor {

class Capture {
public:
    explicit Capture(const Device& device);

    const Device& device() const { return device_; }
    gpu::PrivatePool& pool() { return pool_; }

    // The CUDA graph goes on using this memory.
    void keep(const std::shared_ptr<gpu::Memory>& memory) {
        if (!pool_.owns(*memory)) kept_.push_back(memory);
    }

    // One int32 that counts the replays, for what differs between them, such as dropout. Whether a
    // launch uses it is known at the end.
    Tensor counter();
    bool counts() const { return counts_; }

private:
    Device device_;
    gpu::PrivatePool pool_;
    std::vector<std::shared_ptr<gpu::Memory>> kept_;
    Tensor counter_;
    bool counts_ = false;
};

Capture* current_capture();  // nullptr if there is none

// While it exists, operations of this thread are recorded for a capture.
class CaptureScope {
public:
    explicit CaptureScope(Capture& capture);
    ~CaptureScope();
    CaptureScope(const CaptureScope&) = delete;
    CaptureScope& operator=(const CaptureScope&) = delete;

private:
    gpu::PrivatePool::Use use_;
};

// Throws Error during a capture, because the operation needs values that do not exist yet.
void require_no_capture(const Tensor& x, const char* operation);

}  // namespace lanes::tensor
