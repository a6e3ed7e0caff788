// Sites: the numbers of the instructions that access memory, and the region that each of them
// accesses. access_hooks.cpp calls these functions if an instruction is new or its address lies in
// another region than before.
#include "access_hooks.hpp"

#include <algorithm>

namespace lanes::gpu::simulator {

namespace {

using Word = cell::Word;

Traffic traffic_of(const Region& region, const Access& access) {
    if (access.atomic) return Traffic::atomic;
    if (region.kind == Region::Kind::shared)
        return access.write ? Traffic::shared_store : Traffic::shared_load;
    if (region.kind == Region::Kind::constant) return Traffic::none;
    return access.write ? Traffic::global_store : Traffic::global_load;
}

}  // namespace

void AccessHooks::forget_sites() {
    code_bytes = 0;
    sites.assign(1, {});
    publish();
}

void AccessHooks::publish() {
    table.code_first = code_first;
    table.code_bytes = table.counted || !pending.empty() ? 0 : code_bytes;
    table.site_of = site_of.data();
    table.sites = sites.data();
}

LANES_NO_SANITIZER std::uint32_t AccessHooks::new_site(const void* code) {
    std::uintptr_t at = reinterpret_cast<std::uintptr_t>(code) - code_first;
    if (code_bytes == 0) {
        image = image_of(code);
        code_first = image.code_first;
        code_bytes = image.code_bytes;
        site_of.assign(code_bytes, 0);
        at = reinterpret_cast<std::uintptr_t>(code) - code_first;
    }
    if (sites.size() <= cell::sites) sites.emplace_back().code = code;
    // If there are too many sites, the last one stands for all the rest.
    const auto number = static_cast<std::uint32_t>(sites.size() - 1);
    sites[number].write = Word(number) << cell::site_shift | Word(15) << cell::written_shift;
    if (at < code_bytes) site_of[at] = static_cast<std::uint16_t>(number);
    publish();
    check->requests_.needs_site(number);
    return number;
}

// Returns true if the access lies in a region and must be checked; the region becomes the site's.
// Stops the thread if the access must not happen.
LANES_NO_SANITIZER bool AccessHooks::resolve(Site& site, const void* address,
                                             const Access& access) {
    const auto near_frame = reinterpret_cast<std::uintptr_t>(address) -
                            reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (near_frame < 8192) return false;
    if (Place* place = check->place_of(address, access.bytes)) {
        if (access.write && place->region.kind == Region::Kind::constant) {
            check->sink_.constant(place->region, access);
            check->sink_.abandon();
        }
        if (place->clean && access.write) check->sink_.start_over(place->region);
        check->take_counts(site);
        site.first = reinterpret_cast<std::uintptr_t>(place->region.first);
        site.bytes = place->region.bytes;
        site.clean = place->clean ? site.bytes / 4 : 0;
        site.writes = place->clean ? nullptr : place->shadow->writes();
        site.reads = place->clean ? nullptr : place->shadow->reads();
        site.earlier = place->clean ? nullptr : place->shadow->earlier();
        site.place = place;
        site.traffic = static_cast<int>(traffic_of(place->region, access));
        place->is_written = place->is_written || access.write;
        if (access.atomic && place->region.is_float) check->float_atomics_ = true;
        if (!access.write && !place->is_read) {
            place->is_read = true;
            for (Site& other : sites)
                if (other.place == place) other.fresh = 0;
        }
        const bool once = place->region.kind != Region::Kind::shared && access.write &&
                          !access.atomic && !place->is_read;
        site.fresh = once ? site.bytes / 4 : 0;
        return true;
    }
    if (check->sink_.is_own_stack(address)) return false;
    if (const auto own = image.own_variable(address); own.second) {
        site.first = own.first;
        site.bytes = own.second;
        check->take_counts(site);
        site.clean = site.fresh = 0;
        site.writes = nullptr;
        site.place = nullptr;
        return false;
    }
    // Constants that the compiler placed there.
    if (!access.write && image.is_read_only(address)) return false;
    const Region* near = site.place ? &place_of(site)->region : nullptr;
    if (!near) {
        std::uintptr_t best = ~std::uintptr_t(0);
        for (const auto& place : check->places_) {
            const auto at = reinterpret_cast<std::uintptr_t>(address),
                       first = reinterpret_cast<std::uintptr_t>(place->region.first);
            const std::uintptr_t distance =
                at < first ? first - at
                           : at - first - std::min<std::uintptr_t>(at - first, place->region.bytes);
            if (distance < best) best = distance, near = &place->region;
        }
    }
    check->sink_.outside(address, near, site.place != nullptr, access);
    if (check->checks_.bounds || !image.is_inside(address)) check->sink_.abandon();
    return false;
}

}  // namespace lanes::gpu::simulator
