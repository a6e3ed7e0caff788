// The handlers of crash_record.hpp: everything here may run in a process that is already broken.
#include "crash_record.hpp"

#include "session/process/handler_stack.hpp"
#include "session/process/process_settings.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace {

xcpp_wire::SharedState* page = nullptr;
pid_t session_pid = 0;
void* const* abort_message = nullptr;  // glibc's __abort_msg
constexpr int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

// The machine's registers when the signal came.
struct Registers {
    std::uint64_t program_counter, stack_pointer;
};

bool is_session() { return page != nullptr && getpid() == session_pid; }

Registers registers_in(void* context) {
    const auto* machine = static_cast<ucontext_t*>(context);
#if defined(__x86_64__)
    return {static_cast<std::uint64_t>(machine->uc_mcontext.gregs[REG_RIP]),
            static_cast<std::uint64_t>(machine->uc_mcontext.gregs[REG_RSP])};
#elif defined(__aarch64__)
    return {machine->uc_mcontext.pc, machine->uc_mcontext.sp};
#else
#error "unknown machine: where are its program counter and stack pointer?"
#endif
}

// What lies around the stack pointer is there, unless the stack is full.
bool is_near_stack(std::uint64_t address, std::uint64_t stack_pointer) {
    constexpr std::uint64_t reach = 64 << 10;
    return address + reach > stack_pointer && address < stack_pointer + reach;
}

// The instruction that clang's -fsanitize-trap leaves where an integer was divided by zero: its
// operand names the check. NOLINTBEGIN(performance-no-int-to-ptr): the address comes from a
// register
bool is_division_trap(std::uint64_t address) {
    constexpr int divrem_overflow = 3;  // SanitizerHandler::DivremOverflow of clang 19
#if defined(__x86_64__)
    const auto* code = reinterpret_cast<const unsigned char*>(address);  // ud1l 3(%eax), %eax
    return code[0] == 0x67 && code[1] == 0x0f && code[2] == 0xb9 && code[3] == 0x40 &&
           code[4] == divrem_overflow;
#elif defined(__aarch64__)
    return *reinterpret_cast<const std::uint32_t*>(address) ==
           (0xd4200000U | ((0x5500U | divrem_overflow) << 5));  // brk #0x5503
#endif
}

// NOLINTEND(performance-no-int-to-ptr)

void let_through(int number) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, nullptr);
}

[[noreturn]] void end_process(int code) {
    syscall(SYS_exit_group, code);
    __builtin_unreachable();
}

// What glibc says when it finds the heap damaged ("free(): invalid pointer"), for a crash that has
// no other words.
void record_message_of_abort() {
    struct Message {  // glibc's struct abort_msg_s
        unsigned int size;
        char text[1];
    };
    if (abort_message == nullptr || *abort_message == nullptr || page->text[0] != '\0') return;
    const char* text = static_cast<const Message*>(*abort_message)->text;
    std::size_t length = 0;
    while (length + 1 < sizeof page->text && text[length] != '\0' && text[length] != '\n') {
        page->text[length] = text[length];
        ++length;
    }
    page->text[length] = '\0';
}

void on_deadly_signal(int number, siginfo_t* info, void* context) {
    signal(number, SIG_DFL);
    if (is_session()) {
        using xcpp_wire::CrashCause;
        if (page->crash_cause == static_cast<int>(CrashCause::none))
            page->crash_cause =
                static_cast<int>(page->compiling != 0 && syscall(SYS_gettid) == session_pid
                                     ? CrashCause::compiler_crash
                                     : CrashCause::signal);
        if (number == SIGABRT && page->crash_cause == static_cast<int>(CrashCause::signal))
            record_message_of_abort();
        page->signal_number = number;
        page->signal_code = info->si_code;
        page->fault_address = reinterpret_cast<std::uint64_t>(info->si_addr);
        const Registers registers = registers_in(context);
        page->stack_overflow =
            number == SIGSEGV && is_near_stack(page->fault_address, registers.stack_pointer) ? 1
                                                                                             : 0;
        page->in_main_thread = syscall(SYS_gettid) == session_pid ? 1 : 0;
        page->frames[0] = registers.program_counter;
        page->frame_count = 1;
        if ((number == SIGILL || number == SIGTRAP) &&
            is_division_trap(page->frames[0])) {  // as a processor that traps reports it
            page->signal_number = SIGFPE;
            page->signal_code = FPE_INTDIV;
        }
        // Walking the stack of a broken process may hang or fault: what matters is noted already,
        // and the alarm ends it.
        signal(SIGALRM, SIG_DFL);
        signal(SIGSEGV, SIG_DFL);
        let_through(SIGALRM);
        alarm(2);
        page->frame_count = 1 + backtrace(reinterpret_cast<void**>(page->frames + 1), 62);
    }
    let_through(number);
    raise(number);
    end_process(128 + number);
}

void on_interrupt(int) {
}  // the flag in the page says it; the signal only ends a system call that waits

void record_exit(int code) {
    if (!is_session()) return;
    page->exit_code = code;
    page->crash_cause = static_cast<int>(xcpp_wire::CrashCause::exited);
}

}  // namespace

// Cells find these before the C library's. A forked child of a cell leaves the same way: what
// exit() would run in it belongs to the session.
extern "C" {
void exit(int code) noexcept {
    record_exit(code);
    xcpp_session::leave_process(code);
}
void quick_exit(int code) noexcept { exit(code); }
void _exit(int code) {
    record_exit(code);
    end_process(code);
}
void _Exit(int code) noexcept { _exit(code); }
void __assert_fail(const char* assertion, const char* file, unsigned line, const char*) noexcept {
    if (is_session() && page->crash_cause == 0) {
        const char* slash = std::strrchr(file, '/');
        std::snprintf(page->text, sizeof page->text, "%s:%u: assertion `%s` failed",
                      slash ? slash + 1 : file, line, assertion);
        page->crash_cause = static_cast<int>(xcpp_wire::CrashCause::assertion);
    } else {
        std::fprintf(stderr, "%s:%u: assertion `%s` failed\n", file, line, assertion);
    }
    std::abort();
}
}

namespace xcpp_session {

void install_crash_handlers(xcpp_wire::SharedState& shared) {
    page = &shared;
    void* frame = nullptr;
    abort_message = static_cast<void* const*>(dlsym(RTLD_DEFAULT, "__abort_msg"));
    backtrace(&frame, 1);  // loads the unwinder while all is well
    rearm_handlers();
}

void rearm_handlers() {
    session_pid = getpid();
    static const HandlerStack stack;
    stack.use();
    struct sigaction action{};
    action.sa_sigaction = on_deadly_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int number : deadly) sigaction(number, &action, nullptr);
    struct sigaction interrupt{};
    interrupt.sa_handler = on_interrupt;
    sigaction(SIGINT, &interrupt, nullptr);
    signal(SIGPIPE, SIG_IGN);
    hold_signals_of_cells();
}

void clear_crash_record() {
    page->crash_cause = 0;
    page->signal_number = 0;
    page->signal_code = 0;
    page->stack_overflow = 0;
    page->fault_address = 0;
    page->frame_count = 0;
    page->text[0] = '\0';
}

void record_crash(xcpp_wire::CrashCause cause, const char* text) {
    if (!is_session() || page->crash_cause != 0) return;
    std::snprintf(page->text, sizeof page->text, "%s", text);
    page->crash_cause = static_cast<int>(cause);
}

void leave_process(int code) {
    std::fflush(nullptr);
    end_process(code);
}

}  // namespace xcpp_session
