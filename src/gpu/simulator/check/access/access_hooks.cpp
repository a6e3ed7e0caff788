#include "access_hooks.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::gpu::simulator {

AccessHooks access_hooks;
Order order;

namespace {

using Word = cell::Word;

bool is_ordering(const lanes_site& site) {
    return site.place && AccessHooks::place_of(site)->region.kind != Region::Kind::shared;
}

}  // namespace

AccessHooks::AccessHooks() {
    table.read[0] = plain<1, false>, table.read[1] = plain<2, false>,
    table.read[2] = plain<4, false>;
    table.read[3] = plain<8, false>, table.read[4] = plain<16, false>;
    table.write[0] = plain<1, true>, table.write[1] = plain<2, true>,
    table.write[2] = plain<4, true>;
    table.write[3] = plain<8, true>, table.write[4] = plain<16, true>;
    table.volatile_read[0] = volatile_read<1>, table.volatile_read[1] = volatile_read<2>,
    table.volatile_read[2] = volatile_read<4>;
    table.volatile_read[3] = volatile_read<8>, table.volatile_read[4] = volatile_read<16>;
    table.volatile_write[0] = volatile_write<1>, table.volatile_write[1] = volatile_write<2>,
    table.volatile_write[2] = volatile_write<4>;
    table.volatile_write[3] = volatile_write<8>, table.volatile_write[4] = volatile_write<16>;
    table.range = range;
    table.copy = copy;
    table.atomic = atomic;
    table.added = added;
    table.part = part;
    table.unset = unset;
    table.beyond = beyond;
    table.misaligned = misaligned;
    table.thread_begins = thread_begins;
    table.thread_returns = thread_returns;
    sites.reserve(cell::sites + 1);
    forget_sites();
}

template <bool write, bool atomic>
LANES_NO_SANITIZER inline void AccessHooks::touch(Site& site, std::uint32_t number,
                                                  std::size_t offset, Word mask,
                                                  std::size_t bytes) {
    const std::size_t element = offset / 4;
    Word& cell = site.writes[element];
    const Word written = cell, read = site.reads[element];
    bool look = is_suspicious(written);
    if (!write || atomic) look |= (written & mask) != 0;
    if (write)
        look |= read >= table.launch_word &&
                (read < block_word || (read & cell::earlier) ||
                 (read >= interval_word &&
                  (cell::thread_of(read) != table.thread || (read & cell::second))));
    if (LANES_UNLIKELY(look))
        examine(site, offset, mask, access_of(site.code, bytes, write, atomic, site.is_volatile));
    if (!write) {
        // Since the last barrier only this thread has read it: there is nothing to remember.
        if (LANES_LIKELY(read >> cell::thread_shift == table.my_word >> cell::thread_shift &&
                         (read | mask) == read))
            return;
        if (LANES_LIKELY(read < table.launch_word)) {
            site.reads[element] = table.my_word | Word(number) << cell::site_shift | mask;
            return;
        }
        return remember_read(site, element, number, mask);
    }
    Word mine = table.my_word | Word(number) << cell::site_shift | mask << cell::written_shift;
    if (atomic) {
        // Keep a plain write of this thread since the last barrier: other threads race with that
        // one.
        if (written >= interval_word && cell::thread_of(written) == table.thread &&
            !(written & cell::atomic))
            return;
        mine |= cell::atomic;
    }
    cell = mine | (written & cell::uninitialised & ~mask);
}

// The common cases of four bytes, written so that they need no stack frame: memory that no thread
// has touched in this launch or since the last barrier, memory that this thread touched before, and
// memory that many threads read.
template <unsigned bytes, bool write>
LANES_NO_SANITIZER void AccessHooks::plain(const void* address, const void* code) {
    const AccessHooks& h = access_hooks;
    const lanes_hook_table& table = h.table;
    const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(code) - table.code_first;
    if constexpr (bytes == 4) {
        if (LANES_LIKELY(at < table.code_bytes)) {
            const Word number = table.site_of[at];
            Site& site = table.sites[number];
            const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
            if (LANES_LIKELY(offset < site.bytes && offset % 4 == 0 && site.bytes - offset >= 4)) {
                if (LANES_UNLIKELY(!site.writes)) return general<bytes, write>(address, code);
                const std::size_t element = offset / 4;
                const Word written = site.writes[element], read = site.reads[element];
                if (!write &&
                    LANES_LIKELY(!(written & cell::uninitialised) && !h.is_suspicious(written))) {
                    ++site.accesses;
                    if (LANES_UNLIKELY(h.remembers_reads))
                        access_hooks.recent_at(address) = {
                            address, static_cast<std::uint32_t>(number), table.thread};
                    if (read < table.launch_word) {
                        site.reads[element] = table.my_word | number << cell::site_shift | 15;
                        return;
                    }
                    if (read >> cell::thread_shift == table.my_word >> cell::thread_shift &&
                        (read & 15) == 15)
                        return;
                    const std::uint32_t reader = cell::thread_of(read) / 32,
                                        second = cell::second_thread_of(read) / 32;
                    if (read >= h.interval_word && (read & cell::second) && (read & 15) == 15 &&
                        (reader != second || reader == table.thread / 32))
                        return;
                    return access_hooks.remember_read(site, element,
                                                      static_cast<std::uint32_t>(number), 15);
                }
                const bool unread =
                    read < table.launch_word ||
                    (read >= h.block_word && read < h.interval_word && !(read & cell::earlier)) ||
                    (read >= h.interval_word && cell::thread_of(read) == table.thread &&
                     !(read & (cell::second | cell::earlier)));
                if (write && LANES_LIKELY(unread && !h.is_suspicious(written))) {
                    ++site.accesses;
                    site.writes[element] = table.my_word | site.write;
                    return;
                }
            }
        }
    }
    general<bytes, write>(address, code);
}

