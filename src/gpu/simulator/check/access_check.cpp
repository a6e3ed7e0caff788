#include "access_check.hpp"

#include "code_image.hpp"

#include <algorithm>
#include <cstring>

#define LANES_HOOK_TABLE(...) __VA_ARGS__
#include "hook_table.inc"
#undef LANES_HOOK_TABLE

// The functions here run inside the student's threads, also where this library is built with a sanitizer: they look at addresses, never at what lies there.
#define LANES_HOT __attribute__((no_sanitize("thread", "address", "undefined")))
#define LANES_LIKELY(x) __builtin_expect(!!(x), 1)
#define LANES_UNLIKELY(x) __builtin_expect(!!(x), 0)

namespace lanes::gpu::simulator {

// What the common case needs, in one place.
struct Hot {
    // An instruction, and the region that it touched last: most instructions touch one only.
    struct Site {
        std::uintptr_t first = 0;
        std::size_t bytes = 0;
        Cell* cells = nullptr;  // none: a variable that is not the student's
        std::uint64_t* earlier = nullptr;
        std::uint64_t accesses = 0;
        const void* code = nullptr;
        const AccessCheck::Place* place = nullptr;
        Traffic traffic = Traffic::none;
    };

    AccessCheck* check = nullptr;
    std::uintptr_t code_first = 1;
    std::size_t code_bytes = 0;
    std::vector<std::uint16_t> site_of;  // by offset in the code
    std::vector<Site> sites = std::vector<Site>(1);
    std::uint64_t launch_word = 0, block_word = 0, interval_word = 0, my_word = 0, me = 0;
    bool counted = false, warp_operations = false;
    CodeImage image;

    using Place = AccessCheck::Place;

    std::uint32_t site(const void* code) {
        const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(code) - code_first;
        if (LANES_LIKELY(at < code_bytes && site_of[at])) return site_of[at];
        return new_site(code);
    }
    std::uint32_t new_site(const void* code);
    bool resolve(Site& site, const void* address, const Access& access);

