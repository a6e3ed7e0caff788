#include "advice.hpp"

#include "finding_text.hpp"
#include "race_advice.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace lanes::gpu::simulator {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The column at which the line names the accessed object, or -1. `column` is what the compiler
// reports for the access, from 0, or -1 if it does not: for a read where its expression begins, for
// a write the assignment operator.
std::ptrdiff_t column_of(const std::string& line, const std::string& object, bool write,
                         std::ptrdiff_t column) {
    std::ptrdiff_t found = -1;
    for (std::size_t at = line.find(object); !object.empty() && at != std::string::npos;
         at = line.find(object, at + 1)) {
        const std::size_t after = at + object.size();
        if ((at > 0 && is_word(line[at - 1])) || (after < line.size() && is_word(line[after])))
            continue;
        const auto here = static_cast<std::ptrdiff_t>(at);
        if (column < 0) {  // a write is usually to the first one, a read of the last one
            found = here;
            if (write) break;
        } else if (found < 0 ||
                   (write ? here < column : std::abs(here - column) < std::abs(found - column))) {
            found = here;
        }
    }
    return found;
}

std::string bounds_advice(const RawFinding& raw, const CheckerContext& context,
                          const LaunchConfig& config) {
    if (raw.null_pointer && !context.arguments.null_pointers.empty()) {
        std::string names;
        for (const std::string& name : context.arguments.null_pointers)
            names += (names.empty() ? "" : ", ") + name;
        return "The launch gives nullptr for " + names +
               ": give the CUDA kernel a Buffer for every pointer that it follows.";
    }
    if (raw.null_pointer)
        return "Let the pointer point into a buffer or an array before it is followed: p = y + i, "
               "p = tile.";
    const auto element = static_cast<long long>(std::max<std::size_t>(raw.region.element_bytes, 1));
    const auto extent = static_cast<long long>(raw.region.bytes) / element;
    const long long index = (raw.offset >= 0 ? raw.offset : raw.offset - element + 1) / element;
    for (const ScalarArgument& scalar : context.arguments.scalars)
        if (element > 1 && scalar.value == extent * element && extent > 1)
            return scalar.name + " is " + std::to_string(scalar.value) + " = " +
                   std::to_string(element) + " x " + std::to_string(extent) +
                   ": bytes instead of elements?";
    if (raw.region.kind == Region::Kind::local)
        return index < 0 ? "The index is negative: look at what is subtracted in it."
                         : "The last index is " + std::to_string(extent - 1) +
                               ": look at the bound of the loop, or make the array larger.";
    if (raw.region.kind == Region::Kind::shared && extent == 0)
        return "The launch gives no dynamic shared memory: its size in bytes is the third number "
               "of the launch, {grid, block, bytes}.";
    if (raw.region.kind == Region::Kind::shared && index < 0)
        return "The index is negative: look at what is subtracted in it.";
    if (raw.region.kind == Region::Kind::shared && raw.region.bytes == config.shared_bytes &&
        index < static_cast<long long>(raw.region.bytes))
        return "The launch gives " + std::to_string(config.shared_bytes) +
               " bytes of dynamic shared memory, which are " + std::to_string(extent) +
               " elements: elements instead of bytes? It wants n * sizeof(element).";
    if (raw.region.kind == Region::Kind::shared)
        return "The array is too small for the index, or the block is larger than the array was "
               "made for: this block has " +
               std::to_string(config.block.count()) +
               " threads. Or a guard is missing, as if (t < step) in a reduction.";
    if (extent == 0)
        return raw.region.name + " was made without elements: give the Buffer its size.";
    constexpr long long far = 1ll << 28;
    if (index < -far || index > far)
        return "An index this far away is often an int that has overflowed: compute it as size_t "
               "or long long.";
    if (index < 0)
        return "The index is negative: look at what is subtracted in it, and guard the first "
               "elements.";
    if (const std::string guard = guard_advice(context, raw.first.line); !guard.empty())
        return guard;
    const bool rows = config.grid.y > 1 || config.block.y > 1;
    if (index == extent)
        return "One beyond the end, the last index is " + std::to_string(extent - 1) +
               ": is a < needed where <= stands, or a guard: if (i < n) ...?" +
               (rows ? " Are rows and columns in the right order: row * columns + column?" : "");
    const auto of_block = static_cast<long long>(config.block.count()),
               threads = static_cast<long long>(config.grid.count()) * of_block;
    const long long number =
        raw.first.place.block_number * of_block + raw.first.place.thread_number;
    // A thread with a smaller number has an element of its own and reaches a second one.
    if (threads > extent && number >= extent)
        return std::to_string(threads) + " threads were launched for " + std::to_string(extent) +
               " elements: guard the access, if (i < n) ..." +
               (has_word(context.program_text, "if")
                    ? " In a guard that is there, n must be at most " + std::to_string(extent) +
                          ", and i the last element that the thread takes."
                    : "");
    return "Look at how the index is computed: rows and columns in the right order, the right "
           "width, the right bound of the loop?";
}

