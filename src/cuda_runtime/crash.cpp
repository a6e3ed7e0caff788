// Crashes of the host's code: which line it was, and whether it followed a pointer into device
// memory.
#include "runtime.hpp"

#include "gpu/simulator/memory/arena.hpp"

#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>

namespace lanes::cuda_runtime {

namespace {

const void* instruction_of(void* context) {
    const auto* machine = static_cast<ucontext_t*>(context);
#if defined(__x86_64__)
    const auto value = static_cast<std::uintptr_t>(machine->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    const auto value = static_cast<std::uintptr_t>(machine->uc_mcontext.pc);
#else
#error "say where the program counter is on this machine"
#endif
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address comes from a register
    return reinterpret_cast<const void*>(value + 1);  // used like a return address
}

std::string reason(int number, const void* address) {
    Runtime& runtime = Runtime::get();
    if (number == SIGFPE) return "an integer was divided by zero";
    if (number != SIGSEGV && number != SIGBUS) return "the program was aborted";
    if (const Allocation* found = runtime.find(address);
        found && found->kind == Allocation::Kind::device)
        return "the host follows a pointer into device memory (" + std::to_string(found->bytes) +
               " bytes that " + found->function + " allocated in " + place_text(found->caller) +
               "). Only CUDA kernels can: copy it with cudaMemcpy, or allocate it with "
               "cudaMallocManaged";
    if (const auto* freed = runtime.find_freed(address))
        return "the host follows a pointer to memory that was freed in " +
               place_text(freed->second);
    if (gpu::simulator::near_arena(address))
        return "the host follows a pointer into device memory, outside of every allocation";
    if (reinterpret_cast<std::uintptr_t>(address) < gpu::simulator::null_bytes)
        return "the host follows a null pointer. Was the memory allocated?";
    return "the host uses memory that it does not have: an index past the end of an array, or a "
           "pointer that was never set";
}

// The process ends anyway, so that memory may be allocated here.
void on_crash(int number, siginfo_t* info, void* context) {
    struct sigaction usual{};
    usual.sa_handler = SIG_DFL;
    sigaction(number, &usual, nullptr);
    std::vector<const void*> codes{instruction_of(context)};
    void* frames[64];
    const int count = backtrace(frames, 64);
    codes.insert(codes.end(), frames, frames + count);
    Place place;
    for (const Place& candidate : places_of(codes))
        if (candidate.line > 0) {
            place = candidate;
            break;
        }
    std::fflush(stdout);
    std::string why = reason(number, info->si_addr);
    if (why.back() != '?') why += '.';
    std::fprintf(stderr, "%s: %s%s\n", place.line > 0 ? place.text().c_str() : "the program",
                 why.c_str(), shown_line(place).c_str());
    std::fflush(stderr);
    raise(number);
}

}  // namespace

void install_crash_handler() {
    constexpr std::size_t bytes = 512UL * 1024;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack{};
    stack.ss_sp = memory;
    stack.ss_size = bytes;
    sigaltstack(&stack, nullptr);
    struct sigaction action{};
    action.sa_sigaction = on_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE}) sigaction(number, &action, nullptr);
}

}  // namespace lanes::cuda_runtime
