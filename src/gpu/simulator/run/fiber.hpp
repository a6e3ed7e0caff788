// Switching stacks. The threads of a block wait at the same barrier, so all of them continue after
// the same call. On x86-64 a switch that is inlined into the calling function is therefore
// predicted by the processor: 20 ns per barrier. Boost.Context's switch ends in a jump without a
// matching call and takes 45 ns. Other machines use Boost.Context.
#pragma once

// LANES_BOOST_CONTEXT selects Boost.Context on x86-64 too, to test what other machines use.
#if defined(__x86_64__) && !defined(LANES_BOOST_CONTEXT)
#define LANES_OWN_SWITCH 1
#else
#define LANES_OWN_SWITCH 0
#include <boost/context/detail/fcontext.hpp>
#endif

#include <cstdint>

namespace lanes::gpu::simulator {

using FiberEntry = void (*)(void* argument);  // never returns

#if LANES_OWN_SWITCH

struct SavedStack {  // a stack that is not running
    void *pointer = nullptr, *code = nullptr, *frame = nullptr;
};

#if defined(__AVX512F__)
#define LANES_WIDE_REGISTERS                                                                      \
    "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",     \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", \
        "k7",
#else
#define LANES_WIDE_REGISTERS
#endif

// The argument reaches the entry function of a stack that has not run yet; any other stack finds
// its own argument again.
[[gnu::always_inline]] inline void switch_stack(SavedStack& from, const SavedStack& to,
                                                void* argument) {
    SavedStack* leaving = &from;
    const SavedStack* next = &to;
    asm volatile(
        "leaq 1f(%%rip), %%rax\n\t"
        "movq %%rsp, 0(%[leaving])\n\t"
        "movq %%rax, 8(%[leaving])\n\t"
        "movq %%rbp, 16(%[leaving])\n\t"
        "movq 0(%[next]), %%rsp\n\t"
        "movq 16(%[next]), %%rbp\n\t"
        "jmpq *8(%[next])\n\t"
        ".p2align 4\n"
        "1:\n\t"
        : [leaving] "+c"(leaving), [next] "+d"(next), "+D"(argument)
        :
        : "rax", "rbx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
          "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
          "xmm13", "xmm14", "xmm15", LANES_WIDE_REGISTERS "memory", "cc");
}

#undef LANES_WIDE_REGISTERS

inline void begin_stack(SavedStack& stack, void* top, FiberEntry entry) {
    // As after a call: 8 below a multiple of 16.
    auto* word = reinterpret_cast<void**>(static_cast<unsigned char*>(top) -
                                          reinterpret_cast<std::uintptr_t>(top) % 16) -
                 1;
    *word = nullptr;
    stack = {static_cast<void*>(word), reinterpret_cast<void*>(entry), nullptr};
}

#else

struct SavedStack {
    boost::context::detail::fcontext_t context = nullptr;
    FiberEntry entry = nullptr;
};

struct Arrival {
    SavedStack* leaving;
    FiberEntry entry;
    void* argument;
};

inline void switch_stack(SavedStack& from, const SavedStack& to, void* argument) {
    Arrival arrival{&from, to.entry, argument};
    const auto arrived = boost::context::detail::jump_fcontext(to.context, &arrival);
    // Where to resume the stack that switched to this one.
    static_cast<Arrival*>(arrived.data)->leaving->context = arrived.fctx;
}

inline void begin_stack(SavedStack& stack, void* top, FiberEntry entry) {
    stack.entry = entry;
    stack.context = boost::context::detail::make_fcontext(
        top, std::size_t{64} * 1024, [](boost::context::detail::transfer_t arrived) {
            const Arrival arrival = *static_cast<Arrival*>(arrived.data);
            arrival.leaving->context = arrived.fctx;
            arrival.entry(arrival.argument);
        });
}

#endif

}  // namespace lanes::gpu::simulator
