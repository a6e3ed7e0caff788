// What runs at each memory access of a CUDA kernel: the functions that instrumented code calls, and
// the data of the current launch that they need.
#pragma once

#include "access_check.hpp"
#include "code_image.hpp"
#include "gpu/simulator/interface/tables.hpp"
#include "gpu/simulator/memory/cell.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

// These functions run inside the student's threads, even if the library itself is built with a
// sanitizer. They look at addresses, never at the memory behind them.
#define LANES_NO_SANITIZER __attribute__((no_sanitize("thread", "address", "undefined")))
#define LANES_LIKELY(x) __builtin_expect(!!(x), 1)
#define LANES_UNLIKELY(x) __builtin_expect(!!(x), 0)

namespace lanes::gpu::simulator {

struct AccessHooks {
    using Site = lanes_site;
    using Place = AccessCheck::Place;
    using Word = cell::Word;

    AccessHooks();

    lanes_hook_table table{};
    AccessCheck* check = nullptr;
    std::uintptr_t code_first = 1;
    std::size_t code_bytes = 0;
    std::vector<std::uint16_t> site_of;  // by offset in the code
    std::vector<Site> sites;             // site 0 means "unknown"; sites are never moved
    Word block_word = 0, interval_word = 0;
    bool warp_operations = false;
    // Whether `recent` is filled. Not needed if the text has no compare-and-swap.
    bool remembers_reads = true;
    struct RecentRead {
        const void* address = nullptr;
        std::uint32_t site = 0, thread = 0;
    };
    std::array<RecentRead, 16> recent;  // indexed by address
    // Two threads write one cell, and nothing orders them. The hook runs before the store, so only
    // the next hook can tell whether the second thread stored the same value again.
    struct PendingWrite {
        const Place* place;
        std::size_t offset;
        Word mask;
        std::array<unsigned char, 4> value;  // what the first thread stored
        Access access;
        Remembered before;
    };
    std::vector<PendingWrite> pending;  // while there are any, every access takes the slow path
    CodeImage image;
    // Volatile reads of one address by one thread, one after another.
    const void* awaited = nullptr;
    std::uint32_t awaited_by = 0;
    std::uint64_t awaited_reads = 0;

    void forget_sites();  // numbers the instructions again
    // Gives the hooks the table of sites, unless every access must take the slow path.
    void publish();
    void add_pending(const Site& site, std::size_t offset, Word mask, const Access& access,
                     const Remembered& before);
    void settle_pending() {
        if (LANES_UNLIKELY(!pending.empty())) report_pending();
    }
    void report_pending();
    std::uint32_t site(const void* code) {
        const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(code) - code_first;
        if (LANES_LIKELY(at < code_bytes && site_of[at])) return site_of[at];
        return new_site(code);
    }
    std::uint32_t new_site(const void* code);
    bool resolve(Site& site, const void* address, const Access& access);
    static const Place* place_of(const Site& site) { return static_cast<const Place*>(site.place); }
    Access access_of(const void* code, std::size_t bytes, bool write, bool atomic = false,
                     bool is_volatile = false) const {
        return {code, bytes, write, atomic, is_volatile, check->block_number_, table.thread};
    }

    bool is_suspicious(Word write) const {
        return write >= table.launch_word &&
               (write < block_word ||
                (write >= interval_word && cell::thread_of(write) != table.thread));
    }
    template <bool write, bool atomic>
    void touch(Site& site, std::uint32_t number, std::size_t offset, Word mask, std::size_t bytes);
    void examine(Site& site, std::size_t offset, Word mask, const Access& access);
    void examine_reads(Site& site, std::size_t offset, Word mask, const Access& access);
    void remember_read(Site& site, std::size_t element, std::uint32_t number, Word mask);
    RecentRead& recent_at(const void* address) {
        return recent[reinterpret_cast<std::uintptr_t>(address) / 4 % recent.size()];
    }
    void note_old_value(const void* address);
    void record(const Region& region, std::size_t offset, std::size_t bytes, AccessKind kind,
                const void* code) {
        if (check->recorder.is_on())
            check->recorder.add(region, static_cast<std::ptrdiff_t>(offset), bytes, kind,
                                table.thread, code);
    }
    void forget_own_read(Site& site, std::size_t element);
    Remembered remembered(Word word, std::uint32_t thread, bool write) const;
    template <bool write>
    void many(const void* address, std::size_t bytes, const void* code, bool check_initialised);

    template <unsigned bytes, bool write>
    static void plain(const void* address, const void* code);
    template <unsigned bytes, bool write>
    static void general(const void* address, const void* code);
    template <unsigned bytes>
    static void volatile_read(const void* address, const void* code);
    template <unsigned bytes>
    static void volatile_write(const void* address, const void* code);
    static void range(const void* address, unsigned long bytes, int write, const void* code);
    static void copy(const void* to, const void* from, unsigned long bytes, const void* code);
    static void atomic(const void* address, unsigned long bytes, int compares, const void* code);
    static void added(const void* address, double value);
    static void part(const void* code);
    static void unset(const char* name, const void* code);
    static void beyond(const char* file, unsigned line, unsigned column, const char* type,
                       long index, const void* code);
    static void misaligned(const void* address, unsigned long bytes, const void* code);
    static void thread_begins(unsigned thread);
    static void thread_returns(unsigned thread);
};

extern AccessHooks access_hooks;  // of the one launch that is being checked
extern Order order;               // continues from launch to launch, as shadow memory does

}  // namespace lanes::gpu::simulator
