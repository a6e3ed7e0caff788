#include "access_recorder.hpp"

#include "lanes/gpu/report.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace lanes::gpu::simulator {

namespace {

std::ptrdiff_t floor_div(std::ptrdiff_t a, std::ptrdiff_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

}  // namespace

void AccessRecorder::start(const std::vector<Region>& regions) {
    *this = AccessRecorder();
    on_ = started_ = true;
    for (const Region& region : regions) array_of(region);
}

std::uint32_t AccessRecorder::array_of(const Region& region) {
    // Two arguments may be the same buffer: the first name stands for both.
    const auto known = std::find(firsts_.begin(), firsts_.end(), region.first);
    if (known != firsts_.end()) return static_cast<std::uint32_t>(known - firsts_.begin());
    const std::size_t element = std::max<std::size_t>(region.element_bytes, 1);
    firsts_.push_back(region.first);
    arrays_.push_back(
        {region.name, region.kind == Region::Kind::shared, region.bytes / element, element});
    return static_cast<std::uint32_t>(arrays_.size() - 1);
}

void AccessRecorder::block_begins(std::uint32_t block, const std::vector<Region>& shared) {
    if (!on_) return;
    block_ = block;
    step_ = 0;
    for (const Region& region : shared) array_of(region);
}

void AccessRecorder::barrier_passed(const void* code) {
    if (!on_) return;
    if (step_ == barriers_.size()) barriers_.push_back(code);
    ++step_;
}

void AccessRecorder::add(const Region& region, std::ptrdiff_t offset, std::size_t bytes,
                         AccessKind kind, std::uint32_t thread, const void* code) {
    if (accesses_.size() >= LaunchReport::recorded_accesses) full_ = true;
    if (!on_ || full_) return;
    MemoryAccess access;
    access.block = block_;
    access.thread = thread;
    access.step = step_;
    access.kind = kind;
    access.array = array_of(region);
    const AccessedArray& array = arrays_[access.array];
    const auto element = static_cast<std::ptrdiff_t>(array.element_bytes);
    access.first = floor_div(offset, element);
    access.count = static_cast<std::size_t>(
        floor_div(offset + static_cast<std::ptrdiff_t>(bytes) - 1, element) - access.first + 1);
    access.outside = offset < 0 || offset + bytes > region.bytes;
    accesses_.emplace_back(code, access);
}

void AccessRecorder::race(const Region& region, std::size_t offset, std::uint32_t thread,
                          std::uint32_t other_block, std::uint32_t other_thread) {
    if (!on_ || races_.size() >= LaunchReport::recorded_accesses) return;
    const std::uint32_t array = array_of(region);
    const auto element = static_cast<std::ptrdiff_t>(offset / arrays_[array].element_bytes);
    const bool same_block = other_block == block_;
    races_.push_back({array, element, block_, thread, step_});
    races_.push_back({array, element, other_block, other_thread, same_block ? step_ : any_step});
}

void AccessRecorder::give(LaunchRecord& record) const {
    record.arrays = arrays_;
    record.accesses = accesses_;
    record.barriers = barriers_;
    record.has_all_accesses = started_ && !full_;
    using Key =
        std::tuple<std::uint32_t, std::ptrdiff_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    std::set<Key> racing;
    for (const Race& race : races_)
        racing.emplace(race.array, race.element, race.block, race.thread, race.step);
    if (racing.empty()) return;
    for (auto& [code, access] : record.accesses)
        for (std::size_t i = 0; i < access.count; ++i)
            for (const std::uint32_t step : {access.step, any_step})
                access.races =
                    access.races ||
                    racing.count({access.array, access.first + static_cast<std::ptrdiff_t>(i),
                                  access.block, access.thread, step}) > 0;
}

}  // namespace lanes::gpu::simulator
