#include "checker.hpp"
#include "findings.hpp"

#include "gpu/simulator/check/access/access_check.hpp"
#include "gpu/simulator/check/messages/advice.hpp"
#include "gpu/simulator/check/messages/finding_text.hpp"
#include "gpu/simulator/check/messages/race_advice.hpp"
#include "gpu/simulator/check/messages/raw_finding.hpp"
#include "gpu/simulator/check/results/nothing_written.hpp"
#include "gpu/simulator/check/results/schedule_compare.hpp"
#include "gpu/simulator/check/results/unset.hpp"
#include "gpu/simulator/check/results/untouched.hpp"

#include "gpu/simulator/memory/arena.hpp"
#include "gpu/simulator/object/loops.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

namespace lanes::gpu::simulator {
namespace {

// Blocks in which traffic is counted, spread evenly over the grid. Counting takes ten times as
// long, so the limit is lower for large blocks.
constexpr std::uint64_t fewest_blocks_counted = 12, most_blocks_counted = 48,
                        most_threads_counted = 16384;

std::mutex one_at_a_time;

class RealChecker : public Checker, private AccessSink {
public:
    explicit RealChecker(CheckerContext context)
        : lock_(one_at_a_time),
          context_(std::move(context)),
          check_(*this, context_.checks, context_.watched) {
        const auto uses = [&](std::initializer_list<const char*> types) {
            return std::any_of(types.begin(), types.end(), [&](const char* type) {
                return context_.program_text.find(type) != std::string::npos;
            });
        };
        AccessCheck::uses_compare_and_swap(uses({"atomicCAS", "#include"}));
    }

    void* hooks() override { return AccessCheck::hooks(); }

    void launch_begins(const LaunchConfig& config, const std::vector<Region>& regions) override {
        config_ = config;
        regions_ = regions;
        check_.launch_begins(regions);
        recorded_ = context_.checks.counters && !compare_.has_kept() &&
                    config.grid.count() * config.block.count() <= LaunchReport::recorded_threads;
        if (recorded_) check_.recorder.start(regions);
    }

    void block_begins(const ThreadPlace& first_thread, const std::vector<Region>& shared) override {
        const bool counted = is_counted(first_thread.block_number);
        if (!compare_.has_kept()) blocks_ += 1, blocks_counted_ += counted;
        if (shared_.empty()) shared_ = shared;
        check_.recorder.block_begins(first_thread.block_number, shared);
        check_.block_begins(first_thread.block_number,
                            static_cast<std::uint32_t>(config_.block.count()), shared, counted);
    }

    void thread_runs(const ThreadPlace& thread) override {
        check_.thread_runs(thread.thread_number);
    }
    void thread_returned(const ThreadPlace& thread) override {
        check_.thread_returned(thread.thread_number);
    }

    void barrier_passed(const void* code) override {
        check_.recorder.barrier_passed(code);
        if (!compare_.has_kept()) ++barriers_;
        check_.barrier_passed();
    }
    void warp_passed(std::uint32_t warp, std::uint32_t mask, const void*) override {
        check_.warp_passed(warp, mask);
    }
    void tile_passed(std::uint32_t first_thread, std::uint32_t count) override {
        check_.tile_passed(first_thread, count);
    }
    void fence(const ThreadPlace& thread, bool whole_device) override {
        check_.fence(thread.thread_number, whole_device);
    }