// Whether a return stands before this line in the same __global__ or __device__ function.
bool returns_before(const std::string& text, int line) {
    bool found = false;
    for (int i = 1; i <= line; ++i) {
        const std::string here = line_of_text(text, i);
        if (here.find("__global__") != std::string::npos ||
            here.find("__device__") != std::string::npos)
            found = false;
        found = found || has_word(here.substr(0, here.find("//")), "return");
    }
    return found;
}

std::string mask_advice(const RawFinding& raw) {
    if (!raw.standing.empty()) return "Every lane that the mask names must come to the operation.";
    char text[160];
    if (raw.lane_asked >= 0 && !(raw.mask >> raw.lane_asked & 1))
        return "Name that lane in the mask, and let it come to the operation, or ask another one.";
    if (raw.lane_asked >= 0 && !(raw.lanes >> raw.lane_asked & 1))
        return "This warp has only " + lanes_text(raw.lanes) +
               ": launch a multiple of 32 threads, or ask only lanes that exist.";
    if (raw.lane_asked >= 0)
        return "Let no thread return before the operation, or ask only lanes that are still there.";
    const std::uint32_t missing = raw.mask & raw.lanes & ~raw.present;
    if (!(raw.mask >> raw.first.place.thread_number % 32 & 1))
        return "Every thread that calls it must be in its mask.";
    std::snprintf(
        text, sizeof text,
        "%s never came. Name those that do, 0x%08x, or call it before threads go different ways.",
        lanes_text(missing).c_str(), raw.present);
    return text;
}

std::string numbers(unsigned x, unsigned y) {
    return y == 1 ? std::to_string(x) : std::to_string(x) + " x " + std::to_string(y);
}

std::string grid_advice(const RawFinding& raw, const LaunchConfig& config) {
    const Dim3 &grid = config.grid, &block = config.block, &wanted = raw.suggested;
    const std::size_t threads = grid.count() * block.count();
    const std::size_t elements = raw.region.bytes / raw.region.element_bytes;
    const bool one_row = wanted.y == 1 && grid.y == 1;
    return "The grid is too small: " + numbers(grid.x, grid.y) +
           (grid.count() == 1 ? " block of " : " blocks of ") + numbers(block.x, block.y) +
           " are " + std::to_string(threads) + (threads == 1 ? " thread for " : " threads for ") +
           std::to_string(elements) + " elements. Round up, (n + block - 1) / block" +
           (one_row ? "" : " for columns and rows") + ": here " + numbers(wanted.x, wanted.y) +
           (wanted.count() == 1 ? " block" : " blocks") +
           ", and guard the last ones in the CUDA kernel." +
           (one_row && elements >= 2 * threads
                ? " Or let each thread take several elements: a loop with the step gridDim.x * "
                  "blockDim.x."
                : "");
}

}  // namespace

std::string name_at(const std::string& text, unsigned line, unsigned column) {
    const std::string found = line_of_text(text, static_cast<int>(line));
    if (column == 0 || column > found.size()) return "";
    std::size_t first = column - 1;
    while (found[first] == ']') {  // g++ reports the end of a subscript
        for (int depth = 0;; --first) {
            depth += (found[first] == ']') - (found[first] == '[');
            if (depth == 0 || first == 0) break;
        }
        if (first == 0) return "";
        --first;
        while (first > 0 && is_word(found[first]) && is_word(found[first - 1])) --first;
    }
    std::size_t end = first;
    while (end < found.size() && is_word(found[end])) ++end;
    return found.substr(first, end - first);
}

const Region* region_named(const CheckerContext& context, const RawSide& side,
                           const std::vector<Region>& regions) {
    const std::string line = side.line > 0 ? line_of_text(context.program_text, side.line) : "";
    const Region* named = nullptr;
    if (side.column <= 0) return nullptr;
    for (const Region& region : regions) {
        const std::ptrdiff_t column = column_of(line, region.name, side.write, side.column - 1);
        if (side.write ? column < 0 || column >= side.column : column != side.column - 1) continue;
        if (named) return nullptr;
        named = &region;
    }
    return named;
}

