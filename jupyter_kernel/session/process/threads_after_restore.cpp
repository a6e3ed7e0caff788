#include "threads_after_restore.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace xcpp_session {
namespace {

std::array<ThreadSlot, 4096> slots;
std::atomic<std::size_t> used{0};  // slots behind these were never taken

thread_local const char* joining = nullptr;      // the std::thread whose join() is running
thread_local const char* joined_lost = nullptr;  // the last one whose thread was lost while it ran

ThreadSlot* find(pthread_t id) {
    for (std::size_t i = 0; i < used; ++i)
        if (slots[i].state != ThreadSlot::unused && slots[i].id == id) return &slots[i];
    return nullptr;
}

// glibc (2.36) reuses the stack of a thread that has ended, and with it its pthread_t. The join()
// of a lost thread would then join a new thread that has the same pthread_t. glibc does not reuse a
// stack whose descriptor holds a thread id, so an id that Linux never assigns is written there. Its
// place in the descriptor is found by looking for our own id.
std::atomic<int>* number_of(pthread_t id) {
    static const std::ptrdiff_t offset = [] {
        constexpr std::ptrdiff_t size_of_a_descriptor = 2048;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): a pthread_t of glibc is an address
        const auto* self = reinterpret_cast<const char*>(pthread_self());
        std::ptrdiff_t found = -1;
        int times = 0;
        for (std::ptrdiff_t i = 0; i < size_of_a_descriptor; i += sizeof(int)) {
            int number = 0;
            std::memcpy(&number, self + i, sizeof number);
            if (number != gettid()) continue;
            found = i;
            ++times;
        }
        return times == 1 ? found : -1;
    }();
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a pthread_t of glibc is an address
    return offset < 0 ? nullptr
                      : reinterpret_cast<std::atomic<int>*>(reinterpret_cast<char*>(id) + offset);
}

void keep_stack(const ThreadSlot& slot, bool keep) {
    if (auto* number = number_of(slot.id)) *number = keep ? std::numeric_limits<int>::max() : 0;
}

void free_slot(ThreadSlot& slot) {
    if (slot.state == ThreadSlot::lost || slot.state == ThreadSlot::lost_after_its_end)
        keep_stack(slot, false);
    slot.id = pthread_t{};
    slot.state = ThreadSlot::unused;
}

// Is it one that is not there any more? Then it is forgotten.
bool forget_lost(pthread_t id, const char* what) {
    ThreadSlot* slot = find(id);
    if (!slot || (slot->state != ThreadSlot::lost && slot->state != ThreadSlot::lost_after_its_end))
        return false;
    if (slot->state == ThreadSlot::lost) {
        joined_lost = joining;
        dprintf(STDERR_FILENO,
                "%s: the thread was lost when a failed cell was taken back, and has not finished "
                "its work. Run the cell that starts it again.\n",
                what);
    }
    free_slot(*slot);
    return true;
}

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

ThreadSlot* take_thread_slot() {
    for (std::size_t i = 0; i < slots.size(); ++i) {
        auto expected = ThreadSlot::unused;
        if (!slots[i].state.compare_exchange_strong(expected, ThreadSlot::running)) continue;
        std::size_t before = used;
        while (before < i + 1 && !used.compare_exchange_weak(before, i + 1)) {
        }
        return &slots[i];
    }
    return nullptr;
}

bool is_a_cells_thread(const void* caller) {
    Dl_info library{};
    return dladdr(caller, &library) == 0 || !library.dli_fname ||
           std::strstr(library.dli_fname, "libstdc++") != nullptr;
}

void thread_started(ThreadSlot* slot, pthread_t id) {
    // of a lost thread, where its stack could not be kept
    if (ThreadSlot* other = find(id); other && other != slot) other->state = ThreadSlot::unused;
    slot->id = id;
}

void thread_not_started(ThreadSlot* slot) {
    if (slot) free_slot(*slot);
}