    bool is_suspicious(std::uint64_t write) const {
        return write >= launch_word && (write < block_word || (write >= interval_word && cell::thread_of(write) != me));
    }
    template <bool write, bool atomic>
    void touch(Site& site, std::uint32_t number, std::size_t offset, std::uint64_t mask, std::size_t bytes);
    void examine(Site& site, std::size_t offset, std::uint64_t mask, const Access& access);
    void remember_read(Cell& cell, std::uint64_t* earlier, std::uint32_t number, std::uint64_t mask);
    template <unsigned bytes, bool write>
    static void plain(const void* address, const void* code);
    template <unsigned bytes, bool write>
    static void general(const void* address, const void* code);
    static void range(const void* address, unsigned long bytes, int write, const void* code);
    static void copy(const void* to, const void* from, unsigned long bytes, const void* code);
    static void atomic(const void* address, unsigned long bytes, const void* code);
    static void part(const void* code);
    template <bool write>
    void many(const void* address, std::size_t bytes, const void* code, bool check_initialised);
};

namespace {

Hot hot;
Order order;  // goes on from launch to launch, as shadow memory does

bool is_shared(const Region& region) { return region.kind == Region::Kind::shared; }

Traffic traffic_of(const Region& region, const Access& access) {
    if (access.atomic) return Traffic::atomic;
    if (is_shared(region)) return access.write ? Traffic::shared_store : Traffic::shared_load;
    if (region.kind == Region::Kind::constant) return Traffic::none;
    return access.write ? Traffic::global_store : Traffic::global_load;
}

}  // namespace

LANES_HOT std::uint32_t Hot::new_site(const void* code) {
    std::uintptr_t at = reinterpret_cast<std::uintptr_t>(code) - code_first;
    if (code_bytes == 0) {
        image = image_of(code);
        code_first = image.code_first;
        code_bytes = image.code_bytes;
        site_of.assign(code_bytes, 0);
        at = reinterpret_cast<std::uintptr_t>(code) - code_first;
    }
    if (sites.size() <= cell::sites) sites.emplace_back().code = code;
    const auto number = static_cast<std::uint32_t>(sites.size() - 1);  // should there be too many, the last one stands for the rest
    if (at < code_bytes) site_of[at] = static_cast<std::uint16_t>(number);
    check->requests_.needs_site(number);
    return number;
}

// Whether the access is to be looked at: it lies in a region, which is the site's now. Stops the thread where it must not happen.
LANES_HOT bool Hot::resolve(Site& site, const void* address, const Access& access) {
    const auto near_frame = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (near_frame < 8192) return false;
    if (const Place* place = check->place_of(address, access.bytes)) {
        if (site.accesses) check->exact_[static_cast<int>(site.traffic)] += site.accesses;
        site.accesses = 0;
        site.first = reinterpret_cast<std::uintptr_t>(place->region.first);
        site.bytes = place->region.bytes;
        site.cells = place->shadow->cells();
        site.earlier = place->shadow->earlier();
        site.place = place;
        site.traffic = traffic_of(place->region, access);
        if (access.atomic && place->region.is_float) check->float_atomics_ = true;
        return true;
    }
    if (check->sink_.is_own_stack(address)) return false;
    if (const auto own = image.own_variable(address); own.second) {
        site.first = own.first;
        site.bytes = own.second;
        site.cells = nullptr;
        return false;
    }
    if (!access.write && image.is_read_only(address)) return false;  // tables that the compiler made
    const Region* near = site.place ? &site.place->region : nullptr;
    if (!near) {
        std::uintptr_t best = ~std::uintptr_t(0);
        for (const auto& place : check->places_) {
            const auto at = reinterpret_cast<std::uintptr_t>(address), first = reinterpret_cast<std::uintptr_t>(place->region.first);
            const std::uintptr_t distance = at < first ? first - at : at - first - std::min<std::uintptr_t>(at - first, place->region.bytes);
            if (distance < best) best = distance, near = &place->region;
        }
    }
    check->sink_.outside(address, near, access);
    if (check->checks_.bounds || !image.is_inside(address)) check->sink_.abandon();
    return false;
}

LANES_HOT void Hot::remember_read(Cell& cell, std::uint64_t* earlier, std::uint32_t number, std::uint64_t mask) {
    const std::uint64_t read = cell.read, mine = my_word | std::uint64_t(number) << cell::site_shift | mask;
    if (read < interval_word) {
        std::uint64_t keep = 0;
        if (read >= launch_word) {
            keep = read & cell::earlier;
            if (read < block_word) {
                *earlier = read;
                keep = cell::earlier;
            }
        }
        cell.read = mine | keep;
        return;
    }
    const std::uint32_t reader = cell::thread_of(read);
    // Small elements: threads that read different bytes of a cell. There is room for one set of bytes, so the newest reader is kept, and nobody is blamed for
    // another's byte.
    if ((read & 15) != mask && (reader != me || (read & cell::second))) {
        cell.read = mine | (read & cell::earlier);
        return;
    }
    if (reader == me) {
        if ((read | mask) != read || read >> cell::thread_shift != my_word >> cell::thread_shift)
            cell.read = mine | (read & (cell::second | (std::uint64_t(cell::threads - 1) << cell::second_thread_shift) | cell::earlier | 15));
        return;
    }
    if (!(read & cell::second)) {
        if (warp_operations && reader / 32 == me / 32 && order.is_before(cell::segment_of(read), reader, static_cast<std::uint32_t>(me)))
            cell.read = mine | (read & cell::earlier);  // whatever comes after this read comes after that one
        else
            cell.read = read | cell::second | me << cell::second_thread_shift | mask;
        return;
    }
    // Two threads of different warps, if there are such: a later write by either is told apart from the other.
    const std::uint32_t second = cell::second_thread_of(read);
    if (second / 32 == reader / 32 && me / 32 != reader / 32) {
        const std::uint64_t without = read & ~(std::uint64_t(cell::threads - 1) << cell::second_thread_shift);
        cell.read = without | me << cell::second_thread_shift;
    }
}

// Called where the quick comparison was not enough: is it a race, or not initialised?
LANES_HOT __attribute__((noinline)) void Hot::examine(Site& site, std::size_t offset, std::uint64_t mask, const Access& access) {
    const Cell& cell = site.cells[offset / 4];
    const auto current = static_cast<std::uint32_t>(me);
    AccessSink& sink = check->sink_;
    if ((!access.write || access.atomic) && (cell.write & mask) && check->checks_.uninitialised) sink.uninitialised(site.place->region, offset, access);
    if (!check->checks_.races) return;
    const auto tell = [&](std::uint64_t word, std::uint32_t thread, bool write, bool atomic) {
        Remembered before;
        before.block_number = order.block_of(cell::segment_of(word));
        before.thread_number = thread;
        before.code = sites[cell::site_of(word)].code;
        before.write = write;
        before.atomic = atomic;
        sink.race(site.place->region, offset, access, before);
    };
    const std::uint64_t write = cell.write, read = cell.read;
    const bool both_atomic = access.atomic && (write & cell::atomic);
    if (is_suspicious(write) && (write >> cell::written_shift & mask) && !both_atomic &&
        !order.is_before(cell::segment_of(write), cell::thread_of(write), current))
        return tell(write, cell::thread_of(write), true, write & cell::atomic);
    if (!access.write || !(read & mask) || read < launch_word) return;
    if ((read >= interval_word || read < block_word) && !order.is_before(cell::segment_of(read), cell::thread_of(read), current))
        return tell(read, cell::thread_of(read), false, false);
    if (read >= interval_word && (read & cell::second) && !order.may_be_before(cell::second_thread_of(read), current))
        return tell(read, cell::second_thread_of(read), false, false);
    if (read & cell::earlier) {
        const std::uint64_t before = site.earlier[offset / 4];
        if ((before & mask) && !order.is_before(cell::segment_of(before), cell::thread_of(before), current))
            tell(before, cell::thread_of(before), false, false);
    }
}

template <bool write, bool atomic>
LANES_HOT inline void Hot::touch(Site& site, std::uint32_t number, std::size_t offset, std::uint64_t mask, std::size_t bytes) {
    Cell& cell = site.cells[offset / 4];
    const std::uint64_t written = cell.write, read = cell.read;
    bool look = is_suspicious(written);
    if (!write || atomic) look |= (written & mask) != 0;
    if (write)
        look |= read >= launch_word &&
                (read < block_word || (read & cell::earlier) || (read >= interval_word && (cell::thread_of(read) != me || (read & cell::second))));
    if (LANES_UNLIKELY(look)) examine(site, offset, mask, {site.code, bytes, write, atomic});
    if (!write) {
        // Read by nobody since the last barrier but this thread: nothing to remember.
        if (LANES_LIKELY(read >> cell::thread_shift == my_word >> cell::thread_shift && (read | mask) == read)) return;
        if (LANES_LIKELY(read < launch_word)) {
            cell.read = my_word | std::uint64_t(number) << cell::site_shift | mask;
            return;
        }
        return remember_read(cell, &site.earlier[offset / 4], number, mask);
    }
    std::uint64_t mine = my_word | std::uint64_t(number) << cell::site_shift | mask << cell::written_shift;
    if (atomic) {
        // A plain write of this thread since the last barrier stays: to others it is what they race with.
        if (written >= interval_word && cell::thread_of(written) == me && !(written & cell::atomic)) return;
        mine |= cell::atomic;
    }
    cell.write = mine | (written & cell::uninitialised & ~mask);
}

// The common cases of four bytes, with nothing in them that would need the stack: memory that nobody has touched in this launch, or before the last barrier;
// what this thread has touched before; what many threads read.
template <unsigned bytes, bool write>
LANES_HOT void Hot::plain(const void* address, const void* code) {
    const Hot& h = hot;
    const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(code) - h.code_first;
    if constexpr (bytes == 4) {
        if (LANES_LIKELY(at < h.code_bytes && !h.counted)) {
            const std::uint64_t number = h.site_of[at];
            Site& site = hot.sites[number];
            const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
            if (LANES_LIKELY(offset < site.bytes && offset % 4 == 0 && site.bytes - offset >= 4)) {
                if (LANES_UNLIKELY(!site.cells)) return;
                Cell& cell = site.cells[offset / 4];
                const std::uint64_t written = cell.write, read = cell.read;
                if (!write && LANES_LIKELY(!(written & cell::uninitialised) && !h.is_suspicious(written))) {
                    ++site.accesses;
                    if (read < h.launch_word) {
                        cell.read = h.my_word | number << cell::site_shift | 15;
                        return;
                    }
                    if (read >> cell::thread_shift == h.my_word >> cell::thread_shift && (read & 15) == 15) return;
                    const std::uint64_t reader = cell::thread_of(read) / 32, second = cell::second_thread_of(read) / 32;
                    if (read >= h.interval_word && (read & cell::second) && (read & 15) == 15 && (reader != second || reader == h.me / 32)) return;
                    return hot.remember_read(cell, &site.earlier[offset / 4], static_cast<std::uint32_t>(number), 15);
                }
                const bool unread = read < h.launch_word || (read >= h.block_word && read < h.interval_word && !(read & cell::earlier)) ||
                                    (read >= h.interval_word && cell::thread_of(read) == h.me && !(read & (cell::second | cell::earlier)));
                if (write && LANES_LIKELY(unread && !h.is_suspicious(written))) {
                    ++site.accesses;
                    cell.write = h.my_word | number << cell::site_shift | 15 << cell::written_shift;
                    return;
                }
            }
        }
    }
    general<bytes, write>(address, code);
}

template <unsigned bytes, bool write>
LANES_HOT __attribute__((noinline)) void Hot::general(const void* address, const void* code) {
    Hot& h = hot;
    const std::uint32_t number = h.site(code);
    Site& site = h.sites[number];
    std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
    if (LANES_UNLIKELY(offset >= site.bytes || site.bytes - offset < bytes)) {
        if (!h.resolve(site, address, {code, bytes, write, false})) return;
        offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
    }
    if (LANES_UNLIKELY(!site.cells)) return;
    if (LANES_UNLIKELY(reinterpret_cast<std::uintptr_t>(address) % bytes)) {
        h.check->sink_.misaligned(site.place->region, offset, {code, bytes, write, false});
        h.check->sink_.abandon();
    }
    ++site.accesses;
    if (h.counted && site.traffic != Traffic::none)
        h.check->requests_.access(number, site.traffic, site.place, offset, bytes, site.place->region.element_bytes);
    if constexpr (bytes < 4) {
        h.touch<write, false>(site, number, offset, ((1u << bytes) - 1) << offset % 4, bytes);
    } else {
        for (unsigned i = 0; i < bytes; i += 4) h.touch<write, false>(site, number, offset + i, 15, bytes);
    }
}

template <bool write>
LANES_HOT void Hot::many(const void* address, std::size_t bytes, const void* code, bool check_initialised) {
    if (bytes == 0) return;
    const std::uint32_t number = site(code);
    Site& site = sites[number];
    const auto inside = [&](std::size_t at) { return at < site.bytes && site.bytes - at >= bytes; };
    if (!inside(reinterpret_cast<std::uintptr_t>(address) - site.first) && !resolve(site, address, {code, bytes, write, false})) return;
    if (!site.cells) return;
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
    ++site.accesses;
    if (counted && site.traffic != Traffic::none)
        check->requests_.access(number, site.traffic, site.place, offset, static_cast<unsigned>(std::min<std::size_t>(bytes, 16)),
                                site.place->region.element_bytes);
    for (std::size_t at = offset; at < offset + bytes;) {
        const std::size_t in_cell = at % 4, length = std::min(4 - in_cell, offset + bytes - at);
        const std::uint64_t mask = ((1u << length) - 1) << in_cell;
        Cell& cell = site.cells[at / 4];
        const std::uint64_t uninitialised = cell.write & cell::uninitialised;
        if (!check_initialised) cell.write &= ~cell::uninitialised;
        touch<write, false>(site, number, at, mask, bytes);
        if (!check_initialised) cell.write |= uninitialised;
        at += length;
    }
}

LANES_HOT void Hot::range(const void* address, unsigned long bytes, int write, const void* code) {
    write ? hot.many<true>(address, bytes, code, true) : hot.many<false>(address, bytes, code, true);
}

// A copy of a struct may copy holes between its members: what is not initialised stays so, and nobody is told.
LANES_HOT void Hot::copy(const void* to, const void* from, unsigned long bytes, const void* code) {
    hot.many<false>(from, bytes, static_cast<const char*>(code) - 1, false);
    const Place* source = hot.check->place_of(from, bytes);
    hot.many<true>(to, bytes, code, true);
    const Place* target = hot.check->place_of(to, bytes);
    if (!source || !target) return;
    const std::size_t from_offset = static_cast<const unsigned char*>(from) - source->region.first;
    const std::size_t to_offset = static_cast<const unsigned char*>(to) - target->region.first;
    for (unsigned long i = 0; i < bytes; ++i)
        if (source->shadow->cells()[(from_offset + i) / 4].write >> (from_offset + i) % 4 & 1) target->shadow->mark(to_offset + i, 1, false);
}

LANES_HOT void Hot::atomic(const void* address, unsigned long bytes, const void* code) {
    Hot& h = hot;
    const std::uint32_t number = h.site(code);
    Site& site = h.sites[number];
    std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
    if (offset >= site.bytes || site.bytes - offset < bytes) {
        if (!h.resolve(site, address, {code, bytes, true, true})) return;
        offset = reinterpret_cast<std::uintptr_t>(address) - site.first;
    }
    if (!site.cells) return;
    ++site.accesses;
    if (h.counted) h.check->requests_.access(number, Traffic::atomic, site.place, offset, static_cast<unsigned>(bytes), bytes);
    for (unsigned i = 0; i < bytes; i += 4) {
        const std::size_t at = offset + i;
        h.touch<true, true>(site, number, at, (bytes < 4 ? (1u << bytes) - 1 : 15u) << at % 4, bytes);
    }
    order.atomic(static_cast<std::uint32_t>(h.me));
}

LANES_HOT void Hot::part(const void* code) {
    if (hot.counted) hot.check->requests_.arrives(hot.site(code));
}

AccessCheck::AccessCheck(AccessSink& sink, const Checks& checks) : sink_(sink), checks_(checks) {
    hot = Hot();
    hot.check = this;
}

AccessCheck::~AccessCheck() { hot = Hot(); }

void* AccessCheck::hooks() {
    static const lanes_hook_table table = {{Hot::plain<1, false>, Hot::plain<2, false>, Hot::plain<4, false>, Hot::plain<8, false>, Hot::plain<16, false>},
                                           {Hot::plain<1, true>, Hot::plain<2, true>, Hot::plain<4, true>, Hot::plain<8, true>, Hot::plain<16, true>},
                                           Hot::range,
                                           Hot::copy,
                                           Hot::atomic,
                                           Hot::part};
    return const_cast<lanes_hook_table*>(&table);
}

void AccessCheck::see_current() {
    hot.launch_word = cell::word(order.launch_first());
    hot.block_word = cell::word(order.block_first());
    hot.interval_word = cell::word(order.interval_first());
    thread_runs(thread_);
}

void AccessCheck::launch_begins(const std::vector<Region>& regions) {
    if (order.is_nearly_used_up()) {
        forget_all_segments();
        order.start_over();
    }
    order.launch_begins();
    launch_places_.clear();
    for (const Region& region : regions) {
        Allocation allocation = region.kind == Region::Kind::global ? allocation_at(region.first) : Allocation();
        const bool whole = allocation.first == region.first && allocation.bytes >= region.bytes;
        launch_places_.push_back(std::make_shared<Place>(Place{region, whole ? allocation.shadow : std::make_shared<Shadow>(region.bytes)}));
    }
    shared_.clear();
    hot.code_bytes = 0;  // instructions are numbered anew
    hot.sites.assign(1, {});
    sort_places();
}

void AccessCheck::sort_places() {
    places_ = launch_places_;
    places_.insert(places_.end(), shared_.begin(), shared_.end());
    std::sort(places_.begin(), places_.end(), [](const auto& a, const auto& b) {
        return std::pair(a->region.first, a->region.bytes) < std::pair(b->region.first, b->region.bytes);  // an empty one does not hide what begins with it
    });
    for (Hot::Site& site : hot.sites) {
        exact_[static_cast<int>(site.traffic)] += site.accesses;
        site.accesses = site.bytes = 0;
        site.place = nullptr;
    }
}

void AccessCheck::block_begins(std::uint32_t block_number, std::uint32_t threads, const std::vector<Region>& shared, bool counted) {
    block_number_ = block_number;
    order.block_begins(block_number, threads);
    const auto same = [](const auto& place, const Region& region) { return place->region.first == region.first && place->region.bytes == region.bytes; };
    if (!std::equal(shared_.begin(), shared_.end(), shared.begin(), shared.end(), same)) {
        shared_.clear();
        for (const Region& region : shared) shared_.push_back(std::make_shared<Place>(Place{region, std::make_shared<Shadow>(region.bytes)}));
        sort_places();
    }
    for (const auto& place : shared_) place->shadow->clear(false);
    hot.counted = counted && checks_.counters;
    requests_.block_begins(threads, hot.counted);
    thread_ = 0;
    see_current();
}

const AccessCheck::Place* AccessCheck::place_of(const void* address, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(address);
    const auto holds = [&](const Place& place) {
        const auto offset = static_cast<std::size_t>(at - place.region.first);
        return offset < place.region.bytes && place.region.bytes - offset >= bytes;
    };
    const auto after = std::upper_bound(places_.begin(), places_.end(), at, [](const unsigned char* a, const auto& place) { return a < place->region.first; });
    if (after != places_.begin() && holds(**std::prev(after))) return std::prev(after)->get();
    // A buffer that is no argument of this launch: its address was kept in a struct or a variable.
    const Allocation other = allocation_at(address);
    if (!other.first || std::any_of(places_.begin(), places_.end(), [&](const auto& place) { return place->region.first == other.first; })) return nullptr;
    Region region;
    region.first = other.first;
    region.bytes = other.bytes;
    const auto added = std::make_shared<Place>(Place{region, other.shadow});
    launch_places_.push_back(added);
    places_.insert(after, added);
    return holds(*added) ? added.get() : nullptr;
}

void AccessCheck::thread_runs(std::uint32_t thread) {
    thread_ = thread;
    if (hot.counted) requests_.thread_runs(thread);
    const Segment segment = order.segment_of(thread);
    hot.me = thread;
    hot.my_word = cell::word(segment, thread);
    hot.warp_operations = segment != order.interval_first();
}

void AccessCheck::thread_returned(std::uint32_t thread) { requests_.thread_returned(thread); }

void AccessCheck::barrier_passed() {
    order.barrier_passed();
    requests_.segment_ends();
    see_current();
}

void AccessCheck::warp_passed(std::uint32_t warp, std::uint32_t mask) {
    order.warp_passed(warp, mask);
    see_current();
}

void AccessCheck::fence(std::uint32_t thread, bool whole_device) {
    order.fence(thread, whole_device);
    see_current();
}

void AccessCheck::block_ends() { requests_.segment_ends(); }

void AccessCheck::launch_ends() {
    for (Hot::Site& site : hot.sites) {
        exact_[static_cast<int>(site.traffic)] += site.accesses;
        site.accesses = 0;
    }
}

Counters AccessCheck::counters() const {
    Counters counters = requests_.counted();
    const auto exact = [&](Traffic kind) { return exact_[static_cast<int>(kind)]; };
    // Blocks that were not looked at closely are taken to be like those that were.
    const auto scale = [&](std::uint64_t& counter, Traffic kind) {
        const std::uint64_t seen = requests_.accesses(kind);
        if (seen && seen != exact(kind)) counter = static_cast<std::uint64_t>(double(counter) * double(exact(kind)) / double(seen) + 0.5);
    };
    scale(counters.global_load_requests, Traffic::global_load);
    scale(counters.global_load_sectors, Traffic::global_load);
    scale(counters.global_store_requests, Traffic::global_store);
    scale(counters.global_store_sectors, Traffic::global_store);
    scale(counters.shared_load_requests, Traffic::shared_load);
    scale(counters.shared_store_requests, Traffic::shared_store);
    scale(counters.shared_bank_conflicts, Traffic::shared_load);
    scale(counters.atomic_requests, Traffic::atomic);
    counters.divergent_branches = requests_.divergent_branches();
    // Parts of a vector are one access of the thread.
    const auto whole = [&](Traffic kind) {
        const std::uint64_t seen = requests_.accesses(kind), joined = requests_.joined(kind);
        return joined ? static_cast<std::uint64_t>(double(exact(kind)) * double(seen - joined) / double(seen) + 0.5) : exact(kind);
    };
    counters.global_loads = whole(Traffic::global_load);
    counters.global_stores = whole(Traffic::global_store);
    return counters;
}

AccessCheck::Written AccessCheck::written(const Region& region) const {
    Written result;
    for (const auto& place : launch_places_) {
        if (place->region.first != region.first) continue;
        const Cell* cells = place->shadow->cells();
        const std::size_t count = region.bytes / 4;
        std::size_t prefix = 0;
        while (prefix < count && cells[prefix].write >= hot.launch_word) ++prefix;
        result.prefix_bytes = result.bytes = 4 * prefix;
        result.in_place = prefix > 0 && cells[0].read >= hot.launch_word;
        result.rest_unread = true;
        for (std::size_t i = prefix; i < count; ++i) {
            if (cells[i].write >= hot.launch_word) {
                result.bytes += 4;
                continue;
            }
            if (cells[i].write & cell::uninitialised) result.rest_uninitialised = true;
            if (cells[i].read >= hot.launch_word) result.rest_unread = false;
        }
    }
    return result;
}

}  // namespace lanes::gpu::simulator