template <unsigned bytes, bool write>
LANES_NO_SANITIZER __attribute__((noinline)) void AccessHooks::general(const void* address,
                                                                       const void* code) {
    AccessHooks& h = access_hooks;
    h.settle_pending();
    const std::uint32_t number = h.site(code);
    Site& site = h.sites[number];
    std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
    if (LANES_UNLIKELY(offset >= site.bytes || site.bytes - offset < bytes)) {
        if (!h.resolve(site, address, h.access_of(code, bytes, write))) return;
        offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
    }
    if (LANES_UNLIKELY(!site.place)) return;
    const Region& region = place_of(site)->region;
    if (LANES_UNLIKELY(reinterpret_cast<std::uintptr_t>(address) % bytes)) {
        h.check->sink_.misaligned(region, offset, h.access_of(code, bytes, write));
        h.check->sink_.abandon();
    }
    const bool first =
        write && bytes == 4 && site.writes && site.writes[offset / 4] < h.table.launch_word;
    ++(first ? site.first_writes : site.accesses);
    const auto traffic = static_cast<Traffic>(site.traffic);
    if (h.table.counted) {
        if (traffic != Traffic::none)
            h.check->requests_.access(number, traffic, site.place, offset, bytes,
                                      region.element_bytes);
        h.record(region, offset, bytes, write ? AccessKind::write : AccessKind::read, code);
    }
    if (!site.writes) return;
    if (!write && h.remembers_reads) h.recent_at(address) = {address, number, h.table.thread};
    if constexpr (bytes < 4) {
        h.touch<write, false>(site, number, offset, ((1u << bytes) - 1) << offset % 4, bytes);
    } else {
        for (unsigned i = 0; i < bytes; i += 4)
            h.touch<write, false>(site, number, offset + i, 15, bytes);
    }
}

template <unsigned bytes>
LANES_NO_SANITIZER void AccessHooks::volatile_read(const void* address, const void* code) {
    AccessHooks& h = access_hooks;
    Site& site = h.sites[h.site(code)];
    site.is_volatile = 1;
    // Far more than a computation reads one volatile value; then it is a loop that waits for it.
    constexpr std::uint64_t too_often = 1 << 22;
    if (h.awaited != address || h.awaited_by != h.table.thread) {
        h.awaited = address;
        h.awaited_by = h.table.thread;
        h.awaited_reads = 0;
    } else if (++h.awaited_reads == too_often) {
        h.awaited = nullptr;
        h.check->sink_.waits_forever(h.access_of(code, bytes, false, false, true));
    }
    general<bytes, false>(address, code);
    if (is_ordering(site)) order.acquire(h.table.thread);
}

// Volatile accesses of global memory are never torn and never stay in a register: they do not race
// with each other, and with a fence they pass on what was written before. Those of shared memory
// are old code for lanes that go in step, which must be found.
template <unsigned bytes>
LANES_NO_SANITIZER void AccessHooks::volatile_write(const void* address, const void* code) {
    AccessHooks& h = access_hooks;
    Site& site = h.sites[h.site(code)];
    site.is_volatile = 1;
    general<bytes, true>(address, code);
    if (!is_ordering(site) || !site.writes) return;
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
    for (std::size_t i = 0; i < bytes; i += 4) site.writes[(offset + i) / 4] |= cell::atomic;
    order.atomic(h.table.thread);
}

template <bool write>
LANES_NO_SANITIZER void AccessHooks::many(const void* address, std::size_t bytes, const void* code,
                                          bool check_initialised) {
    if (bytes == 0) return;
    settle_pending();
    const std::uint32_t number = site(code);
    Site& site = sites[number];
    const auto inside = [&](std::size_t at) { return at < site.bytes && site.bytes - at >= bytes; };
    if (!inside(reinterpret_cast<std::uintptr_t>(address) - site.first) &&
        !resolve(site, address, access_of(code, bytes, write)))
        return;
    if (!site.place) return;
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
    ++site.accesses;
    const auto traffic = static_cast<Traffic>(site.traffic);
    const Region& region = place_of(site)->region;
    if (table.counted) {
        if (traffic != Traffic::none)
            check->requests_.access(number, traffic, site.place, offset,
                                    static_cast<unsigned>(std::min<std::size_t>(bytes, 16)),
                                    region.element_bytes);
        record(region, offset, bytes, write ? AccessKind::write : AccessKind::read, code);
    }
    if (!site.writes) return;
    for (std::size_t at = offset; at < offset + bytes;) {
        const std::size_t in_cell = at % 4, length = std::min(4 - in_cell, offset + bytes - at);
        const Word mask = ((1u << length) - 1) << in_cell;
        Word& cell = site.writes[at / 4];
        const Word uninitialised = cell & cell::uninitialised;
        if (!check_initialised) cell &= ~cell::uninitialised;
        touch<write, false>(site, number, at, mask, bytes);
        if (!check_initialised) cell |= uninitialised;
        at += length;
    }
}