    void wrong_mask(const ThreadPlace& thread, const char* what, std::uint32_t mask,
                    std::uint32_t present, int lane_asked, const void* code) override {
        RawFinding finding;
        finding.kind = FindingKind::warp_mask;
        finding.first.place = thread;
        finding.first.code = code;
        finding.what = what;
        finding.mask = mask;
        finding.present = present;
        finding.lane_asked = lane_asked;
        const std::size_t before = std::size_t{thread.thread_number} / 32 * 32,
                          threads = config_.block.count() - before;
        if (threads < 32) finding.lanes = (1U << threads) - 1;
        // Whether the value of a lane that does not exist is used shows when the next schedules
        // give it other values.
        const bool may_be_unused = lane_asked >= 0 && (mask >> lane_asked & 1) &&
                                   !(finding.lanes >> lane_asked & 1) &&
                                   context_.checks.schedules > 1;
        if (!may_be_unused)
            findings_.add(std::move(finding));
        else if (absent_.empty() || absent_.back().first.code != code)
            absent_.push_back(std::move(finding));
    }
    std::uint64_t absent_value(std::uint64_t own) override {
        // As a float, or as an integer: very large, and very small.
        constexpr std::uint64_t large = 0x7f7f7f7f7f7f7f7f, small = 0xfefefefefefefefe;
        return schedules_ended_ == 0 ? own : schedules_ended_ % 2 == 1 ? large : small;
    }

    void stuck(const std::vector<ThreadState>& threads) override {
        if (!threads.empty()) findings_.add(barrier_divergence(threads));
    }

    void no_progress(const ThreadState& thread, double seconds) override {
        RawFinding finding;
        finding.kind = FindingKind::no_progress;
        finding.first.place = thread.place;
        finding.first.code = thread.code;
        finding.what = thread.what;
        finding.seconds = seconds;
        findings_.add(std::move(finding));
    }

    void failed(FindingKind kind, const ThreadPlace& thread, const std::string& what,
                const void* code) override {
        RawFinding finding;
        finding.kind = kind;
        finding.first.place = thread;
        finding.first.code = code;
        finding.what = what;
        findings_.add(std::move(finding));
    }

    void block_ends() override { check_.block_ends(); }

    void block_waits() override {
        check_.recorder.block_waits();
        check_.block_waits();
    }
    void grid_passed() override { check_.grid_passed(); }
    void block_continues(const ThreadPlace& first_thread,
                         const std::vector<Region>& shared) override {
        check_.recorder.block_continues(first_thread.block_number);
        check_.block_continues(first_thread.block_number,
                               static_cast<std::uint32_t>(config_.block.count()), shared,
                               is_counted(first_thread.block_number));
    }

    void launch_ends(bool whole) override {
        check_.launch_ends();
        check_.recorder.stop();
        if (!compare_.has_kept()) {
            ran_to_end_ = whole && !wants_to_stop();
            counters_ = check_.counters();
            traffic_ = check_.traffic();
        }
        if (!compare_.has_kept() && findings_.empty() && !abandoned_ && whole) look_at_results();
    }

    void schedule_ended(const std::string& name, const std::vector<Region>& regions) override {
        if (!compare_.has_kept()) {
            compare_.keep(context_.checks.schedules > 1 ? regions : std::vector<Region>());
        } else if (auto difference = difference_to_first(regions)) {
            RawFinding finding;
            finding.of_sets = config_.free_order;
            finding.kind = FindingKind::schedule_dependence;
            finding.region = difference->region;
            finding.offset =
                static_cast<std::ptrdiff_t>(difference->index * difference->region.element_bytes);
            finding.expected = difference->expected;
            finding.got = difference->got;
            finding.what = name;
            findings_.add(std::move(finding));
        }
        ++schedules_ended_;
    }

    bool waits_for_another_block() override {
        const bool waits = waits_;
        waits_ = false;
        if (waits) abandoned_ = false;
        left_ = left_ || waits;
        return waits;
    }
    void schedules_done() override {
        if (left_ && compare_.has_kept() && findings_.empty()) {
            compare_.put_back(regions_);
            for (const Region& region : regions_)
                if (!region.read_only) memory_written(region.first, region.bytes);
        }
        if (!compare_.has_kept() && waiting_.kind == FindingKind::no_progress && findings_.empty())
            findings_.add(waiting_);
    }

    bool wants_to_stop() const override { return abandoned_ || findings_.are_enough(); }
    const unsigned char* must_be_watched() const override { return must_be_watched_; }
    bool has_findings() const override { return !findings_.empty(); }
    std::vector<std::string> hints() override;
    bool wrote() const override { return wrote_; }
    std::size_t blocks_counted() const override { return blocks_counted_; }

