#include "faults.hpp"

#include "block_runner.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <mutex>

namespace lanes::gpu::simulator {

namespace {

constexpr std::array<int, 5> deadly{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
std::array<struct sigaction, deadly.size()> before;
std::mutex mutex;
int guards = 0;
pid_t guarded_process = 0;

// Set on threads that run CUDA code.
thread_local std::atomic<bool>* asked_of_this_thread = nullptr;

const unsigned char* register_of(void* context, bool stack_pointer) {
    const auto* machine = static_cast<ucontext_t*>(context);
#if defined(__x86_64__)
    const auto value =
        static_cast<std::uintptr_t>(machine->uc_mcontext.gregs[stack_pointer ? REG_RSP : REG_RIP]);
#elif defined(__aarch64__)
    const auto value = static_cast<std::uintptr_t>(stack_pointer ? machine->uc_mcontext.sp
                                                                 : machine->uc_mcontext.pc);
#else
#error "say where program counter and stack pointer are on this machine"
#endif
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address comes from a register
    return reinterpret_cast<const unsigned char*>(value);
}

void pass_on(int number, siginfo_t* info, void* context) {
    for (std::size_t i = 0; i < deadly.size(); ++i) {
        if (deadly[i] != number) continue;
        if (before[i].sa_flags & SA_SIGINFO) return before[i].sa_sigaction(number, info, context);
        if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN)
            return before[i].sa_handler(number);
        sigaction(number, &before[i], nullptr);
        if (info->si_code <= 0) raise(number);  // a real fault happens again by itself
    }
}

void on_signal(int number, siginfo_t* info, void* context) {
    BlockRunner* runner = BlockRunner::current();
    const bool asked = info->si_code <= 0 && number == SIGSEGV && asked_of_this_thread;
    if (asked) asked_of_this_thread->store(false);
    // Too late: the thread has already left.
    if (asked && (!runner || !runner->inside() || !runner->stop.load())) return;
    if (!runner || !runner->inside()) return pass_on(number, info, context);
    const unsigned char* code = register_of(context, false);
    if (asked && !runner->library()->holds_code(code)) return;
    ExitReason ending = runner->here(asked ? ExitReason::Kind::stopped : ExitReason::Kind::signal);
    ending.signal = number;
    ending.address = info->si_addr;
    ending.code = code + 1;  // used like a return address
    // After a stack overflow the stack pointer is below the first byte.
    ending.stack = std::max(register_of(context, true), ending.stack_first);
    runner->leave(std::move(ending));
}

}  // namespace

FaultGuard::FaultGuard() {
    const std::lock_guard<std::mutex> lock(mutex);
    // A fork happened while another thread was guarded.
    if (guarded_process != getpid()) guards = 0;
    guarded_process = getpid();
    if (guards++ > 0) return;
    struct sigaction action{};
    action.sa_sigaction = on_signal;
    // The handler is left by siglongjmp, so the signal must not stay blocked.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (std::size_t i = 0; i < deadly.size(); ++i) sigaction(deadly[i], &action, &before[i]);
}

FaultGuard::~FaultGuard() {
    const std::lock_guard<std::mutex> lock(mutex);
    if (--guards > 0) return;
    for (std::size_t i = 0; i < deadly.size(); ++i) sigaction(deadly[i], &before[i], nullptr);
}

SignalsWait::SignalsWait() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
}

SignalsWait::~SignalsWait() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void prepare_thread_for_faults(std::atomic<bool>& asked) {
    asked_of_this_thread = &asked;
    constexpr std::size_t bytes = 64UL * 1024;
    // Lives as long as the thread, which never ends.
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
        stack_t stack{};
        stack.ss_sp = memory;
        stack.ss_size = bytes;
        sigaltstack(&stack, nullptr);
    }
    let_faults_through();
}

void let_faults_through() {
    sigset_t others;
    sigfillset(&others);
    for (const int number : deadly) sigdelset(&others, number);
    pthread_sigmask(SIG_SETMASK, &others, nullptr);
}

void request_stop(pthread_t thread, std::atomic<bool>& asked) {
    if (!asked.exchange(true)) pthread_kill(thread, SIGSEGV);
}

}  // namespace lanes::gpu::simulator
