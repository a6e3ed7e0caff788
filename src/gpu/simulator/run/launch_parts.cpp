#include "launch_parts.hpp"

#include "gpu/simulator/compile/shared_names.hpp"
#include "gpu/simulator/memory/arena.hpp"
#include "gpu/simulator/object/loops.hpp"

#include "gpu/backend.hpp"

#include "lanes/base/error.hpp"
#include "lanes/base/interrupt.hpp"

#include <signal.h>

#include <cstdio>
#include <cstring>

namespace lanes::gpu::simulator {

ArgumentList::ArgumentList(const std::vector<BoundArgument>& arguments) {
    for (const auto& argument : arguments) {
        if (argument.memory) {
            const void* address =
                static_cast<unsigned char*>(argument.memory->address()) + argument.offset;
            const auto* bytes = reinterpret_cast<const unsigned char*>(&address);
            values_.emplace_back(bytes, bytes + sizeof address);
        } else {
            values_.push_back(argument.value);
        }
    }
    for (auto& value : values_) pointers_.push_back(value.data());
    pointers_.push_back(nullptr);
}

// --- Shared memory and variables

std::vector<Region> shared_regions(const LaunchRequest& request, const Library& copy) {
    std::vector<Region> regions =
        request.unit.shared_arrays(copy, request.entry, request.signatures);
    // Also if it has no bytes, so that an access there can be reported with the array's name.
    if (request.config.shared_bytes > 0 || !dynamic_shared_names(request.program).empty()) {
        Region dynamic;
        dynamic.kind = Region::Kind::shared;
        dynamic.first = static_cast<const unsigned char*>(copy.symbol("lanes_dynamic_shared"));
        dynamic.bytes = request.config.shared_bytes;
        regions.push_back(dynamic);
    }
    describe_shared(request.program, request.entry, regions);
    return regions;
}

namespace {

unsigned char* place_of(const Library& copy, const ElfSymbol& symbol) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): where the loader put it
    return reinterpret_cast<unsigned char*>(copy.base() + symbol.address);
}

}  // namespace

bool writes_variables(const LaunchRequest& request) {
    for (const auto& variable : request.variables)
        if (!variable.declaration.constant)
            if (const ElfSymbol* symbol = request.unit.find_variable(variable.declaration);
                symbol && !symbol->is_read_only())
                return true;
    return false;
}

void variables_in(const LaunchRequest& request, int worker) {
    if (request.variables.empty()) return;
    const Library& copy = request.unit.copy(worker);
    auto& seen = request.unit.seen_versions[static_cast<std::size_t>(worker)];
    seen.resize(request.variables.size());
    for (std::size_t i = 0; i < request.variables.size(); ++i) {
        auto& variable = request.variables[i];
        if (seen[i] == variable.version) continue;
        const ElfSymbol* symbol = request.unit.find_variable(variable.declaration);
        if (symbol && !symbol->is_read_only())
            std::memcpy(place_of(copy, *symbol), variable.value.data(),
                        std::min<std::size_t>(variable.value.size(), symbol->bytes));
        seen[i] = variable.version;
    }
}

void variables_out(const LaunchRequest& request, int worker) {
    const Library& copy = request.unit.copy(worker);
    auto& seen = request.unit.seen_versions[static_cast<std::size_t>(worker)];
    for (std::size_t i = 0; i < request.variables.size(); ++i) {
        auto& variable = request.variables[i];
        const ElfSymbol* symbol = variable.declaration.constant
                                      ? nullptr
                                      : request.unit.find_variable(variable.declaration);
        if (!symbol || symbol->is_read_only()) continue;
        variable.value.assign(place_of(copy, *symbol), place_of(copy, *symbol) + symbol->bytes);
        seen[i] = ++variable.version;
    }
}

// --- Stopping

ProgressWatchdog::ProgressWatchdog(Pool& pool, int workers, double stop_after_seconds)
    : pool_(pool), stop_after_seconds_(stop_after_seconds) {
    for (int i = 0; i < workers; ++i)
        seen_.push_back({pool.runner(i).finished, pool.runner(i).barriers,
                         pool.runner(i).threads_begun(), pool.cpu_seconds(i), pool.cpu_seconds(i)});
}

bool ProgressWatchdog::look() {
    interrupted_ = interrupted_ || lanes::interrupted();
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        BlockRunner& runner = pool_.runner(static_cast<int>(i));
        Seen& seen = seen_[i];
        const double now = pool_.cpu_seconds(static_cast<int>(i));
        if (seen.finished != runner.finished || seen.begun != runner.threads_begun() ||
            !runner.inside())
            seen.finished_at = seen.moved_at = now;
        if (seen.barriers != runner.barriers) seen.moved_at = now;
        seen.finished = runner.finished;
        seen.barriers = runner.barriers;
        seen.begun = runner.threads_begun();
        // Barriers may also be repeated forever, but a long loop around them is more common.
        if (now - seen.moved_at > stop_after_seconds_ ||
            now - seen.finished_at > 10 * stop_after_seconds_)
            stopped_ = true;
    }
    if (!interrupted_ && !stopped_) return false;
    for (std::size_t i = 0; i < seen_.size(); ++i) pool_.runner(static_cast<int>(i)).stop = true;
    return true;
}

// --- Faults

