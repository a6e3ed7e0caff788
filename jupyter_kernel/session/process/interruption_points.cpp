#include "interruption_points.hpp"

#include "terminating_frames.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <exception>
#include <future>
#include <utility>

namespace xcpp_session {
namespace {

const xcpp_wire::SharedState* page = nullptr;
void (*stop_cell)() = nullptr;
pid_t cell_process = 0;  // not one that the cell has forked
thread_local bool runs_cell = false;

// Whether the cell's own code prints or waits, if only through the standard library. An exception
// must not leave another library in the middle of its work: one of OpenMP's or OpenBLAS's threads
// may still use what it would destroy.
bool is_called_by_the_cell() {
    void* frames[24];
    const int count = backtrace(frames, 24);
    Dl_info own{};
    dladdr(reinterpret_cast<const void*>(&is_called_by_the_cell), &own);
    for (int i = 0; i < count; ++i) {
        Dl_info info{};
        if (!dladdr(frames[i], &info) || !info.dli_fname) return true;  // compiled in this session
        const bool passes_on = info.dli_fbase == own.dli_fbase ||
                               std::strstr(info.dli_fname, "/libstdc++.so") ||
                               // templates of cells, compiled beforehand
                               std::strstr(info.dli_fname, "/libxcpp17_instantiations.so") ||
                               std::strstr(info.dli_fname, "/libc.so");
        if (!passes_on) return false;
    }
    return false;
}

}  // namespace

InterruptionPoints::InterruptionPoints(const xcpp_wire::SharedState& shared, void (*stop)()) {
    page = &shared;
    stop_cell = stop;
    cell_process = getpid();
    runs_cell = true;
}

InterruptionPoints::~InterruptionPoints() { runs_cell = false; }

bool stops_at_interruption_points() { return runs_cell; }

bool must_stop() {
    return runs_cell && page->interrupt != 0 && std::uncaught_exceptions() == 0 &&
           getpid() == cell_process && is_called_by_the_cell() && !exception_would_terminate();
}

void interruption_point() {
    if (must_stop()) stop_cell();
}

}  // namespace xcpp_session

namespace {

using xcpp_session::interruption_point;

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// If the caller is code of a cell. (Asked last: to search for it takes microseconds.)
void interruption_point_for(const void* caller) {
    Dl_info info{};
    if (xcpp_session::must_stop() && (!dladdr(caller, &info) || !info.dli_fname))
        interruption_point();
}

// SIGINT ends a system call that waits, with EINTR.
template <class Call>
auto interruptible(const Call& call) {
    interruption_point();
    const auto result = call();
    const int error = errno;
    interruption_point();
    errno = error;
    return result;
}

timespec soon(clockid_t clock) {
    constexpr long slice = 100'000'000;  // nanoseconds: how long a condition's waiter stays deaf
    timespec time{};
    clock_gettime(clock, &time);
    time.tv_nsec += slice;
    time.tv_sec += time.tv_nsec / 1'000'000'000;
    time.tv_nsec %= 1'000'000'000;
    return time;
}

bool is_before(const timespec& a, const timespec& b) {
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

// until: null for ever
int wait_in_slices(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                   const timespec* until) {
    using Wait = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
    static const auto wait = next<Wait>("pthread_cond_clockwait");
    for (;;) {
        interruption_point();
        const timespec slice = soon(clock);
        const bool is_last = until && !is_before(slice, *until);
        const int result = wait(condition, mutex, clock, is_last ? until : &slice);
        if (result != ETIMEDOUT || is_last) {
            interruption_point();
            return result;
        }
    }
}

// Only after it has waited: a stream, which swallows an exception, may be reading a file.
template <class Call>
auto interruptible_by_signal(const Call& call) {
    const auto result = call();
    if (result == -1 && errno == EINTR) {
        interruption_point();
        errno = EINTR;
    }
    return result;
}

// What std::future waits by: false if the time is over. until: seconds and nanoseconds of the clock
bool wait_for_future(unsigned* word, unsigned value, const timespec* until, clockid_t clock) {
    const bool in_slices = xcpp_session::stops_at_interruption_points();
    if (in_slices) interruption_point();
    const timespec slice = soon(clock);
    const bool is_slice = in_slices && (!until || is_before(slice, *until));
    const int operation = FUTEX_WAIT_BITSET | (clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0);
    const long result = syscall(SYS_futex, word, operation, value, is_slice ? &slice : until,
                                nullptr, FUTEX_BITSET_MATCH_ANY);
    const bool is_over = result == -1 && errno == ETIMEDOUT && !is_slice;
    if (in_slices) interruption_point();
    return !is_over;  // its caller looks at the word, and waits again
}

timespec time_of(std::chrono::seconds seconds, std::chrono::nanoseconds more) {
    return {static_cast<time_t>(seconds.count()), static_cast<long>(more.count())};
}

}  // namespace

// Inline functions of <future> call these two.
bool std::__atomic_futex_unsigned_base::_M_futex_wait_until(unsigned* word, unsigned value,
                                                            bool has_timeout,
                                                            std::chrono::seconds seconds,
                                                            std::chrono::nanoseconds more) {
    const timespec until = time_of(seconds, more);
    return wait_for_future(word, value, has_timeout ? &until : nullptr, CLOCK_REALTIME);
}

bool std::__atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned* word, unsigned value,
                                                                   bool has_timeout,
                                                                   std::chrono::seconds seconds,
                                                                   std::chrono::nanoseconds more) {
    const timespec until = time_of(seconds, more);
    return wait_for_future(word, value, has_timeout ? &until : nullptr, CLOCK_MONOTONIC);
}

