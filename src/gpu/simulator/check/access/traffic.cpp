#include "traffic.hpp"

#include <algorithm>

namespace lanes::gpu::simulator {

void RequestCounter::block_begins(std::uint32_t threads, bool looked_at) {
    on_ = looked_at;
    if (!on_) return;
    threads_ = threads;
    times_of_thread_.assign(threads * sites_, 0);
    groups_.resize((threads + 31) / 32 * sites_);
    spare_.resize(sites_);
    last_.assign(threads, {0, 0});
    returned_.assign((threads + 31) / 32, 0);
    thread_runs(0);
}

void RequestCounter::needs_site(std::uint32_t site) {
    if (site < sites_) return;
    if (!on_) {  // no data to move yet
        sites_ = (std::size_t{site} + 16) / 16 * 16;
        groups_.clear();
        return;
    }
    const std::size_t before = sites_, warps = groups_.size() / sites_;
    sites_ = (std::size_t{site} + 16) / 16 * 16;
    std::vector<std::uint32_t> times(threads_ * sites_);
    for (std::size_t thread = 0; thread < threads_; ++thread)
        std::copy_n(&times_of_thread_[thread * before], before, &times[thread * sites_]);
    std::vector<std::vector<Group>> groups(warps * sites_);
    for (std::size_t warp = 0; warp < warps; ++warp)
        for (std::size_t old = 0; old < before; ++old)
            groups[warp * sites_ + old] = std::move(groups_[warp * before + old]);
    times_of_thread_ = std::move(times);
    groups_ = std::move(groups);
    spare_.resize(sites_);
    thread_runs(thread_);
}

RequestCounter::Group& RequestCounter::last_part() {
    const At at = last_[thread_];
    return group_at(at.site, at.time, Traffic::none, 1);
}

void RequestCounter::thread_returned(std::uint32_t thread) {
    if (!on_) return;
    thread_runs(thread);
    Group& from = last_part();
    constexpr std::uint32_t end = ~0u;
    if (from.next == 0) from.next = end;
    if (from.next != end && !from.diverged) {
        from.diverged = true;
        ++divergent_branches_;
    }
    const std::uint32_t warp = thread / 32;
    if (++returned_[warp] < std::min(32u, threads_ - 32 * warp)) return;
    for (std::size_t site = 0; site < sites_; ++site) {
        auto& groups = groups_[warp * sites_ + site];
        finish(groups, site);
        groups.clear();
        // The next warp reuses memory that is still in the cache.
        if (groups.capacity() > spare_[site].capacity()) spare_[site].swap(groups);
    }
}

void RequestCounter::grow(std::vector<Group>& groups, std::uint32_t index, Traffic kind,
                          unsigned parts) {
    if (groups.capacity() == 0)
        groups.swap(spare_[static_cast<std::size_t>(&groups - groups_.data()) % sites_]);
    groups.resize((std::size_t{index} / parts + 1) * parts);
    for (auto group = groups.rbegin();
         group != groups.rend() && group->lanes == 0 && group->kind == Traffic::none; ++group) {
        group->kind = kind;
        group->parts = static_cast<std::uint8_t>(parts);
    }
}

void RequestCounter::add_run(Group& group, std::uint32_t first, std::uint32_t last) {
    if (!group.more) {
        for (int i = 0; i < group.count; ++i)
            if (first >= group.run[i].first && last <= group.run[i].last) {
                // The next lane is likely to hit the same run: look at it first.
                std::swap(group.run[i], group.run[group.count - 1]);
                return;
            }
        if (group.count < runs) {
            group.run[group.count++] = {first, last};
            return;
        }
        if (more_used_ == more_.size()) more_.emplace_back();
        more_[more_used_].clear();
        group.more = static_cast<std::uint32_t>(++more_used_);
    }
    auto& more = more_[group.more - 1];
    if (!more.empty() && first >= more.back().first && first <= more.back().last + 1)
        more.back().last = std::max(more.back().last, last);
    else
        more.push_back({first, last});
}

// The different sectors or words of a group, in order.
std::uint32_t RequestCounter::units(const Group& group, std::vector<std::uint32_t>& into) const {
    into.clear();
    const auto put = [&](const Run& run) {
        for (std::uint32_t unit = run.first; unit <= run.last; ++unit) into.push_back(unit);
    };
    std::for_each(group.run, group.run + group.count, put);
    if (group.more) std::for_each(more_[group.more - 1].begin(), more_[group.more - 1].end(), put);
    std::sort(into.begin(), into.end());
    into.erase(std::unique(into.begin(), into.end()), into.end());
    return static_cast<std::uint32_t>(into.size());
}

void RequestCounter::finish(const std::vector<Group>& groups, std::size_t site) {
    if (groups.empty()) return;
    thread_local std::vector<std::uint32_t> scratch;
    if (by_site_.size() < sites_) by_site_.resize(sites_);
    auto& tallies = by_site_[site];
    for (std::size_t first = 0; first < groups.size(); first += groups[first].parts) {
        bool any = false;
        for (std::size_t i = first; i < first + groups[first].parts && i < groups.size(); ++i) {
            const Group& group = groups[i];
            if (!group.lanes || group.kind == Traffic::none) continue;
            Tallies& both = tallies[static_cast<std::size_t>(group.kind)];
            const auto lanes = static_cast<unsigned>(__builtin_popcount(group.lanes));
            if (group.found_by_itself) {
                both.loaded.in_register += lanes;
                continue;
            }
            Tally& tally = group.found ? both.found : both.loaded;
            if (!any) ++tally.requests;
            any = true;
            tally.accesses += lanes;
            const bool simple = group.count == 1 && !group.more;
            if (group.kind == Traffic::global_load || group.kind == Traffic::global_store) {
                const std::uint32_t sectors =
                    simple ? group.run[0].last - group.run[0].first + 1 : units(group, scratch);
                tally.sectors += sectors;
                // Fewer than this if several lanes access the same bytes.
                tally.ideal_sectors += std::min(sectors, (lanes * group.bytes + 31) / 32);
            } else if (group.kind != Traffic::atomic) {
                if (simple) continue;  // consecutive words
                const std::uint32_t words = units(group, scratch);
                // Different words of one bank are fetched one after another.
                std::uint32_t in_bank[32] = {}, most = 0;
                for (std::uint32_t word : scratch) most = std::max(most, ++in_bank[word % 32]);
                tally.conflicts += most - (words + 31) / 32;
            }
        }
    }
}

namespace {

void accumulate(RequestCounter::Tally& sum, const RequestCounter::Tally& more) {
    sum.accesses += more.accesses;
    sum.in_register += more.in_register;
    sum.requests += more.requests;
    sum.sectors += more.sectors;
    sum.ideal_sectors += more.ideal_sectors;
    sum.conflicts += more.conflicts;
}

}  // namespace

RequestCounter::Tally RequestCounter::of(std::size_t site, Traffic kind) const {
    const Tallies& both = by_site_[site][static_cast<std::size_t>(kind)];
    Tally tally = both.loaded;
    // An instruction that reads what another one has read is left out if it always does. Otherwise
    // the two expressions only happened to mean the same element, which no compiler can know.
    if (both.loaded.requests)
        accumulate(tally, both.found);
    else
        tally.in_register += both.found.accesses;
    return tally;
}

RequestCounter::Tally RequestCounter::total(Traffic kind) const {
    Tally total;
    for (std::size_t site = 0; site < by_site_.size(); ++site) accumulate(total, of(site, kind));
    return total;
}

void RequestCounter::segment_ends() {
    if (!on_) return;
    for (std::size_t at = 0; at < groups_.size(); ++at) {
        if (groups_[at].empty()) continue;
        finish(groups_[at], at % sites_);
        groups_[at].clear();
    }
    more_used_ = 0;
    forget_registers();
    std::fill(times_of_thread_.begin(), times_of_thread_.end(), 0);
    std::fill(last_.begin(), last_.end(), At{0, 0});
}

}  // namespace lanes::gpu::simulator