    Counters counters() override {
        Counters counters = counters_;
        counters.barriers = barriers_;
        if (blocks_counted_ && blocks_counted_ < blocks_)
            counters.divergent_branches = static_cast<std::uint64_t>(std::llround(
                double(counters.divergent_branches) * double(blocks_) / double(blocks_counted_)));
        return counters;
    }

    bool ran_to_end() const override { return ran_to_end_; }
    void record(LaunchRecord& into) const override {
        check_.recorder.give(into);
        into.traffic = traffic_;
        into.program_text = context_.program_text;
        into.block_waited = left_;
    }

    std::vector<Finding> findings() override {
        // A result that changes with the value of a lane that does not exist.
        if (schedules_ended_ > 0 && !absent_.empty()) findings_.clear();
        findings_.append(absent_);
        absent_.clear();
        return findings_.described(context_, config_, regions_);
    }

private:
    // Every block of a small grid; of a large one only some, at fixed positions.
    bool is_counted(std::uint64_t number) const {
        const std::uint64_t blocks = config_.grid.count(),
                            most = std::clamp(most_threads_counted / config_.block.count(),
                                              fewest_blocks_counted, most_blocks_counted);
        return !compare_.has_kept() &&
               (recorded_ || blocks <= most || number * most % blocks < most);
    }

    std::optional<Difference> difference_to_first(const std::vector<Region>& regions) {
        ScheduleCompare::Tolerance tolerance;
        if (check_.has_float_atomics())
            tolerance = [&](const Region& region, std::size_t offset) {
                return check_.added(region, offset);
            };
        auto difference = compare_.compare(regions, tolerance);
        if (!difference || !(config_.free_order || gives_out_places())) return difference;
        auto of_sets = compare_.compare_sets(regions, tolerance);
        if (of_sets) return config_.free_order ? of_sets : difference;
        if (!config_.free_order) other_order_ = difference->region.name;
        return std::nullopt;
    }
    // Whether all atomic operations whose results are used count up or exchange one variable: it
    // gives each thread a place. With several variables the order of what one of them gives out may
    // matter, as in a sort by digits.
    bool gives_out_places() const {
        bool found = false;
        for (const AccessCheck::AtomicSite& site : check_.atomic_sites()) {
            const int line = line_of(site.code).line;
            if (!uses_result(line_of_text(context_.program_text, line))) continue;
            if (site.many_addresses) return false;
            found = true;
        }
        return found;
    }
    SourceLine line_of(const void* code) const {
        return context_.lines && code ? (*context_.lines)(code) : SourceLine();
    }
    ThreadPlace place_of(std::uint32_t block, std::uint32_t thread) const {
        const auto split = [](std::uint32_t number, const Dim3& size) {
            return Coordinates{number % size.x, number / size.x % size.y, number / size.x / size.y};
        };
        return {split(block, config_.grid), split(thread, config_.block), block, thread};
    }
    void look_at_results() {
        if (context_.checks.uninitialised)
            for (RawFinding& finding : unset_results(regions_, context_.program_text, check_)) {
                finding.first.place =
                    place_of(finding.first.place.block_number, finding.first.place.thread_number);
                findings_.add(std::move(finding));
            }
        Untouched untouched = untouched_elements(config_, regions_, context_.arguments, check_);
        must_be_watched_ = untouched.must_be_watched;
        for (RawFinding& finding : untouched.findings) findings_.add(std::move(finding));
        wrote_ = check_.writes_anything();
        NothingWritten nothing = nothing_written(regions_, context_, check_);
        for (RawFinding& finding : nothing.findings) findings_.add(std::move(finding));
        hints_ = std::move(nothing.hints);
    }
    RawSide side_of(const Access& access) const {
        return {place_of(access.block, access.thread),
                access.code,
                access.bytes,
                access.write,
                access.atomic,
                0,
                0};
    }

