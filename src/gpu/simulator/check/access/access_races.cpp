// Who has read and written a cell: what is remembered of it, and what is reported if two threads
// used it and nothing orders them. access_hooks.cpp calls these functions if its quick comparison
// is not enough.
#include "access_hooks.hpp"

namespace lanes::gpu::simulator {

namespace {

using Word = cell::Word;

constexpr Word second_thread_mask = Word(cell::threads - 1) << cell::second_thread_shift;
constexpr Word thread_mask = Word(cell::threads - 1) << cell::thread_shift;

}  // namespace

LANES_NO_SANITIZER void AccessHooks::remember_read(Site& site, std::size_t element,
                                                   std::uint32_t number, Word mask) {
    Word& cell = site.reads[element];
    const Word read = cell, mine = table.my_word | Word(number) << cell::site_shift | mask;
    if (read < interval_word) {
        Word keep = 0;
        if (read >= table.launch_word) {
            keep = read & cell::earlier;
            if (read < block_word) {
                site.earlier[element] = read;
                keep = cell::earlier;
            }
        }
        cell = mine | keep;
        return;
    }
    const std::uint32_t me = table.thread, reader = cell::thread_of(read);
    // Small elements: threads that read different bytes of a cell. A cell holds one set of bytes,
    // so only the newest reader is kept; otherwise a race could be reported for another thread's
    // byte.
    if ((read & 15) != mask && (reader != me || (read & cell::second))) {
        cell = mine | (read & cell::earlier);
        return;
    }
    if (reader == me) {
        if ((read | mask) != read ||
            read >> cell::thread_shift != table.my_word >> cell::thread_shift)
            cell = mine | (read & (cell::second | second_thread_mask | cell::earlier | 15));
        return;
    }
    if (!(read & cell::second)) {
        if (warp_operations && reader / 32 == me / 32 &&
            order.is_before(cell::segment_of(read), reader, me))
            cell = mine |
                   (read &
                    cell::earlier);  // what is ordered after this read is ordered after that one
        else if (sites[cell::site_of(read)].is_volatile && !site.is_volatile)
            cell = mine | (read & (cell::earlier | 15)) | cell::second |
                   Word(reader)
                       << cell::second_thread_shift;  // the reader that races with more threads
        else
            cell = read | cell::second | Word(me) << cell::second_thread_shift | mask;
        return;
    }
    // Keep two threads of different warps, if possible: then a later write by one of them still
    // races with the other.
    const std::uint32_t second = cell::second_thread_of(read);
    if (second / 32 == reader / 32 && me / 32 != reader / 32)
        cell = (read & ~second_thread_mask) | Word(me) << cell::second_thread_shift;
}

// The thread replaces what it has read by compare-and-swap, which compares again: a change by
// another thread in between does no harm.
LANES_NO_SANITIZER void AccessHooks::note_old_value(const void* address) {
    const RecentRead& read = recent_at(address);
    if (read.address == address && read.thread == table.thread) sites[read.site].is_old_value = 1;
}

// Reads after a compare-and-swap are judged on their own, so the earlier read is forgotten.
LANES_NO_SANITIZER void AccessHooks::forget_own_read(Site& site, std::size_t element) {
    Word& cell = site.reads[element];
    const Word read = cell, me = table.thread;
    if (read < interval_word) return;
    if (cell::thread_of(read) == me && (read & cell::second))
        cell = (read & ~(thread_mask | cell::second | second_thread_mask)) |
               Word(cell::second_thread_of(read)) << cell::thread_shift;
    else if (cell::thread_of(read) == me)
        cell = read & cell::earlier ? site.earlier[element] : 0;
    else if ((read & cell::second) && cell::second_thread_of(read) == me)
        cell = read & ~(cell::second | second_thread_mask);
}

LANES_NO_SANITIZER Remembered AccessHooks::remembered(Word word, std::uint32_t thread,
                                                      bool write) const {
    Remembered before;
    before.block_number = order.block_of(cell::segment_of(word));
    before.thread_number = thread;
    before.code = sites[cell::site_of(word)].code;
    before.write = write;
    before.atomic = write && (word & cell::atomic) && !sites[cell::site_of(word)].is_volatile;
    return before;
}

LANES_NO_SANITIZER void AccessHooks::add_pending(const Site& site, std::size_t offset, Word mask,
                                                 const Access& access, const Remembered& before) {
    PendingWrite write{place_of(site), offset, mask, {}, access, before};
    for (std::size_t i = 0; i < 4; ++i)
        if (mask >> i & 1) write.value[i] = write.place->region.first[offset / 4 * 4 + i];
    pending.push_back(write);
    publish();
}

LANES_NO_SANITIZER void AccessHooks::report_pending() {
    const std::vector<PendingWrite> writes = std::move(pending);
    pending.clear();
    publish();
    for (const PendingWrite& write : writes) {
        const Region& region = write.place->region;
        bool same = true;
        for (std::size_t i = 0; i < 4; ++i)
            if (write.mask >> i & 1)
                same = same && region.first[write.offset / 4 * 4 + i] == write.value[i];
        if (same)
            check->sink_.same_value(region, write.offset, write.access, write.before);
        else
            check->sink_.race(region, write.offset, write.access, write.before);
    }
}

// Called if the quick comparison was not enough: is it a race, or a read of uninitialised memory?
LANES_NO_SANITIZER __attribute__((noinline)) void AccessHooks::examine(Site& site,
                                                                       std::size_t offset,
                                                                       Word mask,
                                                                       const Access& access) {
    const Region& region = place_of(site)->region;
    const Word write = site.writes[offset / 4];
    if ((!access.write || access.atomic) && (write & mask) && check->checks_.uninitialised)
        check->sink_.uninitialised(region, offset, access);
    if (!check->checks_.races) return;
    // A volatile read of a value that others change by atomic operations is not a race.
    const bool allowed = (write & cell::atomic) && (access.atomic || access.is_volatile);
    if (is_suspicious(write) && (write >> cell::written_shift & mask) && !allowed &&
        !order.is_before(cell::segment_of(write), cell::thread_of(write), table.thread)) {
        const Remembered before = remembered(write, cell::thread_of(write), true);
        if (!access.write && before.atomic)
            return check->defer_race(static_cast<std::uint32_t>(&site - sites.data()), site, offset,
                                     access, before);
        if (access.write && !access.atomic && !before.atomic)
            return add_pending(site, offset, mask, access, before);
        return check->sink_.race(region, offset, access, before);
    }
    if (access.write) examine_reads(site, offset, mask, access);
}

LANES_NO_SANITIZER void AccessHooks::examine_reads(Site& site, std::size_t offset, Word mask,
                                                   const Access& access) {
    const Word read = site.reads[offset / 4];
    if (!(read & mask) || read < table.launch_word) return;
    const auto is_allowed = [&](Word word) {
        return (access.atomic ||
                (access.is_volatile && place_of(site)->region.kind != Region::Kind::shared)) &&
               sites[cell::site_of(word)].is_volatile;
    };
    // Returns true if the race was reported: one is enough. A read of the old value before a
    // compare-and-swap is held back, because it may turn out not to be a race.
    const auto report = [&](Word word, std::uint32_t thread) {
        const Remembered before = remembered(word, thread, false);
        if (access.atomic)
            check->defer_race(cell::site_of(word), site, offset, access, before);
        else
            check->sink_.race(place_of(site)->region, offset, access, before);
        return !access.atomic;
    };
    if ((read >= interval_word || read < block_word) && !is_allowed(read) &&
        !order.is_before(cell::segment_of(read), cell::thread_of(read), table.thread) &&
        report(read, cell::thread_of(read)))
        return;
    if (read >= interval_word && (read & cell::second) && !is_allowed(read) &&
        !order.may_be_before(cell::second_thread_of(read), table.thread) &&
        report(read, cell::second_thread_of(read)))
        return;
    if (read & cell::earlier) {
        const Word before = site.earlier[offset / 4];
        if ((before & mask) && !is_allowed(before) &&
            !order.is_before(cell::segment_of(before), cell::thread_of(before), table.thread))
            report(before, cell::thread_of(before));
    }
}

}  // namespace lanes::gpu::simulator
