#include "advice.hpp"

#include "text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <sstream>

namespace lanes::gpu::simulator {
namespace {

std::string line_text(const std::string& text, int line) {
    std::istringstream in(text);
    std::string found;
    for (int i = 0; i < line; ++i)
        if (!std::getline(in, found)) return "";
    return found;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Where the line names the object: the first time for a write, the last time for a read; none: -1.
std::ptrdiff_t column_of(const std::string& line, const std::string& object, bool write) {
    std::ptrdiff_t found = -1;
    for (std::size_t at = line.find(object); !object.empty() && at != std::string::npos; at = line.find(object, at + 1)) {
        const std::size_t after = at + object.size();
        if ((at > 0 && is_word(line[at - 1])) || (after < line.size() && is_word(line[after]))) continue;
        found = static_cast<std::ptrdiff_t>(at);
        if (write) break;
    }
    return found;
}

bool has_barrier_between(const CheckerContext& context, int first, int last) {
    for (int line = first; line <= last; ++line)
        if (line_text(context.program_text, line).find("__syncthreads") != std::string::npos) return true;
    return false;
}

std::string line_name(int line) { return "line " + std::to_string(line); }

std::string race_advice(const RawFinding& raw, const CheckerContext& context) {
    const int first = std::min(raw.first.line, raw.second.line), last = std::max(raw.first.line, raw.second.line);
    const bool between_blocks = raw.first.place.block_number != raw.second.place.block_number;
    const bool same_warp = !between_blocks && raw.first.place.thread_number / 32 == raw.second.place.thread_number / 32;
    const std::string object = raw.region.name.empty() ? "it" : raw.region.name + "[...]";
    const bool both_write = raw.first.write && raw.second.write;
    if (first == last && !raw.first.atomic && !raw.second.atomic) {
        const std::string line = line_text(context.program_text, first);
        const bool accumulates = line.find("+=") != std::string::npos || line.find("++") != std::string::npos || line.find("-=") != std::string::npos;
        if (accumulates) return "Several threads add to the same element: use atomicAdd(&" + object + ", ...) in " + line_name(first) + ".";
        if (both_write)
            return "Several threads write the same element in " + line_name(first) +
                   ": let one of them do it, give each its own element, or use an atomic operation.";
    }
    if (raw.first.atomic != raw.second.atomic) {
        const int plain = raw.first.atomic ? raw.second.line : raw.first.line;
        const std::string barrier =
            between_blocks ? "use an atomic operation there too, or a launch of its own"
                           : "put __syncthreads() between " + line_name(first) + " and " + line_name(last) + ", or use an atomic operation there too";
        return "The access in " + line_name(plain) + " is not atomic: " + barrier + ".";
    }
    if (between_blocks) {
        const bool tickets = context.program_text.find("atomic") != std::string::npos;
        if (tickets && !both_write)
            return "__syncthreads() does not order blocks. If an atomic operation tells the other block that the value is there, add __threadfence() before "
                   "it, after " +
                   line_name(raw.first.write ? raw.first.line : raw.second.line) + ".";
        return "__syncthreads() does not order blocks: write to another buffer than is read, give each block its own elements, use atomic operations, or make "
               "two launches of it.";
    }
    if (first == last) return "Put a barrier, __syncthreads(), between what writes " + object + " and what reads it in " + line_name(first) + ".";
    const std::string barrier = same_warp ? "__syncthreads(), or __syncwarp() where all of them are in one warp," : "__syncthreads()";
    if (has_barrier_between(context, first, last) && !same_warp)
        return "Add __syncthreads() after " + line_name(last) + ", before the loop comes back to " + line_name(first) + ".";
    return "Add " + barrier + " between " + line_name(first) + " and " + line_name(last) + ".";
}

std::string bounds_advice(const RawFinding& raw, const CheckerContext& context, const LaunchConfig& config) {
    if (raw.null_pointer) return "Give the CUDA kernel a Buffer for every pointer.";
    const auto element = static_cast<long long>(std::max<std::size_t>(raw.region.element_bytes, 1));
    const auto extent = static_cast<long long>(raw.region.bytes) / element;
    const long long index = (raw.offset >= 0 ? raw.offset : raw.offset - element + 1) / element;
    for (const ScalarArgument& scalar : context.scalars)
        if (element > 1 && scalar.value == extent * element && extent > 1)
            return scalar.name + " is " + std::to_string(scalar.value) + " = " + std::to_string(element) + " x " + std::to_string(extent) +
                   ": bytes instead of elements?";
    if (raw.region.kind == Region::Kind::shared && extent == 0)
        return "The launch gives no dynamic shared memory: its size in bytes is the third number of the launch, {grid, block, bytes}.";
    if (raw.region.kind == Region::Kind::shared)
        return index < 0 ? "The index is negative: look at what is subtracted in it."
                         : "The array is too small for the index, or the block is larger than the array was made for: this block has " +
                               std::to_string(config.block.count()) + " threads.";
    constexpr long long far = 1ll << 28;
    if (index < -far || index > far) return "An index this far away is often an int that has overflowed: compute it as size_t or long long.";
    if (index < 0) return "The index is negative: look at what is subtracted in it, and guard the first elements.";
    if (index == extent)
        return "One beyond the end, the last index is " + std::to_string(extent - 1) + ": is a < needed where <= stands, or a guard: if (i < n) ...?";
    const auto threads = static_cast<long long>(config.grid.count() * config.block.count());
    if (threads > extent)
        return std::to_string(threads) + " threads were launched for " + std::to_string(extent) + " elements: guard the access, if (i < n) ...";
    return "Look at how the index is computed: rows and columns in the right order, the right width, the right bound of the loop?";
}

std::string mask_advice(const RawFinding& raw) {
    if (!raw.standing.empty()) return "Every lane that the mask names must come to the operation.";
    char text[160];
    const std::uint32_t missing = raw.mask & ~raw.present;
    if (raw.present & ~raw.mask) return "Every thread that calls it must be in its mask.";
    std::snprintf(text, sizeof text, "%s never came. Name those that do, 0x%08x, or call it before threads go different ways.", lanes_text(missing).c_str(),
                  raw.present);
    return text;
}

}  // namespace

std::string source_line(const CheckerContext& context, int line, const std::string& object, bool write) {
    std::string text = line > 0 ? line_text(context.program_text, line) : "";
    if (text.empty()) return "";
    std::replace(text.begin(), text.end(), '\t', ' ');
    const std::string number = std::to_string(line), margin(std::max<std::size_t>(number.size(), 5), ' ');
    std::string shown = margin.substr(number.size()) + number + " | " + text + "\n";
    const std::ptrdiff_t column = column_of(text, object, write);
    if (column >= 0) shown += margin + " | " + std::string(static_cast<std::size_t>(column), ' ') + "^\n";
    return shown;
}

std::string advice_for(const RawFinding& raw, const CheckerContext& context, const LaunchConfig& config) {
    const std::string name = raw.region.name;
    switch (raw.kind) {
        case FindingKind::out_of_bounds:
            return bounds_advice(raw, context, config);
        case FindingKind::host_pointer:
            return "A pointer inside a struct must be one of the device. Pass each Buffer as an argument of its own.";
        case FindingKind::race:
            return race_advice(raw, context);
        case FindingKind::barrier_divergence:
            return "All threads of a block must come to the same barrier: move it out of the branch or the loop, and let no thread return before it.";
        case FindingKind::uninitialised_read:
            if (raw.region.kind == Region::Kind::shared) return "Shared memory holds nothing when a block begins: write " + name + " first, then a barrier.";
            return "Give the buffer its values, Buffer(device, values) or Buffer::zeros(device, n), or write it before it is read.";
        case FindingKind::warp_mask:
            return mask_advice(raw);
        case FindingKind::no_progress:
            return "A loop that never ends, or a thread that waits for one that cannot run. More time is given by Checks::stop_after_seconds.";
        case FindingKind::untouched_elements:
            if (raw.suggested)
                return "The grid was rounded down: " + std::to_string(config.grid.x) + " blocks of " + std::to_string(config.block.x) +
                       " threads. Use (n + block - 1) / block, here " + std::to_string(raw.suggested) + " blocks, and a guard in the CUDA kernel.";
            return "The grid was rounded down: use (n + block - 1) / block for rows and columns, and a guard in the CUDA kernel.";
        case FindingKind::schedule_dependence:
            return "A GPU runs threads and blocks in any order. Look for values that one thread leaves for another, and for what depends on who comes first at "
                   "an atomic operation.";
        case FindingKind::trap:
            return raw.misaligned ? "A wide access needs an address that is a multiple of its size." : "";
        case FindingKind::assertion:
            return "";
    }
    return "";
}

}  // namespace lanes::gpu::simulator
