// What front, session and frozen copies see at once: a memory file, made by the front, mapped
// MAP_SHARED by all of them. It outlives a session that crashes, so a dying session records its
// crash here and the copy that takes over reads it. Holds only lock-free words
// and a lock that survives its owner.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

namespace xcpp_wire {

enum class CrashCause : std::int32_t {
    none,
    signal,          // a fault or abort: signal_number, fault_address, frames
    exited,          // exit, _exit, quick_exit: exit_code
    out_of_memory,   // the compiler or operator new found no memory
    channel_lost,    // the cell closed the descriptor that leads to the front
    terminate,       // std::terminate: text holds the exception, if there was one
    assertion,       // assert(): text holds the failed expression
    compiler_crash,  // a fault while the stage was compiling
};

struct LineRow {
    std::uint64_t address;  // of the first instruction
    std::int32_t
        cell;  // 0: code that belongs to no cell; -1: the same, and a function begins or ends here
    std::int32_t line;
};

struct SharedState {
    std::atomic<std::int32_t> interrupt;    // set by the front, cleared by it before each cell
    std::atomic<std::int32_t> copy_lost;    // 1: the frozen copy of this cell has been killed
    std::atomic<std::int32_t> compiling;    // 1 while the session parses and compiles
    std::atomic<std::int32_t> crash_cause;  // CrashCause
    std::atomic<std::int32_t> signal_number;
    std::atomic<std::int32_t> signal_code;     // si_code
    std::atomic<std::int32_t> stack_overflow;  // 1: the address lies where the stack pointer does
    std::atomic<std::int32_t> exit_code;
    std::atomic<std::uint64_t> fault_address;
    std::atomic<std::int32_t> in_main_thread;
    std::atomic<std::int32_t> frame_count;
    std::uint64_t frames[64];  // return addresses, innermost first
    char text[1024];
    std::atomic<std::int32_t> row_count;  // the line table of the cell that runs now
    LineRow rows[16384];
    std::atomic<std::int32_t> acknowledged;  // counted up by the front, see acknowledge.hpp
    std::atomic<std::int32_t>
        threads_before;  // on the machine, as the cell began, see session/process/fork_pace.hpp
    std::atomic<std::int64_t>
        last_fork;  // when the last turn to fork is, in nanoseconds of the monotonic clock
    pthread_mutex_t send_lock;  // of the session's channel, see send_lock.hpp
};

}  // namespace xcpp_wire
