#include "findings.hpp"

#include "gpu/simulator/check/access/access_check.hpp"
#include "gpu/simulator/check/messages/advice.hpp"
#include "gpu/simulator/check/messages/finding_text.hpp"
#include "gpu/simulator/check/messages/race_advice.hpp"
#include "gpu/simulator/object/loops.hpp"

#include <algorithm>
#include <utility>

namespace lanes::gpu::simulator {

namespace {

constexpr std::size_t most_findings = 16;  // different ones
// Repetitions included: a launch that does nothing but race is stopped.
constexpr std::size_t most_events = 200000;

// If the address is far from all buffers, the nearest one means nothing. Use the buffer that
// the line names, if there is one.
void name_far_region(RawFinding& raw, const CheckerContext& context,
                     const std::vector<Region>& regions) {
    constexpr std::ptrdiff_t gap = 4096;  // between buffers in the arena
    if (raw.region.kind != Region::Kind::global ||
        (raw.offset >= -gap && raw.offset < static_cast<std::ptrdiff_t>(raw.region.bytes) + gap))
        return;
    const Region* named = region_named(context, raw.first, regions);
    if (!named || named->kind != Region::Kind::global) return;
    raw.offset += raw.region.first - named->first;
    raw.region = *named;
}

// An input that is uninitialised, and an output that is initialised completely: the two
// arguments may be swapped.
void name_swapped(RawFinding& raw, const std::vector<Region>& regions) {
    if (raw.region.kind != Region::Kind::global || !raw.region.read_only ||
        raw.region.holding != Holding::nothing)
        return;
    for (const Region& other : regions)
        if (other.kind == Region::Kind::global && !other.read_only &&
            other.holding == Holding::everything && other.bytes == raw.region.bytes) {
            raw.what = other.name;
            return;
        }
}

}  // namespace

bool Findings::is_new(FindingKind kind, const void* first, const void* second, bool between_blocks,
                      const std::string& object) {
    if (++events_ >= most_events) AccessCheck::stop();
    return seen_.emplace(static_cast<int>(kind), first, second, between_blocks, object).second;
}

void Findings::add(RawFinding finding) {
    if (is_new(finding.kind, finding.first.code, finding.second.code, false,
               finding.region.name + finding.what) ||
        raw_.empty())
        keep(std::move(finding));
}

void Findings::keep(RawFinding finding) {
    // Threads that read too early find uninitialised memory. The race, which explains it, shows
    // only when the memory is written: these findings do not end the launch.
    if (finding.kind != FindingKind::uninitialised_read)
        ++stopping_findings_;
    else if (++uninitialised_reads_ > most_findings)
        return;
    raw_.push_back(std::move(finding));
    if (are_enough()) AccessCheck::stop();
}

void Findings::append(const std::vector<RawFinding>& findings) {
    raw_.insert(raw_.end(), findings.begin(), findings.end());
}

bool Findings::are_enough() const {
    return stopping_findings_ >= most_findings || events_ >= most_events;
}

RawFinding barrier_divergence(const std::vector<ThreadState>& threads) {
    RawFinding finding;
    finding.kind = FindingKind::barrier_divergence;
    for (const ThreadState& thread : threads) {
        const auto same = [&](const Standing& s) {
            return s.waiting == thread.waiting && s.code == thread.code;
        };
        auto found = std::find_if(finding.standing.begin(), finding.standing.end(), same);
        if (found == finding.standing.end())
            found =
                finding.standing.insert(found, {thread.waiting, thread.code, thread.what, {}, 0});
        found->threads.push_back(thread.place);
    }
    const auto waits = [](const Standing& s, Waiting how) { return s.waiting == how; };
    auto& standing = finding.standing;
    const bool barrier = std::any_of(standing.begin(), standing.end(),
                                     [&](const Standing& s) { return waits(s, Waiting::barrier); });
    if (!barrier) finding.kind = FindingKind::warp_mask;
    // Threads that wait come first, then those that are elsewhere.
    std::sort(standing.begin(), standing.end(), [](const Standing& a, const Standing& b) {
        const auto rank = [](const Standing& s) {
            return std::pair(s.waiting == Waiting::barrier ? 0
                             : s.waiting == Waiting::warp  ? 1
                                                           : 2,
                             s.threads.front().thread_number);
        };
        return rank(a) < rank(b);
    });
    finding.first.place = standing.front().threads.front();
    finding.first.code = standing.front().code;
    if (standing.size() > 1) {
        finding.has_second = true;
        finding.second.place = standing[1].threads.front();
        finding.second.code = standing[1].code;
    }
    return finding;
}

std::vector<Finding> Findings::described(const CheckerContext& context, const LaunchConfig& config,
                                         const std::vector<Region>& regions) {
    std::vector<const void*> codes;
    for (const RawFinding& raw : raw_) {
        codes.insert(codes.end(), {raw.first.code, raw.second.code});
        for (const Standing& standing : raw.standing) codes.push_back(standing.code);
    }
    codes.erase(std::remove(codes.begin(), codes.end(), nullptr), codes.end());
    const auto place_of = [&](const void* code) {
        return context.lines && code ? (*context.lines)(code) : SourceLine();
    };
    const auto find = [&](RawSide& side) {
        if (!side.code) return;  // there is no second side, or its line is known
        const SourceLine place = place_of(side.code);
        side.line = place.line;
        side.column = place.column;
    };
    if (context.lines) context.lines->prepare(codes);
    std::set<int> racing, unset;
    std::set<const unsigned char*> raced_by_blocks;
    for (RawFinding& raw : raw_) {
        find(raw.first);
        if (raw.kind == FindingKind::out_of_bounds) name_far_region(raw, context, regions);
        if (raw.kind == FindingKind::uninitialised_read) name_swapped(raw, regions);
        if (raw.kind == FindingKind::no_progress)
            if (const SourceLine loop = loop_around(context.program_text, raw.first.line);
                loop.line > 0)
                raw.first.line = loop.line, raw.first.column = loop.column, raw.in_loop = true;
        find(raw.second);
        for (Standing& standing : raw.standing) standing.line = place_of(standing.code).line;
        if (raw.kind == FindingKind::race) racing.insert({raw.first.line, raw.second.line});
        if (raw.kind == FindingKind::uninitialised_read && raw.unset) unset.insert(raw.first.line);
        if (raw.kind == FindingKind::race &&
            raw.first.place.block_number != raw.second.place.block_number)
            raced_by_blocks.insert(raw.region.first);
    }
    for (RawFinding& raw : raw_)
        raw.blocks_race_too =
            raw.kind == FindingKind::race && raced_by_blocks.count(raw.region.first);
    const auto place = [](const RawFinding& raw) {
        return std::tuple(raw.first.place.block_number, raw.first.place.thread_number,
                          raw.first.line, static_cast<int>(raw.kind), raw.second.place.block_number,
                          raw.second.place.thread_number, raw.second.line, raw.offset,
                          raw.first.column);
    };
    std::sort(raw_.begin(), raw_.end(),
              [&](const RawFinding& a, const RawFinding& b) { return place(a) < place(b); });
    std::vector<Finding> findings;
    std::set<std::tuple<int, int, int, std::string>> reported;
    for (const RawFinding& raw : raw_) {
        // A thread that reads too early reads uninitialised memory: reporting the race is enough.
        if (raw.kind == FindingKind::uninitialised_read && racing.count(raw.first.line)) continue;
        // Likewise for a local pointer that nothing has set.
        if (raw.kind == FindingKind::host_pointer && unset.count(raw.first.line)) continue;
        const auto lines = std::minmax(raw.first.line, raw.second.line);
        if (!reported
                 .emplace(static_cast<int>(raw.kind), lines.first, lines.second, raw.region.name)
                 .second)
            continue;
        findings.push_back(describe(raw, context, config));
    }
    return findings;
}

}  // namespace lanes::gpu::simulator
