// Memory of a GPU, and of a program's variables there.
#pragma once

#include "context.hpp"
#include "gpu/backend.hpp"

#include <memory>
#include <string>

namespace lanes::gpu::cuda {

class CudaMemory : public Memory {
public:
    CudaMemory(std::shared_ptr<Context> context, std::size_t bytes);
    ~CudaMemory() override;
    CudaMemory(const CudaMemory&) = delete;
    CudaMemory& operator=(const CudaMemory&) = delete;

    void upload(std::size_t offset, const void* from, std::size_t bytes) override;
    void download(std::size_t offset, void* to, std::size_t bytes) const override;
    void fill_zero() override;
    std::size_t bytes() const override { return bytes_; }
    void* address() const override;

private:
    const Driver& use() const;  // throws where the contents are lost

    std::shared_ptr<Context> context_;
    std::size_t bytes_;
    std::uint64_t generation_ = 0;
    DeviceAddress address_ = 0;
};

std::string readable_bytes(std::size_t bytes);  // "1.5 GiB"

}  // namespace lanes::gpu::cuda