namespace {

// Return addresses into the compiled text, innermost first; other values on the stack are skipped.
// The stack belongs to functions that never returned, so the address sanitizer must not check it.
__attribute__((no_sanitize("address"))) void collect_return_addresses(
    const ExitReason& ending, const Library& library, std::vector<const void*>& addresses) {
    for (const unsigned char* at = ending.stack;
         at + sizeof(void*) <= ending.stack_end && addresses.size() < 16; at += sizeof(void*)) {
        const void* const word = *reinterpret_cast<const void* const volatile*>(at);
        if (library.holds_code(word)) addresses.push_back(word);
    }
}

}  // namespace

int line_of(const ExitReason& ending, LineTable& lines, const Library& library, const void*& code) {
    std::vector<const void*> candidates;
    if (ending.code && library.holds_code(ending.code)) candidates.push_back(ending.code);
    if (ending.stack && ending.stack_end) collect_return_addresses(ending, library, candidates);
    lines.prepare(candidates);
    for (const void* candidate : candidates)
        if (const int line = lines(candidate).line; line > 0) return code = candidate, line;
    return 0;
}

namespace {

const char* what_happened(const ExitReason& ending) {
    switch (ending.kind) {
        case ExitReason::Kind::stopped:
            return "no progress";
        case ExitReason::Kind::stuck:
            return "threads of a block wait at barriers or warp operations that others never reach";
        case ExitReason::Kind::trap:
            return "__trap() was called";
        default:
            break;
    }
    if (ending.signal == SIGFPE) return "an integer was divided by zero";
    if (ending.signal == SIGILL || ending.signal == SIGTRAP)
        return "the end of a function that must return a value was reached, or a trap";
    if (ending.signal == SIGSEGV && reinterpret_cast<std::uintptr_t>(ending.address) < null_bytes)
        return "a null pointer was followed";
    return "memory was touched that belongs to no buffer";
}

const char* advice(const ExitReason& ending, bool several_blocks) {
    switch (ending.kind) {
        case ExitReason::Kind::stopped:
            return several_blocks
                       ? "Look for a loop that never ends; a long computation needs a larger "
                         "Checks::stop_after_seconds. If it waits for another block: blocks run in "
                         "any order, and a later one may begin only when this one has ended. Use a "
                         "cooperative launch with this_grid().sync(), or two launches."
                       : "Look for a loop that never ends; a long computation needs a larger "
                         "Checks::stop_after_seconds.";
        case ExitReason::Kind::assertion:
            return "";
        default:
            return "Run it with all checks, Device::simulator(), to see which access or barrier it "
                   "is.";
    }
}

std::string coordinates(const Coordinates& at) {
    return "(" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " +
           std::to_string(at[2]) + ")";
}

std::string line_text(const std::string& text, int line) {
    std::size_t first = 0;
    for (int i = 1; i < line && first != std::string::npos; ++i)
        first = text.find('\n', first) == std::string::npos ? std::string::npos
                                                            : text.find('\n', first) + 1;
    return first == std::string::npos ? "" : text.substr(first, text.find('\n', first) - first);
}

}  // namespace

std::string assertion_text(const ExitReason& ending, const ProgramText& program) {
    return ending.text.compare(0, program.file.size() + 1, program.file + ":") == 0
               ? program.name + ending.text.substr(program.file.size())
               : ending.text;
}

void throw_fault(const LaunchRequest& request, const ExitReason& ending, LineTable& lines,
                 const Library& library) {
    const void* code = nullptr;
    int line = line_of(ending, lines, library, code);
    if (ending.kind == ExitReason::Kind::stopped)
        if (const int loop = loop_around(request.program.text, line).line; loop > 0) line = loop;
    Finding finding;
    finding.kind = ending.kind == ExitReason::Kind::stopped     ? FindingKind::no_progress
                   : ending.kind == ExitReason::Kind::assertion ? FindingKind::assertion
                   : ending.kind == ExitReason::Kind::stuck     ? FindingKind::barrier_divergence
                                                                : FindingKind::trap;
    finding.first = {ending.place.block, ending.place.thread, line, request.program.name, ""};
    std::string text =
        launch_text(request.entry, request.config) + ": " +
        (ending.kind == ExitReason::Kind::assertion ? assertion_text(ending, request.program)
         : !ending.text.empty()                     ? ending.text
                                                    : what_happened(ending));
    if (ending.kind == ExitReason::Kind::stopped)
        text += " for " + to_text(request.checks.stop_after_seconds) + " s";
    if (line > 0 && ending.kind != ExitReason::Kind::assertion)
        text += " at " + request.program.name + ":" + std::to_string(line);
    text += ", block " + coordinates(ending.place.block);
    if (ending.thread_known) text += ", thread " + coordinates(ending.place.thread);
    text += ".";
    const std::string hint =
        advice(ending, request.config.grid.count() > 1 && !request.checks.any());
    if (!hint.empty()) text += " " + hint;
    if (line > 0)
        text += "\n    " + std::to_string(line) + " | " + line_text(request.program.text, line);
    finding.message = text;
    throw CudaKernelFault(text, {finding});
}

void throw_interrupted(const LaunchRequest& request, const char* what_of_the_buffers) {
    throw Error(launch_text(request.entry, request.config) + ": interrupted. " +
                what_of_the_buffers);
}

void show_printed(std::string& printed) {
    if (printed.empty()) return;
    std::fwrite(printed.data(), 1, printed.size(), stdout);
    std::fflush(stdout);
    printed.clear();
}

}  // namespace lanes::gpu::simulator