    void race(const Region& region, std::size_t offset, const Access& access,
              const Remembered& before) override {
        check_.recorder.race(region, offset, access.thread, before.block_number,
                             before.thread_number);
        const bool between_blocks = before.block_number != access.block;
        // The same two instructions in the other order are the same mistake.
        const auto codes = std::minmax(access.code, before.code);
        if (!findings_.is_new(FindingKind::race, codes.first, codes.second, between_blocks,
                              region.name))
            return;
        RawFinding finding;
        finding.kind = FindingKind::race;
        finding.first = side_of(access);
        finding.has_second = true;
        finding.second = {place_of(before.block_number, before.thread_number),
                          before.code,
                          0,
                          before.write,
                          before.atomic,
                          0,
                          0};
        finding.region = region;
        finding.offset = static_cast<std::ptrdiff_t>(offset);
        findings_.keep(std::move(finding));
    }
    // Not a mistake if the text says that it is always the same value: `if (...) *found = 1;`.
    void same_value(const Region& region, std::size_t offset, const Access& access,
                    const Remembered& before) override {
        auto known = same_values_.find(access.code);
        if (known == same_values_.end()) {
            std::string element;
            if (assigns_constant(line_of_text(context_.program_text, line_of(access.code).line)))
                element = region.name + "[" + std::to_string(offset / region.element_bytes) + "]";
            known = same_values_.emplace(access.code, element).first;
        }
        if (known->second.empty()) race(region, offset, access, before);
    }
    void uninitialised(const Region& region, std::size_t offset, const Access& access) override {
        if (!findings_.is_new(FindingKind::uninitialised_read, access.code, nullptr, false,
                              region.name))
            return;
        RawFinding finding;
        finding.kind = FindingKind::uninitialised_read;
        finding.first = side_of(access);
        finding.region = region;
        finding.offset = static_cast<std::ptrdiff_t>(offset);
        findings_.keep(std::move(finding));
    }
    void misaligned(const Region& region, std::size_t offset, const Access& access) override {
        RawFinding finding;
        finding.kind = FindingKind::trap;
        finding.misaligned = true;
        finding.first = side_of(access);
        finding.region = region;
        finding.offset = static_cast<std::ptrdiff_t>(offset);
        findings_.add(std::move(finding));
    }
    void constant(const Region& region, const Access& access) override {
        RawFinding finding;
        finding.kind = FindingKind::trap;
        finding.first = side_of(access);
        finding.region = region;
        finding.what =
            region.name + " is __constant__: a CUDA kernel can read it, and not write it";
        findings_.add(std::move(finding));
    }
    void outside(const void* address, const Region* near, bool touched_before,
                 const Access& access) override {
        if (!context_.checks.bounds && near) return;
        RawFinding finding;
        finding.first = side_of(access);
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        const std::ptrdiff_t offset =
            near ? static_cast<const unsigned char*>(address) - near->first : 0;
        finding.null_pointer = at < null_bytes;
        // Shared arrays and constants lie between variables of the host. An address far from them
        // is not a wrong index, unless this instruction accessed the array before.
        const std::ptrdiff_t reach = std::ptrdiff_t(1) << (touched_before ? 36 : 24);
        const bool index =
            near && !finding.null_pointer &&
            (near->kind == Region::Kind::global ? near_arena(address) : std::abs(offset) < reach);
        finding.kind =
            index || finding.null_pointer ? FindingKind::out_of_bounds : FindingKind::host_pointer;
        if (index) {
            finding.region = *near;
            // A vector that begins inside is at fault where it leaves.
            const auto end = static_cast<std::ptrdiff_t>(near->bytes);
            finding.offset = offset >= 0 && offset < end ? end : offset;
            check_.recorder.add(*near, offset, access.bytes,
                                access.atomic  ? AccessKind::atomic
                                : access.write ? AccessKind::write
                                               : AccessKind::read,
                                access.thread, access.code);
        }
        findings_.add(std::move(finding));
    }
    void unset(const char* name, const Access& access) override {
        RawFinding finding;
        finding.kind = FindingKind::uninitialised_read;
        finding.first = side_of(access);
        finding.unset = true;
        finding.what = name;
        findings_.add(std::move(finding));
    }
    bool beyond(const BeyondArray& array, const Access& access) override {
        if (array.file != context_.program_name) return false;
        const std::string name = name_at(context_.program_text, array.line, array.column);
        const auto is_it = [&](const Region& region) { return region.name == name; };
        if (name.empty() || std::any_of(regions_.begin(), regions_.end(), is_it) ||
            std::any_of(shared_.begin(), shared_.end(), is_it))
            return false;
        const char* const bracket = std::strchr(array.type, '[');
        RawFinding finding;
        finding.kind = FindingKind::out_of_bounds;
        finding.first = side_of(access);
        finding.region.kind = Region::Kind::local;
        finding.region.name = name;
        finding.region.bytes = bracket ? std::strtoull(bracket + 1, nullptr, 10) : 0;
        finding.offset = array.index;
        findings_.add(std::move(finding));
        return true;
    }
    [[noreturn]] void abandon() override {
        abandoned_ = true;
        context_.abandon();
        std::abort();  // not reached: `abandon` never returns
    }
    [[noreturn]] void waits_forever(const Access& access) override {
        waiting_.kind = FindingKind::no_progress;
        waiting_.first = side_of(access);
        waiting_.waits_for_block = true;
        waits_ = true;
        abandon();
    }
    [[noreturn]] void start_over(const Region& region) override {
        must_be_watched_ = region.first;
        abandon();
    }
    bool is_own_stack(const void* address) override {
        return context_.is_own_stack && context_.is_own_stack(address);
    }

