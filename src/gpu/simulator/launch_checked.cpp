// One thread runs all blocks, in one order after another, and the checks look at everything.
#include "faults.hpp"
#include "launch_parts.hpp"
#include "schedule.hpp"
#include "shared_names.hpp"

#include "check/checker.hpp"

#include <signal.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <set>

namespace lanes::gpu::simulator {

namespace {

#define LANES_HOOK_TABLE(...) __VA_ARGS__
#include "check/hook_table.inc"
#undef LANES_HOOK_TABLE

// Hooks for a launch that is to stop: whichever is called next leaves. The text calls one in every loop, while a signal must find it between two calls.
void leave_at(const void* code) {
    BlockRunner* runner = BlockRunner::current();
    if (!runner || !runner->inside() || !runner->stop) return;
    Ending ending = runner->here(Ending::Kind::stopped);
    ending.code = static_cast<const unsigned char*>(code);
    runner->leave(std::move(ending));
}
void leave_access(const void*, const void* code) { leave_at(code); }

lanes_hook_table leaving_hooks{{leave_access, leave_access, leave_access, leave_access, leave_access},
                               {leave_access, leave_access, leave_access, leave_access, leave_access},
                               [](const void*, unsigned long, int, const void* code) { leave_at(code); },
                               [](const void*, const void*, unsigned long, const void* code) { leave_at(code); },
                               [](const void*, unsigned long, const void* code) { leave_at(code); },
                               leave_at};

void set_hooks(void** place, void* table) { __atomic_store_n(place, table, __ATOMIC_RELAXED); }

std::vector<Region> global_regions(const LaunchRequest& request, const Library& copy) {
    std::vector<Region> regions;
    for (const auto& argument : request.arguments) {
        if (!argument.memory) continue;
        const Parameter& parameter = *argument.parameter;
        regions.push_back({Region::Kind::global, static_cast<const unsigned char*>(argument.memory->address()), argument.memory->bytes(),
                           std::max<std::size_t>(argument.element_bytes, 1), parameter.name, parameter.tag.kind == TypeTag::Kind::floating,
                           parameter.pointee_const});
    }
    for (const auto& variable : request.variables)
        if (const ElfSymbol* symbol = request.unit.find_variable(variable.declaration)) {
            const bool constant = variable.declaration.constant;
            // NOLINTNEXTLINE(performance-no-int-to-ptr): where the loader put it
            regions.push_back({constant ? Region::Kind::constant : Region::Kind::device_variable,
                               reinterpret_cast<const unsigned char*>(copy.base() + symbol->address), symbol->bytes,
                               std::max<std::size_t>(variable.declaration.tag.bytes, 1), variable.declaration.name,
                               variable.declaration.tag.kind == TypeTag::Kind::floating, constant || symbol->is_read_only()});
        }
    return regions;
}

std::vector<Region> shared_regions(const LaunchRequest& request, const Library& copy) {
    std::vector<Region> regions = request.unit.shared_arrays(copy, request.entry, request.signatures);
    if (request.config.shared_bytes > 0 || has_dynamic_shared(request.program)) {  // one without bytes too: what is touched there has a name
        Region dynamic;
        dynamic.kind = Region::Kind::shared;
        dynamic.first = static_cast<const unsigned char*>(copy.symbol("lanes_dynamic_shared"));
        dynamic.bytes = request.config.shared_bytes;
        regions.push_back(dynamic);
    }
    describe_shared(request.program, regions);
    return regions;
}

// What a CUDA kernel may change, as it was before: each schedule starts from it.
class Snapshot {
public:
    explicit Snapshot(const std::vector<Region>& regions) {
        for (const auto& region : regions)
            if (!region.read_only && seen_.insert(region.first).second) {
                regions_.push_back(region);
                contents_.emplace_back(region.first, region.first + region.bytes);
            }
    }
    void restore() const {
        for (std::size_t i = 0; i < regions_.size(); ++i)
            if (regions_[i].bytes > 0) std::memcpy(const_cast<unsigned char*>(regions_[i].first), contents_[i].data(), contents_[i].size());
    }

private:
    std::set<const unsigned char*> seen_;
    std::vector<Region> regions_;
    std::vector<std::vector<unsigned char>> contents_;
};

std::vector<ScalarArgument> scalars(const std::vector<BoundArgument>& arguments) {
    std::vector<ScalarArgument> all;
    for (const auto& argument : arguments) {
        const TypeTag& tag = argument.parameter->tag;
        if (argument.parameter->pointer || tag.kind != TypeTag::Kind::integer || argument.value.size() > sizeof(long long)) continue;
        long long value = 0;
        std::memcpy(&value, argument.value.data(), argument.value.size());
        if (tag.is_signed && tag.bytes < sizeof value) value = value << (64 - 8 * tag.bytes) >> (64 - 8 * tag.bytes);
        all.push_back({argument.parameter->name, value});
    }
    return all;
}

// Sentences for what only the signal says.
const char* words_of(const Ending& ending) {
    if (ending.kind == Ending::Kind::trap) return "__trap() was called";
    if (ending.signal == SIGFPE) return "an integer was divided by zero";
    if (ending.signal == SIGILL || ending.signal == SIGTRAP) return "the end of a function that must return a value was reached";
    return "the thread's stack overflowed, or memory was touched that belongs to nothing known";
}

void tell(Checker& checker, const Ending& ending, const LaunchRequest& request, LineTable& lines, const Library& copy) {
    const void* code = ending.code;
    if (ending.kind == Ending::Kind::signal || ending.kind == Ending::Kind::stopped) line_of(ending, lines, copy, code);
    switch (ending.kind) {
        case Ending::Kind::assertion:
            return checker.failed(FindingKind::assertion, ending.place, ending.text, code);
        case Ending::Kind::trap:
        case Ending::Kind::signal:
            return checker.failed(FindingKind::trap, ending.place, words_of(ending), code);
        case Ending::Kind::stopped:
            return checker.no_progress({ending.place, Waiting::no, code, ""}, request.checks.stop_after_seconds);
        default:
            return;  // told already
    }
}

double ratio(std::uint64_t sectors, std::uint64_t requests) { return requests ? static_cast<double>(sectors) / static_cast<double>(requests) : 0; }

}  // namespace

LaunchReport launch_checked(const LaunchRequest& request) {
    Pool& pool = Pool::get();
    const auto reserved = pool.reserve();
    ArgumentList arguments(request.arguments);
    const Library& copy = request.unit.copy(0);
    variables_in(request, 0);
    const std::vector<Region> regions = global_regions(request, copy), shared = shared_regions(request, copy);
    const Snapshot snapshot(regions);
    const auto blocks = static_cast<std::uint32_t>(request.config.grid.count());
    const int entry = request.unit.number_of(request.entry);
    BlockRunner& runner = pool.runner(0);
    LineTable lines(request.unit.object(), copy.base(), request.program.name);
    const std::unique_ptr<Checker> checker =
        make_checker({request.checks, request.program.name, request.program.text, request.entry, scalars(request.arguments), &lines,
                      [&] { runner.leave(runner.here(Ending::Kind::abandoned)); }, is_own_stack});
    auto** const hooks = static_cast<void**>(copy.symbol("lanes_hooks"));
    runner.line_of = [&](const void* code) { return lines(code).line; };
    std::exception_ptr error;

    LaunchReport report;
    const FaultGuard guard;
    const auto begin = std::chrono::steady_clock::now();
    for (int schedule = 0; schedule < std::max(1, request.checks.schedules); ++schedule) {
        if (schedule > 0) snapshot.restore();
        const auto order = schedule_order<std::uint32_t>(schedule, request.checks.seed, blocks);
        const auto work = [&](int) {
            try {
                runner.stop = false;
                runner.begin(copy, entry, arguments.pointers(), request.config,
                             schedule_order<std::uint16_t>(schedule, request.checks.seed, request.config.block.count()), checker.get());
                checker->launch_begins(request.config, regions);
                set_hooks(hooks, checker->hooks());
                runner.guarded([&] {
                    for (const std::uint32_t block : order) {
                        for (const auto& region : shared) std::memset(const_cast<unsigned char*>(region.first), 0xff, region.bytes);
                        checker->block_begins(runner.announce(block), shared);
                        runner.run_block(block);
                        checker->block_ends();
                        if (checker->wants_to_stop() || runner.stop) break;
                    }
                });
                set_hooks(hooks, nullptr);
                checker->launch_ends();
            } catch (...) {
                set_hooks(hooks, nullptr);
                error = std::current_exception();
            }
        };
        StopWatch watch(pool, 1, request.checks.stop_after_seconds);
        pool.run(1, work, [&] {
            watch.look();
            if (watch.interrupted() || watch.stopped()) set_hooks(hooks, &leaving_hooks);
        });
        if (schedule == 0) {
            report.kernel_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            show_printed(runner.printed);
        }
        runner.printed.clear();
        if (error) std::rethrow_exception(error);
        if (watch.interrupted()) throw_interrupted(request);
        tell(*checker, runner.ending(), request, lines, copy);
        if (!checker->has_findings()) checker->schedule_ended(schedule_name(schedule), regions);
        if (checker->has_findings()) break;
    }
    variables_out(request, 0);
    runner.line_of = nullptr;
    if (checker->has_findings()) {
        std::vector<Finding> findings = checker->findings();
        std::string text = findings.front().message;
        if (findings.size() > 1) text += "\n(and " + std::to_string(findings.size() - 1) + " more)";
        throw CudaKernelFault(text, std::move(findings));
    }
    report.counted = request.checks.counters;
    if (report.counted) {
        const Counters& counters = report.counters = checker->counters();
        report.blocks_counted = checker->blocks_counted();
        report.load_sectors_per_request = ratio(counters.global_load_sectors, counters.global_load_requests);
        report.store_sectors_per_request = ratio(counters.global_store_sectors, counters.global_store_requests);
        report.sectors_per_request =
            ratio(counters.global_load_sectors + counters.global_store_sectors, counters.global_load_requests + counters.global_store_requests);
    }
    return report;
}

}  // namespace lanes::gpu::simulator
