#include "threads_after_restore.hpp"

#include "interruption_points.hpp"

#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace xcpp_session {
namespace {

// How often a copy has taken over before this process, plus 1.
std::atomic<int> epoch{1};

// The newest thread of each id; glibc gives the id of a thread that is gone to a new one.
struct Thread {
    std::atomic<pthread_t> id{};
    std::atomic<int> started_in{0};  // epoch; 0: it was joined
    std::atomic<bool> finished{false};
    std::atomic<bool> older_finished{false};  // the one of this id that a take-over has lost
};

// Threads that a fork would lose, see count_thread.
std::atomic<int> counted{0};
thread_local bool is_counted = false;

// No lock and no allocation: a fork may come at any time.
std::array<Thread, 4096> threads;

// Its entry, or a new one. Null: the table is full.
Thread* entry_of(pthread_t id) {
    for (Thread& thread : threads) {
        pthread_t owner = thread.id;
        if (owner == pthread_t{} && thread.id.compare_exchange_strong(owner, id)) return &thread;
        if (owner == id) return &thread;
    }
    return nullptr;
}

bool is_lost(const Thread* thread) { return thread && thread->started_in != epoch; }

void report(Thread& thread, const char* operation) {
    if (thread.finished.exchange(true)) return;
    const std::string lost =
        "the thread was lost when a failed cell was taken back, and has not finished its work. Run "
        "the cell that starts it again.";
    // std::future::get joins the thread of std::async inside std::call_once, then waits for a value
    // that will never come.
    if (std::__once_callable) throw std::runtime_error("the value will never come: " + lost);
    dprintf(STDERR_FILENO, "%s: %s\n", operation, lost.c_str());
}

// By the thread of the cell, which an interrupt ends.
int join_in_slices(pthread_t id, void** result) {
    constexpr long slice = 100'000'000;  // nanoseconds
    for (;;) {
        interruption_point();
        timespec until{};
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += slice;
        until.tv_sec += until.tv_nsec / 1'000'000'000;
        until.tv_nsec %= 1'000'000'000;
        const int ended = pthread_clockjoin_np(id, result, CLOCK_MONOTONIC, &until);
        if (ended != ETIMEDOUT) return ended;
    }
}

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void thread_was_started(pthread_t id) {
    Thread* thread = entry_of(id);
    if (!thread) return;
    const bool finished = thread->finished;
    int older = thread->started_in;
    if (older != epoch && thread->started_in.compare_exchange_strong(older, epoch) && older != 0)
        thread->older_finished = finished;
}

ThreadEnd::ThreadEnd(bool is_counted_thread) {
    is_counted = is_counted_thread;
    thread_was_started(pthread_self());  // it may detach itself before pthread_create has returned
    if (Thread* thread = entry_of(pthread_self())) thread->finished = false;
}

ThreadEnd::~ThreadEnd() {
    thread_is_replaceable();
    if (Thread* thread = entry_of(pthread_self())) thread->finished = true;
}

void threads_are_lost() {
    ++epoch;
    counted = 0;
}

bool count_thread(void* (*function)(void*)) {
    Dl_info where{};
    if (dladdr(reinterpret_cast<const void*>(function), &where) != 0 && where.dli_fname)
        for (const char* pool : {"/libomp", "openblas"})
            if (std::strstr(where.dli_fname, pool)) return false;
    ++counted;
    return true;
}

void thread_did_not_start() { --counted; }

void thread_is_replaceable() {
    if (std::exchange(is_counted, false)) --counted;
}

int counted_threads() { return counted; }

}  // namespace xcpp_session

#if __has_feature(address_sanitizer)
// As for pthread_create in handler_stack.cpp.
extern "C" int __interceptor_pthread_join(pthread_t, void**);
extern "C" int __interceptor_pthread_detach(pthread_t);
#endif

// Cells and libraries find these before those of the C library.
extern "C" int pthread_join(pthread_t id, void** result) {
    using namespace xcpp_session;
#if __has_feature(address_sanitizer)
    const auto join = __interceptor_pthread_join;
#else
    static const auto join = next<int (*)(pthread_t, void**)>("pthread_join");
#endif
    Thread* thread = entry_of(id);
    if (is_lost(thread)) {
        if (result) *result = nullptr;
        report(*thread, "join");
        return 0;
    }
    const int failed =
        stops_at_interruption_points() ? join_in_slices(id, result) : join(id, result);
    if (failed == 0 && thread) {
        thread->started_in = 0;
        thread->finished = thread->older_finished.load();
    }
    return failed;
}

// NOLINTNEXTLINE(bugprone-exception-escape): only a join inside std::future::get throws
extern "C" int pthread_detach(pthread_t id) {
    using namespace xcpp_session;
#if __has_feature(address_sanitizer)
    const auto detach = __interceptor_pthread_detach;
#else
    static const auto detach = next<int (*)(pthread_t)>("pthread_detach");
#endif
    Thread* thread = entry_of(id);
    if (!is_lost(thread)) return detach(id);
    report(*thread, "detach");
    return 0;
}
