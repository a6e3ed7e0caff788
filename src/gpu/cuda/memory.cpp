#include "memory.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cstdio>

namespace lanes::gpu::cuda {

std::string readable_bytes(std::size_t bytes) {
    const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    int unit = 0;
    for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
    char text[40];
    std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return text;
}

CudaMemory::CudaMemory(std::shared_ptr<Context> context, std::size_t bytes)
    : context_(std::move(context)), bytes_(bytes) {
    const Driver& d = context_->use();
    generation_ = context_->generation();
    const Result result = d.allocate(&address_, std::max<std::size_t>(bytes, 1));
    if (result == out_of_memory) {
        std::size_t free = 0, total = 0;
        d.memory_info(&free, &total);
        throw Error("Buffer: " + readable_bytes(bytes) + " asked for, " + readable_bytes(free) +
                    " of " + readable_bytes(total) + " are free on " + context_->name() + ". " +
                    advice_for(result));
    }
    context_->require(result, "Buffer");
}

CudaMemory::~CudaMemory() {
    if (!context_->is_alive(generation_)) return;
    try {
        context_->use().free(address_);
    } catch (...) {
        return;  // a destructor says nothing; the memory goes with the context
    }
}

const Driver& CudaMemory::use() const {
    const Driver& d = context_->use();
    if (generation_ != context_->generation())
        throw Error("Buffer: its contents on " + context_->name() +
                    " were lost with the process that made it; this one was forked from it, as "
                    "after a crashed cell or a fault of the GPU. Make the buffer again.");
    return d;
}

void CudaMemory::upload(std::size_t offset, const void* from, std::size_t bytes) {
    use();
    context_->upload(address_ + offset, from, bytes);
}

void CudaMemory::download(std::size_t offset, void* to, std::size_t bytes) const {
    use();
    context_->download(to, address_ + offset, bytes);
}

void CudaMemory::fill_zero() {
    const Driver& d = use();
    context_->require_no_capture("Buffer::zeros");
    context_->require(d.fill_bytes(address_, 0, bytes_), "Buffer::zeros");
}

void* CudaMemory::address() const {
    // A launch has called Context::use() before, which notices a fork: no need to do it for each of
    // its arguments.
    if (generation_ != context_->generation()) use();
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver gives numbers
    return reinterpret_cast<void*>(address_);
}

}  // namespace lanes::gpu::cuda