    std::lock_guard<std::mutex> lock_;
    CheckerContext context_;
    AccessCheck check_;
    LaunchConfig config_;
    std::vector<Region> regions_, shared_;
    Findings findings_;
    std::size_t blocks_ = 0, blocks_counted_ = 0;
    std::uint64_t barriers_ = 0;
    bool abandoned_ = false, wrote_ = false, recorded_ = false, ran_to_end_ = false;
    std::vector<std::pair<const void*, LineTraffic>> traffic_;
    std::vector<std::string> hints_;
    // By instruction: the element that several threads set to one constant. Otherwise "".
    std::map<const void*, std::string> same_values_;
    std::vector<RawFinding> absent_;  // shuffles that ask lanes which do not exist
    std::string other_order_;         // a region that holds the same elements in another order
    int schedules_ended_ = 0;
    RawFinding waiting_;                 // a thread that waits for another block
    bool waits_ = false, left_ = false;  // this schedule, and any schedule, was left for it
    const unsigned char* must_be_watched_ = nullptr;
    Counters counters_;
    ScheduleCompare compare_;
};

std::vector<std::string> RealChecker::hints() {
    std::vector<std::string> hints = hints_;
    std::set<std::string> said;
    const auto say = [&](const void* code, const std::string& what, const std::string& advice) {
        const int line = line_of(code).line;
        const std::string place =
            context_.program_name + (line ? ":" + std::to_string(line) : "") + ": ";
        if (said.insert(place + advice).second) hints.push_back(place + what + advice);
    };
    for (const auto& [code, element] : same_values_)
        if (!element.empty())
            say(code, element,
                " is written by several threads, all with the same value. If they ever differ, it "
                "is "
                "not known which one stays.");
    for (const RawFinding& raw : absent_)
        say(raw.first.code, raw.what,
            " asks lanes that the last warp of a block does not have. The results did not depend "
            "on what it got from them; to be safe, launch a multiple of 32 threads.");
    if (!other_order_.empty())
        say(nullptr, other_order_,
            " holds the same elements in another order when threads run in another order: an "
            "atomic operation gives out the places. If that is intended, set "
            "LaunchConfig::free_order; otherwise compute the places by a scan.");
    return hints;
}

}  // namespace

std::unique_ptr<Checker> make_checker(CheckerContext context) {
    return std::make_unique<RealChecker>(std::move(context));
}

}  // namespace lanes::gpu::simulator