void thread_ended(ThreadSlot* slot) {
    if (!slot) return;
    auto expected = ThreadSlot::running;
    if (!slot->state.compare_exchange_strong(expected, ThreadSlot::ended) &&
        expected == ThreadSlot::detached)
        free_slot(*slot);
}

void threads_are_lost() {
    for (std::size_t i = 0; i < used; ++i) {
        if (slots[i].state == ThreadSlot::running) slots[i].state = ThreadSlot::lost;
        if (slots[i].state == ThreadSlot::ended) slots[i].state = ThreadSlot::lost_after_its_end;
        if (slots[i].state == ThreadSlot::detached) free_slot(slots[i]);
        if (slots[i].state == ThreadSlot::lost || slots[i].state == ThreadSlot::lost_after_its_end)
            keep_stack(slots[i], true);
    }
}

}  // namespace xcpp_session

#if __has_feature(address_sanitizer)
// As for pthread_create in handler_stack.cpp.
extern "C" int __interceptor_pthread_join(pthread_t, void**);
extern "C" int __interceptor_pthread_detach(pthread_t);
#endif

// Cells and libraries find these before those of the C and C++ libraries.
extern "C" int pthread_join(pthread_t id, void** result) {
    using namespace xcpp_session;
#if __has_feature(address_sanitizer)
    const auto join = __interceptor_pthread_join;
#else
    static const auto join = next<int (*)(pthread_t, void**)>("pthread_join");
#endif
    if (forget_lost(id, "join")) {
        if (result) *result = nullptr;
        return 0;
    }
    const int failed = join(id, result);
    if (ThreadSlot* slot = failed == 0 ? find(id) : nullptr) free_slot(*slot);
    return failed;
}

extern "C" int pthread_detach(pthread_t id) {
    using namespace xcpp_session;
#if __has_feature(address_sanitizer)
    const auto detach = __interceptor_pthread_detach;
#else
    static const auto detach = next<int (*)(pthread_t)>("pthread_detach");
#endif
    if (forget_lost(id, "detach")) return 0;
    if (ThreadSlot* slot = find(id)) {
        auto expected = ThreadSlot::running;
        if (!slot->state.compare_exchange_strong(expected, ThreadSlot::detached))
            free_slot(*slot);  // it has ended
    }
    return detach(id);
}

// std::thread::join
extern "C" void xcpp_join(void* thread) __asm__("_ZNSt6thread4joinEv");
void xcpp_join(void* thread) {
    using namespace xcpp_session;
    static const auto join = next<void (*)(void*)>("_ZNSt6thread4joinEv");
    joining = static_cast<const char*>(thread);
    joined_lost = nullptr;
    try {
        join(thread);
    } catch (...) {
        joining = nullptr;
        throw;
    }
    joining = nullptr;
}

// What std::future waits by. One of std::async has its std::thread behind the number it waits for,
// and has joined it just before.
extern "C" bool
xcpp_wait_for_value(void* self, unsigned* number, unsigned value, bool limited, long seconds, long nanoseconds) __asm__(
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_"
    "untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE");
bool xcpp_wait_for_value(void* self, unsigned* number, unsigned value, bool limited, long seconds,
                         long nanoseconds) {
    using namespace xcpp_session;
    static const auto wait = next<bool (*)(void*, unsigned*, unsigned, bool, long, long)>(
        "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_"
        "untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE");
    constexpr std::ptrdiff_t size_of_a_state = 128;
    const auto behind = joined_lost ? joined_lost - reinterpret_cast<const char*>(number) : 0;
    if (!limited && behind > 0 && behind < size_of_a_state) {
        joined_lost = nullptr;
        throw std::runtime_error(
            "the value will never come: the thread that std::async started was lost when a failed "
            "cell was taken back. "
            "Run the cell that starts it again.");
    }
    return wait(self, number, value, limited, seconds, nanoseconds);
}