std::string source_line(const CheckerContext& context, const RawSide& side,
                        const std::string& object) {
    std::string text = side.line > 0 ? line_of_text(context.program_text, side.line) : "";
    if (text.empty()) return "";
    std::replace(text.begin(), text.end(), '\t', ' ');
    const std::string number = std::to_string(side.line),
                      margin(std::max<std::size_t>(number.size(), 5), ' ');
    std::string shown = margin.substr(number.size()) + number + " | " + text + "\n";
    std::ptrdiff_t column = column_of(text, object, side.write, side.column - 1);
    if (column < 0 && side.column <= static_cast<int>(text.size())) column = side.column - 1;
    if (column >= 0)
        shown += margin + " | " + std::string(static_cast<std::size_t>(column), ' ') + "^\n";
    return shown;
}

std::string advice_for(const RawFinding& raw, const CheckerContext& context,
                       const LaunchConfig& config) {
    const std::string name = raw.region.name;
    switch (raw.kind) {
        case FindingKind::out_of_bounds:
            return bounds_advice(raw, context, config);
        case FindingKind::host_pointer:
            if (!context.arguments.has_structs)
                return "Let the pointer point into a buffer or an array before it is followed: p = "
                       "y + i, p = tile.";
            return "A pointer inside a struct must be one of the device. Pass each Buffer as an "
                   "argument of its own.";
        case FindingKind::race:
            return race_advice(raw, context, config);
        case FindingKind::barrier_divergence:
            if (is_between_blocks(raw.standing))
                return "All blocks of the grid must come to the same sync(): move it out of the "
                       "branch, and let no block return before it.";
            if (raw.standing.front().what.find("of a tile") != std::string::npos)
                return "All threads of a tile must come to the same operation: move it out of the "
                       "branch or the loop, and let no thread return before it.";
            return "All threads of a block must come to the same barrier: move it out of the "
                   "branch or the loop" +
                   std::string(returns_before(context.program_text, raw.first.line)
                                   ? ", and let no thread return before it."
                                   : ".");
        case FindingKind::uninitialised_read:
            if (raw.unset && raw.what.empty())
                return "A local variable holds anything at first: give every variable and array "
                       "that goes into " +
                       name + " its values before it is used.";
            if (raw.unset)
                return "A local variable holds anything at first: give " + raw.what +
                       " a value where it is declared.";
            if (raw.region.kind == Region::Kind::shared)
                return "Shared memory holds nothing when a block begins: write " + name +
                       " first, then a barrier.";
            if (!raw.what.empty())
                return "None of it has a value, and " + raw.what +
                       ", which is written, has some everywhere: are the two buffers swapped in "
                       "the launch?";
            return "Give the buffer its values, Buffer(device, values) or Buffer::zeros(device, "
                   "n), or write it before it is read.";
        case FindingKind::warp_mask:
            return mask_advice(raw);
        case FindingKind::no_progress:
            if (raw.waits_for_block)
                return "Does any thread set it? Blocks run in any order, and a block may begin "
                       "only when another one has ended: a block must wait only for blocks that "
                       "are sure to have begun, as those with earlier tickets of an atomicAdd.";
            return "A loop that never ends, or a thread that waits for one that cannot run. More "
                   "time is given by Checks::stop_after_seconds.";
        case FindingKind::untouched_elements:
            if (raw.nothing_touched)
                return "No thread comes to a line that reads or writes a buffer. Is the guard the "
                       "wrong way round? if (i < n) lets those through that have an "
                       "element.";
            if (raw.nothing_written)
                return "Threads read, and none comes to a line that writes: look at the conditions "
                       "and the loops around it.";
            return grid_advice(raw, config);
        case FindingKind::schedule_dependence:
            return "A GPU runs threads and blocks in any order. Look for values that one thread "
                   "leaves for another, and for what depends on who comes first at "
                   "an atomic operation." +
                   std::string(raw.of_sets ? ""
                                           : " If the order of the results does not matter, set "
                                             "LaunchConfig::free_order: they are then compared as "
                                             "a set.");
        case FindingKind::trap:
            if (!raw.misaligned && raw.region.kind == Region::Kind::constant)
                return "The host gives it its values, program.variable(\"" + name +
                       "\").upload(values). What changes is __device__.";
            return raw.misaligned ? "A wide access needs an address that is a multiple of its size."
                                  : "";
        case FindingKind::assertion:
            return "";
    }
    return "";
}

}  // namespace lanes::gpu::simulator
