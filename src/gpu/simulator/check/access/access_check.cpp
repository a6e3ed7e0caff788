#include "access_check.hpp"

#include "access_hooks.hpp"

#include <algorithm>
#include <cmath>

namespace lanes::gpu::simulator {

AccessCheck::AccessCheck(AccessSink& sink, const Checks& checks,
                         std::set<const unsigned char*> watched)
    : sink_(sink), checks_(checks), watched_(std::move(watched)) {
    access_hooks = AccessHooks();
    access_hooks.check = this;
}

AccessCheck::~AccessCheck() { access_hooks = AccessHooks(); }

void AccessCheck::uses_compare_and_swap(bool uses) { access_hooks.remembers_reads = uses; }

void* AccessCheck::hooks() { return &access_hooks.table; }

std::uint32_t AccessCheck::thread() { return access_hooks.table.thread; }

void AccessCheck::stop() { access_hooks.table.stop = 1; }

void AccessCheck::see_current() {
    access_hooks.table.launch_word = cell::word(order.launch_first());
    access_hooks.table.first_word = cell::word(order.block_first());
    access_hooks.block_word = cell::word(order.block_first());
    access_hooks.interval_word = cell::word(order.interval_first());
    thread_runs(access_hooks.table.thread);
}

bool AccessCheck::is_clean(const Region& region, const std::vector<Region>& regions) const {
    if (!region.read_only || watched_.count(region.first)) return false;
    if (region.kind == Region::Kind::constant) return true;
    if (region.kind != Region::Kind::global || !is_initialised(region.first)) return false;
    return std::none_of(regions.begin(), regions.end(), [&](const Region& other) {
        return !other.read_only && other.first < region.first + region.bytes &&
               region.first < other.first + other.bytes;
    });
}

void AccessCheck::launch_begins(const std::vector<Region>& regions) {
    if (order.is_nearly_used_up()) {
        forget_all_segments();
        order.start_over();
    }
    order.launch_begins();
    launch_places_.clear();
    held_.clear();
    waiting_.clear();
    largest_added_ = 0;
    for (const Region& region : regions) {
        Place place{region, nullptr, is_clean(region, regions)};
        if (!place.clean) {
            const Allocation allocation =
                region.kind == Region::Kind::global ? allocation_at(region.first) : Allocation();
            const bool whole = allocation.first == region.first && allocation.bytes >= region.bytes;
            place.shadow = whole ? allocation.shadow : std::make_shared<Shadow>(region.bytes);
            // A part of a buffer, such as a slice of a tensor, has a shadow for this launch only:
            // what the launch may write counts as initialised afterwards.
            if (!whole && allocation.first != nullptr && !region.read_only)
                memory_written(region.first, region.bytes);
        }
        launch_places_.push_back(std::make_shared<Place>(std::move(place)));
    }
    shared_.clear();
    access_hooks.forget_sites();
    sort_places();
}

void AccessCheck::sort_places() {
    places_ = launch_places_;
    places_.insert(places_.end(), shared_.begin(), shared_.end());
    std::sort(places_.begin(), places_.end(), [](const auto& a, const auto& b) {
        // An empty region sorts first, so that it does not hide a region at the same address.
        return std::pair(a->region.first, a->region.bytes) <
               std::pair(b->region.first, b->region.bytes);
    });
    for (lanes_site& site : access_hooks.sites) {
        take_counts(site);
        site.bytes = site.clean = site.fresh = 0;
        site.place = nullptr;
    }
}

void AccessCheck::take_counts(lanes_site& site) {
    exact_[site.traffic] += site.accesses + site.first_writes;
    if (site.first_writes) static_cast<Place*>(site.place)->first_writes += site.first_writes;
    site.accesses = site.first_writes = 0;
}

// --- Reads that may turn out not to be races

void AccessCheck::defer_race(std::uint32_t reading_site, const lanes_site& site, std::size_t offset,
                             const Access& access, const Remembered& before) {
    const auto same = [&](const DeferredRace& held) {
        return held.access.code == access.code && held.before.code == before.code &&
               held.place == AccessHooks::place_of(site);
    };
    if (std::none_of(held_.begin(), held_.end(), same))
        held_.push_back({reading_site, AccessHooks::place_of(site), offset, access, before});
}

void AccessCheck::report_deferred_races() {
    for (const DeferredRace& held : held_)
        if (!access_hooks.sites[held.reading_site].is_old_value)
            sink_.race(held.place->region, held.offset, held.access, held.before);
    held_.clear();
}

void AccessCheck::block_begins(std::uint32_t block_number, std::uint32_t threads,
                               const std::vector<Region>& shared, bool counted) {
    block_number_ = block_number;
    order.block_begins(block_number, threads);
    const auto same = [](const auto& place, const Region& region) {
        return place->region.first == region.first && place->region.bytes == region.bytes;
    };
    if (!std::equal(shared_.begin(), shared_.end(), shared.begin(), shared.end(), same)) {
        shared_.clear();
        for (const Region& region : shared)
            shared_.push_back(
                std::make_shared<Place>(Place{region, std::make_shared<Shadow>(region.bytes)}));
        sort_places();
    }
    for (const auto& place : shared_) {
        place->shadow->clear(false);
        for (const float added : place->added) largest_added_ = std::max(largest_added_, added);
        place->added.clear();
    }
    access_hooks.table.counted = counted && checks_.counters;
    access_hooks.publish();
    requests_.block_begins(threads, access_hooks.table.counted);
    access_hooks.table.thread = 0;
    see_current();
}

AccessCheck::Place* AccessCheck::place_of(const void* address, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(address);
    const auto holds = [&](const Place& place) {
        const auto offset = static_cast<std::size_t>(at - place.region.first);
        return offset < place.region.bytes && place.region.bytes - offset >= bytes;
    };
    const auto after = std::upper_bound(
        places_.begin(), places_.end(), at,
        [](const unsigned char* a, const auto& place) { return a < place->region.first; });
    // Not only the nearest: it may be an argument that is a part of another one.
    for (auto place = after; place != places_.begin();)
        if (holds(**--place)) return place->get();
    // A buffer that is not an argument of this launch: its address was kept in a struct or
    // variable.
    const Allocation other = allocation_at(address);
    if (!other.first || std::any_of(places_.begin(), places_.end(), [&](const auto& place) {
            return place->region.first == other.first;
        }))
        return nullptr;
    Region region;
    region.first = other.first;
    region.bytes = other.bytes;
    const auto added = std::make_shared<Place>(Place{region, other.shadow});
    launch_places_.push_back(added);
    places_.insert(after, added);
    return holds(*added) ? added.get() : nullptr;
}

void AccessCheck::thread_runs(std::uint32_t thread) {
    access_hooks.settle_pending();
    if (access_hooks.table.counted) requests_.thread_runs(thread);
    const Segment segment = order.segment_of(thread);
    access_hooks.table.thread = thread;
    access_hooks.table.my_word = cell::word(segment, thread);
    access_hooks.warp_operations = segment != order.interval_first();
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

void AccessCheck::tile_passed(std::uint32_t first_thread, std::uint32_t count) {
    order.tile_passed(first_thread, count);
    see_current();
}

void AccessCheck::fence(std::uint32_t thread, bool whole_device) {
    order.fence(thread, whole_device);
    see_current();
}

void AccessCheck::block_ends() {
    access_hooks.settle_pending();
    requests_.segment_ends();
}

void AccessCheck::block_waits() {
    block_ends();
    std::vector<Values>& values = waiting_[block_number_];
    values.clear();
    for (const auto& place : shared_) values.push_back(place->shadow->values());
}

void AccessCheck::grid_passed() { order.grid_passed(); }

void AccessCheck::block_continues(std::uint32_t block_number, std::uint32_t threads,
                                  const std::vector<Region>& shared, bool counted) {
    block_begins(block_number, threads, shared, counted);
    const std::vector<Values>& values = waiting_[block_number];
    for (std::size_t i = 0; i < values.size(); ++i) shared_[i]->shadow->set(values[i]);
}

void AccessCheck::launch_ends() {
    access_hooks.settle_pending();
    report_deferred_races();
    for (lanes_site& site : access_hooks.sites) {
        take_counts(site);
    }
}

// Only some blocks were counted in detail; the others are assumed to be similar.
RequestCounter::Tally AccessCheck::scaled(RequestCounter::Tally tally, Traffic kind) const {
    const RequestCounter::Tally all = requests_.total(kind);
    const std::uint64_t seen = all.accesses + all.in_register,
                        exact = exact_[static_cast<int>(kind)];
    if (!seen || seen == exact) return tally;
    const double scale = double(exact) / double(seen);
    for (std::uint64_t* count :
         {&tally.accesses, &tally.requests, &tally.sectors, &tally.ideal_sectors, &tally.conflicts})
        *count = static_cast<std::uint64_t>(std::llround(double(*count) * scale));
    return tally;
}

std::vector<std::pair<const void*, LineTraffic>> AccessCheck::traffic() const {
    std::vector<std::pair<const void*, LineTraffic>> traffic;
    const std::size_t sites = std::min(requests_.sites(), access_hooks.sites.size());
    for (std::size_t site = 1; site < sites; ++site) {
        const auto of = [&](Traffic kind) { return scaled(requests_.of(site, kind), kind); };
        const RequestCounter::Tally loads = of(Traffic::global_load),
                                    stores = of(Traffic::global_store),
                                    shared_loads = of(Traffic::shared_load),
                                    shared_stores = of(Traffic::shared_store);
        LineTraffic line;
        line.loads = loads.accesses;
        line.stores = stores.accesses;
        line.requests = loads.requests + stores.requests;
        line.sectors = loads.sectors + stores.sectors;
        line.ideal_sectors = loads.ideal_sectors + stores.ideal_sectors;
        line.shared_requests = shared_loads.requests + shared_stores.requests;
        line.bank_conflicts = shared_loads.conflicts + shared_stores.conflicts;
        line.atomics = of(Traffic::atomic).requests;
        if (line.requests + line.shared_requests + line.atomics > 0)
            traffic.emplace_back(access_hooks.sites[site].code, line);
    }
    return traffic;
}

Counters AccessCheck::counters() const {
    const auto total = [&](Traffic kind) { return scaled(requests_.total(kind), kind); };
    const RequestCounter::Tally loads = total(Traffic::global_load),
                                stores = total(Traffic::global_store),
                                shared_loads = total(Traffic::shared_load),
                                shared_stores = total(Traffic::shared_store);
    Counters counters;
    counters.global_load_requests = loads.requests;
    counters.global_load_sectors = loads.sectors;
    counters.global_store_requests = stores.requests;
    counters.global_store_sectors = stores.sectors;
    counters.shared_load_requests = shared_loads.requests;
    counters.shared_store_requests = shared_stores.requests;
    counters.shared_bank_conflicts = shared_loads.conflicts + shared_stores.conflicts;
    counters.atomic_requests = total(Traffic::atomic).requests;
    counters.divergent_branches = requests_.divergent_branches();
    counters.global_loads = loads.accesses;
    counters.global_stores = stores.accesses;
    return counters;
}

AccessCheck::Written AccessCheck::written(const Region& region) const {
    Written result;
    for (const auto& place : launch_places_) {
        if (place->region.first != region.first) continue;
        if (place->clean) continue;
        const cell::Word *writes = place->shadow->writes(), *reads = place->shadow->reads(),
                         now = access_hooks.table.launch_word;
        const std::size_t count = region.bytes / 4;
        const auto is_old = [&](cell::Word word) { return word < now; };
        const auto prefix =
            place->first_writes >= count
                ? count
                : static_cast<std::size_t>(std::find_if(writes, writes + count, is_old) - writes);
        result.prefix_bytes = result.bytes = 4 * prefix;
        result.in_place = prefix > 0 && place->is_read && reads[0] >= now;
        result.rest_unread = true;
        for (std::size_t i = prefix; i < count; ++i) {
            if (writes[i] >= now) {
                result.bytes += 4;
                continue;
            }
            if (writes[i] & cell::uninitialised) result.rest_uninitialised = true;
            if (place->is_read && reads[i] >= now) result.rest_unread = false;
        }
    }
    return result;
}

double AccessCheck::added(const Region& region, std::size_t offset) const {
    float largest = largest_added_;
    for (const auto* places : {&launch_places_, &shared_})
        for (const auto& place : *places) {
            if (place->added.empty()) continue;
            if (place->region.first == region.first) return double(place->added[offset / 4]);
            largest =
                std::max(largest, *std::max_element(place->added.begin(), place->added.end()));
        }
    return double(largest);
}

std::vector<AccessCheck::AtomicSite> AccessCheck::atomic_sites() const {
    std::vector<AtomicSite> found;
    for (const lanes_site& site : access_hooks.sites)
        if (site.address) found.push_back({site.code, site.many_addresses != 0});
    return found;
}

bool AccessCheck::is_written(const Region& region) const {
    return std::any_of(launch_places_.begin(), launch_places_.end(), [&](const auto& place) {
        return place->region.first == region.first && place->is_written;
    });
}

bool AccessCheck::writes_anything() const {
    return std::any_of(launch_places_.begin(), launch_places_.end(),
                       [](const auto& place) { return place->is_written; });
}

bool AccessCheck::touches_anything() const {
    return std::any_of(launch_places_.begin(), launch_places_.end(),
                       [](const auto& place) { return place->is_written || place->is_read; });
}

std::optional<Remembered> AccessCheck::writer(const Region& region, std::size_t offset) const {
    for (const auto& place : launch_places_) {
        if (place->region.first != region.first || place->clean) continue;
        const cell::Word word = place->shadow->writes()[offset / 4];
        if (word >= access_hooks.table.launch_word && !(word & cell::uninitialised))
            return access_hooks.remembered(word, cell::thread_of(word), true);
    }
    return std::nullopt;
}

AccessCheck::Read AccessCheck::read(const Region& region) const {
    Read result;
    for (const auto& place : launch_places_) {
        if (place->region.first != region.first) continue;
        result.any = result.any || place->is_read;
        if (place->clean || region.bytes < 4) continue;
        result.watched = true;
        const std::size_t first = (region.bytes - region.element_bytes) / 4, end = region.bytes / 4;
        const cell::Word* reads = place->shadow->reads();
        result.last = result.last || std::any_of(reads + first, reads + end, [](cell::Word word) {
                          return word >= access_hooks.table.launch_word;
                      });
    }
    return result;
}

}  // namespace lanes::gpu::simulator
