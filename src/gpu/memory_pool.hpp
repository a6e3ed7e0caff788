// Memory of a device for buffers and tensors. What is freed is kept in lists by size and given to
// the next one that fits: asking a GPU's driver takes longer than most operations. A GPU carries
// out launches and copies in order, so memory may be given away while the GPU still works on it.
#pragma once

#include "backend.hpp"
#include "lanes/gpu/device.hpp"

#include <cstddef>
#include <memory>

namespace lanes::gpu {

// At least `bytes` bytes, not initialised. Any thread may call it.
std::shared_ptr<Memory> allocate(const Device& device, std::size_t bytes);

struct PoolUse {
    std::size_t in_use = 0;  // bytes
    std::size_t cached = 0;
};
PoolUse pool_use(const Device& device);
void release_cached();  // of all devices

// Memory of one device that belongs to a recorded sequence of launches: while a Use exists, what
// this thread allocates on the device comes from here, and it is given to nobody else afterwards.
class PrivatePool {
public:
    explicit PrivatePool(const Device& device);
    ~PrivatePool();
    PrivatePool(const PrivatePool&) = delete;
    PrivatePool& operator=(const PrivatePool&) = delete;
    bool owns(const Memory& memory) const;

    class Use {
    public:
        explicit Use(PrivatePool& pool);
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

    private:
        PrivatePool* before_;
    };

private:
    friend std::shared_ptr<Memory> allocate(const Device& device, std::size_t bytes);
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanes::gpu
