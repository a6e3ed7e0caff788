// Stacks for the threads of a block, one below the other with an inaccessible page between. Only
// the part that is used takes memory.
#pragma once

#include <cstddef>

namespace lanes::gpu::simulator {

class Stacks {
public:
    // Of one stack, including its guard page.
    static constexpr std::size_t bytes = std::size_t{256} * 1024;
    static constexpr unsigned most = 1024;  // threads of the largest block

    explicit Stacks(unsigned count);
    ~Stacks();
    Stacks(Stacks&& other) noexcept { swap(other); }
    Stacks& operator=(Stacks&& other) noexcept {
        swap(other);
        return *this;
    }
    Stacks(const Stacks&) = delete;
    Stacks& operator=(const Stacks&) = delete;

    // The start of stack `number` (it grows down). Guards it on first use. The starts are
    // staggered: at equal distances they would all use the same few cache lines.
    void* top(unsigned number);
    // The functions on this stack will never return: removes their address-sanitizer marks.
    void forget(unsigned number);
    const unsigned char* bottom(unsigned number) const { return first_ + number * bytes + guard_; }
    const unsigned char* end(unsigned number) const { return first_ + (number + 1) * bytes; }
    bool holds(unsigned number, const void* address) const {
        const auto* byte = static_cast<const unsigned char*>(address);
        return byte >= bottom(number) && byte < end(number);
    }

private:
    void swap(Stacks& other) noexcept;

    unsigned char* first_ = nullptr;
    std::size_t guard_ = 0;
    unsigned count_ = 0, guarded_ = 0;
};

// Whether the address lies on the stack of the CUDA thread that runs on this host thread.
bool is_own_stack(const void* address);

}  // namespace lanes::gpu::simulator