LANES_NO_SANITIZER void AccessHooks::range(const void* address, unsigned long bytes, int write,
                                           const void* code) {
    write ? access_hooks.many<true>(address, bytes, code, true)
          : access_hooks.many<false>(address, bytes, code, true);
}

// Copying a struct may copy the padding between its members. Uninitialised bytes stay
// uninitialised; the copy itself is not reported.
LANES_NO_SANITIZER void AccessHooks::copy(const void* to, const void* from, unsigned long bytes,
                                          const void* code) {
    access_hooks.many<false>(from, bytes, static_cast<const char*>(code) - 1, false);
    const Place* source = access_hooks.check->place_of(from, bytes);
    access_hooks.many<true>(to, bytes, code, true);
    const Place* target = access_hooks.check->place_of(to, bytes);
    if (!source || !target || source->clean) return;
    const std::size_t from_offset = static_cast<const unsigned char*>(from) - source->region.first;
    const std::size_t to_offset = static_cast<const unsigned char*>(to) - target->region.first;
    for (unsigned long i = 0; i < bytes; ++i)
        if (source->shadow->writes()[(from_offset + i) / 4] >> (from_offset + i) % 4 & 1)
            target->shadow->mark(to_offset + i, 1, false);
}

LANES_NO_SANITIZER void AccessHooks::atomic(const void* address, unsigned long bytes, int compares,
                                            const void* code) {
    AccessHooks& h = access_hooks;
    h.settle_pending();
    const std::uint32_t number = h.site(code);
    Site& site = h.sites[number];
    std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
    if (offset >= site.bytes || site.bytes - offset < bytes) {
        if (!h.resolve(site, address, h.access_of(code, bytes, true, true))) return;
        offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
    }
    if (!site.place) return;
    ++site.accesses;
    const auto at_address = reinterpret_cast<std::uintptr_t>(address);
    if (site.address == 0) site.address = at_address;
    if (site.address != at_address) site.many_addresses = 1;
    if (compares) h.note_old_value(address);
    if (h.table.counted) {
        h.check->requests_.access(number, Traffic::atomic, site.place, offset,
                                  static_cast<unsigned>(bytes), bytes);
        h.record(place_of(site)->region, offset, bytes, AccessKind::atomic, code);
    }
    for (unsigned i = 0; i < bytes; i += 4) {
        const std::size_t at = offset + i;
        if (compares) h.forget_own_read(site, at / 4);
        h.touch<true, true>(site, number, at, (bytes < 4 ? (1u << bytes) - 1 : 15u) << at % 4,
                            bytes);
    }
    order.atomic(h.table.thread);
}

LANES_NO_SANITIZER void AccessHooks::added(const void* address, double value) {
    if (Place* place = access_hooks.check->place_of(address, sizeof(float)))
        place->add(static_cast<const unsigned char*>(address) - place->region.first,
                   std::abs(value));
}

LANES_NO_SANITIZER void AccessHooks::part(const void* code) {
    if (access_hooks.table.counted) access_hooks.check->requests_.arrives(access_hooks.site(code));
}

LANES_NO_SANITIZER void AccessHooks::unset(const char* name, const void* code) {
    if (access_hooks.check->checks_.uninitialised)
        access_hooks.check->sink_.unset(name, access_hooks.access_of(code, 0, false));
}

LANES_NO_SANITIZER void AccessHooks::beyond(const char* file, unsigned line, unsigned column,
                                            const char* type, long index, const void* code) {
    if (!access_hooks.check->checks_.bounds) return;
    if (access_hooks.check->sink_.beyond({file, line, column, type, index},
                                         access_hooks.access_of(code, 0, false)))
        access_hooks.check->sink_.abandon();
}

LANES_NO_SANITIZER void AccessHooks::misaligned(const void* address, unsigned long bytes,
                                                const void* code) {
    const Place* place = access_hooks.check->place_of(address, 1);
    if (!place) return;  // what is wrong with the address is reported when it is used
    const std::size_t offset = static_cast<const unsigned char*>(address) - place->region.first;
    access_hooks.check->sink_.misaligned(place->region, offset,
                                         access_hooks.access_of(code, bytes, false));
    access_hooks.check->sink_.abandon();
}

LANES_NO_SANITIZER void AccessHooks::thread_begins(unsigned thread) {
    access_hooks.check->thread_runs(thread);
}

LANES_NO_SANITIZER void AccessHooks::thread_returns(unsigned thread) {
    access_hooks.check->thread_returned(thread);
}

}  // namespace lanes::gpu::simulator