extern "C" {

// glibc's own names for the functions that follow: no search for them, which could wait for a lock
// that a fork has left locked.
ssize_t __read(int file, void* bytes, size_t size);
int __poll(pollfd* files, nfds_t count, int milliseconds);
int __select(int count, fd_set* read, fd_set* write, fd_set* other, timeval* time);

ssize_t read(int file, void* bytes, size_t size) {
    return interruptible_by_signal([&] { return __read(file, bytes, size); });
}

int poll(pollfd* files, nfds_t count, int milliseconds) {
    return interruptible_by_signal([&] { return __poll(files, count, milliseconds); });
}

int select(int count, fd_set* read, fd_set* write, fd_set* other, timeval* time) {
    return interruptible_by_signal([&] { return __select(count, read, write, other, time); });
}

// Functions that libraries have registered with pthread_atfork may wait; glibc's fork holds locks.
pid_t fork() {
    static const auto fork_next = next<pid_t (*)()>("fork");
    const bool before = std::exchange(xcpp_session::runs_cell, false);
    const pid_t pid = fork_next();
    xcpp_session::runs_cell = before;
    return pid;
}

int nanosleep(const timespec* time, timespec* left) {
    static const auto sleep_next = next<int (*)(const timespec*, timespec*)>("nanosleep");
    return interruptible([&] { return sleep_next(time, left); });
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
    using Sleep = int (*)(clockid_t, int, const timespec*, timespec*);
    static const auto sleep_next = next<Sleep>("clock_nanosleep");
    return interruptible([&] { return sleep_next(clock, flags, time, left); });
}

int usleep(useconds_t microseconds) {
    const timespec time{static_cast<time_t>(microseconds / 1'000'000),
                        static_cast<long>(microseconds % 1'000'000) * 1000};
    return nanosleep(&time, nullptr);
}

unsigned sleep(unsigned seconds) {
    const timespec time{static_cast<time_t>(seconds), 0};
    timespec left{};
    if (nanosleep(&time, &left) == 0) return 0;
    return static_cast<unsigned>(left.tv_sec) + (left.tv_nsec >= 500'000'000 ? 1 : 0);
}

int pause() {
    static const auto pause_next = next<int (*)()>("pause");
    return interruptible([] { return pause_next(); });
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    if (xcpp_session::stops_at_interruption_points())
        return wait_in_slices(condition, mutex, CLOCK_MONOTONIC, nullptr);
    // Not glibc's function: dlsym would give the oldest of its versions, which is another one.
    timespec never{};
    clock_gettime(CLOCK_MONOTONIC, &never);
    never.tv_sec += 1L << 31;
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, &never);
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
    if (xcpp_session::stops_at_interruption_points())
        return wait_in_slices(condition, mutex, clock, until);
    using Wait = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
    static const auto wait = next<Wait>("pthread_cond_clockwait");
    return wait(condition, mutex, clock, until);
}

// Functions that print. The compiler makes one of another: of a printf that prints a text alone,
// puts or putchar; of an fprintf or fputs, fwrite or fputc.
int puts(const char* text) {
    static const auto puts_next = next<int (*)(const char*)>("puts");
    return interruptible([&] { return puts_next(text); });
}

int fputs(const char* text, std::FILE* file) {
    static const auto fputs_next = next<int (*)(const char*, std::FILE*)>("fputs");
    return interruptible([&] { return fputs_next(text, file); });
}

int fputc(int character, std::FILE* file) {
    static const auto fputc_next = next<int (*)(int, std::FILE*)>("fputc");
    return interruptible([&] { return fputc_next(character, file); });
}

// stdio.h has inline functions of these two names.
int interruptible_putchar(int character) asm("putchar");
int interruptible_putchar(int character) {
    static const auto putchar_next = next<int (*)(int)>("putchar");
    return interruptible([&] { return putchar_next(character); });
}

int interruptible_vprintf(const char* format, std::va_list arguments) asm("vprintf");
int interruptible_vprintf(const char* format, std::va_list arguments) {
    return std::vfprintf(stdout, format, arguments);
}

int vfprintf(std::FILE* file, const char* format, std::va_list arguments) {
    using Print = int (*)(std::FILE*, const char*, std::va_list);
    static const auto print_next = next<Print>("vfprintf");
    return interruptible([&] { return print_next(file, format, arguments); });
}

int printf(const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    const int result = std::vfprintf(stdout, format, arguments);
    va_end(arguments);
    return result;
}

int fprintf(std::FILE* file, const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    const int result = std::vfprintf(file, format, arguments);
    va_end(arguments);
    return result;
}

// std::cout and std::cerr call these two as well. They ask before (session/run/streams.cpp), and
// would swallow what is thrown here.
size_t fwrite(const void* bytes, size_t size, size_t count, std::FILE* file) {
    using Write = size_t (*)(const void*, size_t, size_t, std::FILE*);
    static const auto write_next = next<Write>("fwrite");
    interruption_point_for(__builtin_return_address(0));
    return write_next(bytes, size, count, file);
}

int putc(int character, std::FILE* file) {
    static const auto putc_next = next<int (*)(int, std::FILE*)>("putc");
    interruption_point_for(__builtin_return_address(0));
    return putc_next(character, file);
}
}
