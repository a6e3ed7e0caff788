#include "stacks.hpp"

#include "lanes/base/error.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define LANES_WITH_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANES_WITH_ADDRESS_SANITIZER
#endif
#endif
#ifdef LANES_WITH_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace lanes::gpu::simulator {

Stacks::Stacks(unsigned count)
    : guard_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), count_(count) {
    if (count == 0) return;
    void* reserved = mmap(nullptr, bytes * count, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED)
        throw Error("simulator: the address space is too small for the stacks of ", count,
                    " threads (ulimit -v?). Raise the limit.");
    first_ = static_cast<unsigned char*>(reserved);
}

Stacks::~Stacks() {
    for (unsigned number = 0; number < guarded_; ++number) forget(number);
    if (first_) munmap(first_, bytes * count_);
}

void Stacks::swap(Stacks& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(guard_, other.guard_);
    std::swap(count_, other.count_);
    std::swap(guarded_, other.guarded_);
}

void* Stacks::top(unsigned number) {
    for (; guarded_ <= number; ++guarded_)
        if (mprotect(first_ + guarded_ * bytes, guard_, PROT_NONE) != 0)
            throw Error(
                "simulator: no memory for the stacks of a block. Let go of buffers or programs.");
    return first_ + (number + 1) * bytes - number % 64 * std::size_t{320};
}

void Stacks::forget([[maybe_unused]] unsigned number) {
#ifdef LANES_WITH_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(bottom(number),
                                  static_cast<std::size_t>(end(number) - bottom(number)));
#endif
}

}  // namespace lanes::gpu::simulator
