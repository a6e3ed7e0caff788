#include "staging.hpp"

#include "wait.hpp"

#include "base/math.hpp"
#include "base/thread_pool.hpp"
#include "lanes/base/workers.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace lanes::gpu::cuda {

namespace {

constexpr std::size_t piece = std::size_t{512} << 10;  // bytes
constexpr std::size_t most_threads = 8;                // more do not copy faster
constexpr unsigned without_time = 2;                   // CU_EVENT_DISABLE_TIMING
// The driver copies up to this size into the launch itself.
constexpr std::size_t small = std::size_t{16} << 10;

std::size_t thread_count() {
    return std::min(static_cast<std::size_t>(num_workers()), most_threads);
}

// work(part, parts) for each of so many parts, shared by as many threads; the first result that is
// no success.
template <class Work>
Result in_threads(std::size_t parts, const Work& work) {
    std::atomic<Result> first{0};
    run_parts(parts, parts, [&](std::size_t part, std::size_t) {
        const Result result = work(part, parts);
        Result none = 0;
        if (result != 0) first.compare_exchange_strong(none, result);
    });
    return first;
}

}  // namespace

Staging::Staging(const Driver& driver, ContextHandle context) : context_(context) {
    const std::size_t count = 2 * thread_count();
    bytes_ = count * piece;
    void* const memory =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    memory_ = memory;
    if (driver.pin(memory, bytes_, 0) != 0) return;  // copies go without it, more slowly
    std::vector<Slot> slots(count);
    for (std::size_t i = 0; i < count; ++i) {
        slots[i].memory = static_cast<char*>(memory) + i * piece;
        if (driver.create_event(&slots[i].done, without_time) != 0) return;
    }
    slots_ = std::move(slots);
}

// Events and pinning end with the context. This runs in a forked process, which has none of them,
// and when the program ends, when the driver may be gone.
Staging::~Staging() {
    if (memory_ != nullptr) munmap(memory_, bytes_);
}

Result Staging::upload(const Driver& d, StreamHandle stream, DeviceAddress to, const void* from,
                       std::size_t bytes) {
    if (slots_.empty()) return d.copy_to_device(to, from, bytes);
    if (bytes <= small) return d.copy_to_device_async(to, from, bytes, stream);
    const auto* source = static_cast<const char*>(from);
    const std::size_t pieces = ceil_div(bytes, piece);
    const auto send = [&](Slot& slot, std::size_t number) {
        const std::size_t first = number * piece;
        const std::size_t length = std::min(piece, bytes - first);
        Result result = wait_for(d, slot.done);
        if (result != 0) return result;
        std::memcpy(slot.memory, source + first, length);
        result = d.copy_to_device_async(to + first, slot.memory, length, stream);
        return result != 0 ? result : d.record_event(slot.done, stream);
    };
    if (pieces == 1) return send(slots_[turn_++ % slots_.size()], 0);
    const std::size_t threads = std::min(pieces, slots_.size() / 2);
    return in_threads(threads, [&](std::size_t thread, std::size_t team) {
        Result result = d.set_context(context_);
        for (std::size_t i = thread; i < pieces && result == 0; i += team)
            result = send(slot(thread, i / team), i);
        return result;
    });
}

Result Staging::download(const Driver& d, StreamHandle stream, void* to, DeviceAddress from,
                         std::size_t bytes) {
    if (slots_.empty()) return d.copy_to_host(to, from, bytes);
    const std::size_t pieces = ceil_div(bytes, piece);
    const auto length_of = [&](std::size_t number) {
        return std::min(piece, bytes - number * piece);
    };
    const auto ask = [&](Slot& slot, std::size_t number) {
        const Result result =
            d.copy_to_host_async(slot.memory, from + number * piece, length_of(number), stream);
        return result != 0 ? result : d.record_event(slot.done, stream);
    };
    const auto receive = [&](Slot& slot, std::size_t number) {
        const Result result = wait_for(d, slot.done);
        if (result == 0)
            std::memcpy(static_cast<char*>(to) + number * piece, slot.memory, length_of(number));
        return result;
    };
    const std::size_t threads = std::min(pieces, slots_.size() / 2);
    return in_threads(threads, [&](std::size_t thread, std::size_t team) {
        Result result = d.set_context(context_);
        const std::size_t last = pieces;
        if (result == 0 && thread < last) result = ask(slot(thread, 0), thread);
        for (std::size_t i = thread, turn = 0; i < last && result == 0; i += team, ++turn) {
            if (i + team < last) result = ask(slot(thread, turn + 1), i + team);
            if (result == 0) result = receive(slot(thread, turn), i);
        }
        return result;
    });
}

}  // namespace lanes::gpu::cuda
