#include "finding_text.hpp"

#include "advice.hpp"

#include <algorithm>
#include <sstream>

namespace lanes::gpu::simulator {
namespace {

std::string coordinates(const Coordinates& at) {
    return "(" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) +
           ")";
}

std::string who(const ThreadPlace& place) {
    return "thread " + coordinates(place.thread) + " of block " + coordinates(place.block);
}

std::string where(const CheckerContext& context, int line) {
    return line ? context.program_name + ":" + std::to_string(line) : context.program_name;
}

std::string element(const Region& region, std::ptrdiff_t offset) {
    const auto bytes = static_cast<std::ptrdiff_t>(std::max<std::size_t>(region.element_bytes, 1));
    const std::ptrdiff_t index = (offset >= 0 ? offset : offset - bytes + 1) / bytes;
    return (region.name.empty() ? "a buffer that is no argument, element " : region.name) + "[" +
           std::to_string(index) + "]";
}

// What one side does, for example "writes it".
std::string access_words(const RawSide& side, const std::string& what) {
    return side.atomic ? "changes " + what + " by an atomic operation"
                       : (side.write ? "writes " : "reads ") + what;
}

std::string access_text(const RawSide& side) {
    const std::string kind = side.atomic ? "atomic operation" : side.write ? "write" : "read";
    return side.bytes ? kind + " of " + std::to_string(side.bytes) + " bytes" : kind;
}

std::string count_of(std::size_t threads) {
    return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::string standing_text(const Standing& standing, bool of_blocks) {
    const std::string line = standing.line ? " in line " + std::to_string(standing.line) : "";
    const ThreadPlace& first = standing.threads.front();
    const std::size_t count = standing.threads.size();
    const std::string example =
        ", the first of them " + coordinates(of_blocks ? first.block : first.thread);
    const std::string who =
        of_blocks ? std::to_string(count) + (count == 1 ? " block" : " blocks") : count_of(count);
    if (standing.waiting == Waiting::finished) return who + " returned" + example;
    return who + (count == 1 ? " waits at " : " wait at ") + standing.what + line + example;
}

std::string race_text(const RawFinding& raw, const CheckerContext& context) {
    const bool shared = raw.region.kind == Region::Kind::shared;
    const bool between_blocks = raw.first.place.block_number != raw.second.place.block_number;
    const std::string first_line = source_line(context, raw.first, raw.region.name),
                      other_line = source_line(context, raw.second, raw.region.name);
    std::ostringstream out;
    out << where(context, raw.first.line) << ": race in " << (shared ? "shared" : "global")
        << " memory on " << element(raw.region, raw.offset) << "\n"
        << "  " << who(raw.first.place) << " " << access_words(raw.first, "it") << " in line "
        << raw.first.line << "\n"
        << first_line  //
        << "  " << who(raw.second.place) << " " << access_words(raw.second, "it") << " in line "
        << raw.second.line << "\n"
        << (other_line != first_line ? other_line : "")
        << (between_blocks
                ? "  Blocks run in any order: nothing says which of the two comes first.\n"
                : "  Nothing between the two says which of them comes first.\n");
    return out.str();
}

std::string divergence_text(const RawFinding& raw, const CheckerContext& context) {
    std::ostringstream out;
    const bool barrier = raw.kind == FindingKind::barrier_divergence;
    const bool of_blocks = is_between_blocks(raw.standing);
    out << where(context, raw.first.line) << ": "
        << (barrier ? "barrier divergence" : "warp operation that waits forever")
        << (of_blocks ? " between blocks" : " in block " + coordinates(raw.first.place.block))
        << "\n";
    for (const Standing& standing : raw.standing)
        out << "  " << standing_text(standing, of_blocks) << "\n";
    out << source_line(context, raw.first, "");
    return out.str();
}

std::string mask_text(const RawFinding& raw, const std::string& at, const std::string& thread) {
    const std::uint32_t lane = raw.first.place.thread_number % 32;
    const std::string names = "the mask of " + raw.what + " names " + lanes_text(raw.mask);
    if (raw.lane_asked >= 0) {
        const std::string asks = thread + ", lane " + std::to_string(lane) + ", asks lane " +
                                 std::to_string(raw.lane_asked) + " for its value\n";
        if (!(raw.mask >> raw.lane_asked & 1))
            return at + ": " + names + ", and a lane is asked that is none of them\n" + asks;
        if (!(raw.lanes >> raw.lane_asked & 1))
            return at + ": " + raw.what + " asks a lane that does not exist\n" + asks;
        return at + ": " + raw.what + " asks a lane that has returned\n" + asks;
    }
    if (!(raw.mask >> lane & 1))
        return at + ": " + names + ", and another one calls it\n" + thread + ", lane " +
               std::to_string(lane) + ", is not in the mask\n";
    const char* come = __builtin_popcount(raw.present) == 1 ? " comes" : " come";
    return at + ": " + names + ", but only " + lanes_text(raw.present) + come + " here\n" + thread +
           " is one of them\n";
}

std::string text_of(const RawFinding& raw, const CheckerContext& context) {
    const std::string name = element(raw.region, raw.offset);
    const std::size_t extent =
        raw.region.bytes / std::max<std::size_t>(raw.region.element_bytes, 1);
    std::string at = where(context, raw.first.line);
    const std::string thread = "  " + who(raw.first.place);
    const std::string line = source_line(context, raw.first, raw.region.name);
    switch (raw.kind) {
        case FindingKind::out_of_bounds:
            if (raw.null_pointer)
                return at + ": a null pointer is followed\n" + thread + " " +
                       access_words(raw.first, std::to_string(raw.first.bytes) + " bytes") +
                       " there\n" + line;
            return at + ": out of bounds: " + name + ", but " + raw.region.name + " has " +
                   std::to_string(extent) + (extent == 1 ? " element" : " elements") +
                   (raw.region.kind == Region::Kind::shared     ? " of shared memory"
                    : raw.region.kind == Region::Kind::constant ? " of constant memory"
                                                                : "") +
                   "\n" + thread +
                   (raw.region.kind == Region::Kind::local ? " comes to it"
                                                           : " " + access_words(raw.first, "it")) +
                   "\n" + line;
        case FindingKind::host_pointer:
            return at +
                   (context.arguments.has_structs
                        ? ": a pointer of the host is followed\n"
                        : ": an address outside every buffer is followed\n") +
                   thread + " " +
                   access_words(raw.first, std::to_string(raw.first.bytes) + " bytes") +
                   " that belong to no buffer of the device\n" + line;
        case FindingKind::race:
            return race_text(raw, context);
        case FindingKind::barrier_divergence:
            return divergence_text(raw, context);
        case FindingKind::uninitialised_read:
            if (raw.unset && raw.what.empty())
                return at + ": " + name +
                       " gets a value that was made from a local variable or array that nothing "
                       "has set\n" +
                       thread + " writes it\n" + line;
            if (raw.unset)
                return at + ": the local variable " + raw.what +
                       " is read, but nothing has set it\n" + thread + " reads it\n" +
                       source_line(context, raw.first, raw.what);
            return at + ": " + name + " is read, but nothing has written it" +
                   (raw.region.kind == Region::Kind::shared ? " in this block" : "") + "\n" +
                   thread + " " + access_words(raw.first, "it") + "\n" + line;
        case FindingKind::warp_mask:
            if (!raw.standing.empty()) return divergence_text(raw, context);
            return mask_text(raw, at, thread) + line;
        case FindingKind::no_progress:
            if (raw.waits_for_block)
                return at + ": a value is awaited that no other thread can give\n" + thread +
                       " does not leave this loop\n" + line;
            return at + ": no progress for " + to_text(raw.seconds) +
                   (raw.seconds == 1 ? " second\n" : " seconds\n") + thread +
                   (raw.in_loop ? " does not leave this loop" : " is here") +
                   (raw.what.empty() ? "" : ", in " + raw.what) + "\n" + line;
        case FindingKind::untouched_elements:
            if (raw.nothing_written)
                return at + ": " + context.entry_name + " writes nothing: " +
                       (extent == 1 ? "the element of "
                                    : "all " + std::to_string(extent) + " elements of ") +
                       raw.region.name + (extent == 1 ? " is as it was" : " are as they were") +
                       "\n" + line;
            return context.program_name + ": " + context.entry_name + " leaves " +
                   std::to_string(raw.untouched) + " of the " + std::to_string(extent) +
                   " elements of " + raw.region.name + " alone, from " + name + " on\n";
        case FindingKind::schedule_dependence:
            if (raw.of_sets)
                return context.program_name + ": the elements that " + context.entry_name +
                       " leaves depend on the order of its threads, in whatever order they are\n  "
                       "sorted, the first difference is: " +
                       raw.expected + " when threads run forward, " + raw.got + " in the order \"" +
                       raw.what + "\"\n";
            return context.program_name + ": the result of " + context.entry_name +
                   " depends on the order of its threads\n  " + name + " is " + raw.expected +
                   " when they run forward, " + raw.got + " in the order \"" + raw.what + "\"\n";
        case FindingKind::assertion:
            return (raw.what.rfind(at + ": ", 0) == 0 ? raw.what : at + ": " + raw.what) + "\n" +
                   thread + " found it false\n" + line;
        case FindingKind::trap:
            if (raw.misaligned)
                return at + ": misaligned address: " + std::to_string(raw.first.bytes) +
                       " bytes at byte " + std::to_string(raw.offset) + " of " + raw.region.name +
                       "\n" + thread + " accesses them at once\n" + line;
            return at + ": " + (raw.what.empty() ? "the CUDA kernel stopped itself" : raw.what) +
                   "\n" + thread + "\n" + line;
    }
    return at;
}

}  // namespace

bool is_between_blocks(const std::vector<Standing>& standing) {
    return !standing.empty() && standing.front().threads.front().block_number !=
                                    standing.back().threads.back().block_number;
}

std::string lanes_text(std::uint32_t mask) {
    if (mask == 0) return "no lane";
    std::vector<std::string> runs;
    for (int first = 0; first < 32; ++first) {
        if (!(mask >> first & 1)) continue;
        int last = first;
        while (last < 31 && (mask >> (last + 1) & 1)) ++last;
        runs.push_back(first == last ? std::to_string(first)
                                     : std::to_string(first) + "-" + std::to_string(last));
        first = last;
    }
    std::string text = __builtin_popcount(mask) == 1 ? "lane " : "lanes ";
    for (std::size_t i = 0; i < runs.size(); ++i)
        text += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + runs[i];
    return text;
}

Finding describe(const RawFinding& raw, const CheckerContext& context, const LaunchConfig& config) {
    Finding finding;
    finding.kind = raw.kind;
    const auto fill = [&](Place& place, const RawSide& side) {
        place.block = side.place.block;
        place.thread = side.place.thread;
        place.line = side.line;
        place.file = context.program_name;
        place.access = access_text(side);
    };
    fill(finding.first, raw.first);
    finding.has_second = raw.has_second;
    if (raw.has_second) fill(finding.second, raw.second);
    if (!raw.standing.empty()) {
        finding.first.access = "waits at " + raw.standing[0].what;
        if (raw.has_second)
            finding.second.access = raw.standing[1].waiting == Waiting::finished
                                        ? "returned"
                                        : "waits at " + raw.standing[1].what;
    }
    finding.object = raw.region.name;
    const auto bytes =
        static_cast<std::ptrdiff_t>(std::max<std::size_t>(raw.region.element_bytes, 1));
    finding.index = (raw.offset >= 0 ? raw.offset : raw.offset - bytes + 1) / bytes;
    finding.extent = raw.region.bytes / static_cast<std::size_t>(bytes);
    finding.message = text_of(raw, context);
    const std::string advice = advice_for(raw, context, config);
    if (!advice.empty()) finding.message += "  " + advice + "\n";
    finding.message.pop_back();
    return finding;
}

}  // namespace lanes::gpu::simulator
