// Checked launches: one thread runs all blocks, in one order after another, and the checks observe
// every access.
#include "block_turns.hpp"
#include "faults.hpp"
#include "gpu/simulator/memory/snapshot.hpp"
#include "launch_parts.hpp"
#include "notes.hpp"
#include "schedule.hpp"

#include "gpu/backend.hpp"
#include "gpu/launch_record.hpp"

#include "gpu/simulator/check/checker.hpp"
#include "gpu/simulator/interface/tables.hpp"

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace lanes::gpu::simulator {

namespace {

// Hooks for a launch that must stop: the next hook that is called leaves the CUDA code. A signal,
// as fast launches use it, would mostly arrive inside a hook, where the line of the student's text
// is not known. It is sent later, to a loop that calls no hook: the compiler may read a condition
// once before the loop.
void leave_at(const void* code) {
    BlockRunner* runner = BlockRunner::current();
    if (!runner || !runner->inside() || !runner->stop) return;
    ExitReason ending = runner->here(ExitReason::Kind::stopped);
    ending.code = static_cast<const unsigned char*>(code);
    runner->leave(std::move(ending));
}
void leave_access(const void*, const void* code) { leave_at(code); }

lanes_hook_table make_leaving_hooks() {
    static lanes_site no_site{};
    lanes_hook_table hooks{};
    for (int size = 0; size < 5; ++size)
        hooks.read[size] = hooks.write[size] = hooks.volatile_read[size] =
            hooks.volatile_write[size] = leave_access;
    hooks.range = [](const void*, unsigned long, int, const void* code) { leave_at(code); };
    hooks.copy = [](const void*, const void*, unsigned long, const void* code) { leave_at(code); };
    hooks.atomic = [](const void*, unsigned long, int, const void* code) { leave_at(code); };
    hooks.added = [](const void*, double) {};
    hooks.part = leave_at;
    hooks.unset = [](const char*, const void* code) { leave_at(code); };
    hooks.beyond = [](const char*, unsigned, unsigned, const char*, long, const void* code) {
        leave_at(code);
    };
    hooks.misaligned = [](const void*, unsigned long, const void* code) { leave_at(code); };
    hooks.thread_begins = hooks.thread_returns = [](unsigned) { leave_at(nullptr); };
    hooks.sites = &no_site;
    hooks.counted = hooks.stop = 1;
    return hooks;
}
lanes_hook_table leaving_hooks = make_leaving_hooks();

void set_hooks(void** place, void* table) { __atomic_store_n(place, table, __ATOMIC_RELAXED); }

// 4 for float2, 8 for double3, 0 for what is no vector of floats.
std::size_t component_bytes(const std::string& type) {
    const std::string vector = type.empty() ? "" : type.substr(0, type.size() - 1);
    const char last = type.empty() ? '0' : type.back();
    if (last < '1' || last > '4') return 0;
    return vector == "float" ? sizeof(float) : vector == "double" ? sizeof(double) : 0;
}

std::vector<Region> global_regions(const LaunchRequest& request, const Library& copy) {
    std::vector<Region> regions;
    for (const auto& argument : request.arguments) {
        if (!argument.memory) continue;
        const Parameter& parameter = *argument.parameter;
        regions.push_back({Region::Kind::global,
                           static_cast<const unsigned char*>(argument.memory->address()),
                           argument.memory->bytes(),
                           std::max<std::size_t>(argument.element_bytes, 1), parameter.name,
                           parameter.tag.kind == TypeTag::Kind::floating, parameter.pointee_const});
        regions.back().component_bytes = component_bytes(parameter.type);
    }
    for (const auto& variable : request.variables)
        if (const ElfSymbol* symbol = request.unit.find_variable(variable.declaration)) {
            const bool constant = variable.declaration.constant;
            const auto place = copy.base() + symbol->address;  // where the loader put it
            // NOLINTNEXTLINE(performance-no-int-to-ptr)
            const auto* first = reinterpret_cast<const unsigned char*>(place);
            regions.push_back({constant ? Region::Kind::constant : Region::Kind::device_variable,
                               first, symbol->bytes,
                               std::max<std::size_t>(variable.declaration.tag.bytes, 1),
                               variable.declaration.name,
                               variable.declaration.tag.kind == TypeTag::Kind::floating,
                               constant || symbol->is_read_only()});
        }
    return regions;
}

Arguments arguments_of(const std::vector<BoundArgument>& arguments) {
    Arguments all;
    for (const auto& argument : arguments) {
        const TypeTag& tag = argument.parameter->tag;
        if (argument.parameter->pointer && !argument.memory)
            all.null_pointers.push_back(argument.parameter->name);
        if (!argument.parameter->pointer && tag.kind == TypeTag::Kind::other)
            all.has_structs = true;
        if (argument.parameter->pointer || tag.kind != TypeTag::Kind::integer ||
            argument.value.size() > sizeof(long long))
            continue;
        long long value = 0;
        std::memcpy(&value, argument.value.data(), argument.value.size());
        if (tag.is_signed && tag.bytes < sizeof value)
            value = value << (64 - 8 * tag.bytes) >> (64 - 8 * tag.bytes);
        all.scalars.push_back({argument.parameter->name, value});
    }
    return all;
}

// The meaning of a signal, as a sentence.
const char* signal_text(const ExitReason& ending) {
    if (ending.kind == ExitReason::Kind::trap) return "__trap() was called";
    if (ending.signal == SIGFPE) return "an integer was divided by zero";
    if (ending.signal == SIGILL || ending.signal == SIGTRAP)
        return "the end of a function that must return a value was reached";
    return "the thread's stack overflowed, or memory was touched that belongs to nothing known";
}

void report_ending(Checker& checker, const ExitReason& ending, const LaunchRequest& request,
                   LineTable& lines, const Library& copy) {
    const void* code = ending.code;
    if (ending.kind == ExitReason::Kind::signal || ending.kind == ExitReason::Kind::stopped)
        line_of(ending, lines, copy, code);
    switch (ending.kind) {
        case ExitReason::Kind::assertion:
            return checker.failed(FindingKind::assertion, ending.place,
                                  assertion_text(ending, request.program), code);
        case ExitReason::Kind::trap:
        case ExitReason::Kind::signal:
            return checker.failed(FindingKind::trap, ending.place, signal_text(ending), code);
        case ExitReason::Kind::stopped:
            return checker.no_progress({ending.place, Waiting::no, code, ""},
                                       request.checks.stop_after_seconds);
        default:
            return;  // already reported
    }
}

// A hint may be a false alarm: a search without a hit writes nothing. It is printed once, and only
// if no launch of the CUDA kernel has written anything so far. The report always has it.
void print_hints(const LaunchRequest& request, const std::vector<std::string>& hints, bool wrote) {
    Unit::HintState& state = request.unit.hint_states[request.entry];
    if (!wrote && !state.wrote && !state.printed)
        for (const std::string& hint : hints) {
            print_note()(launch_text(request.entry, request.config) + ": " + hint);
            state.printed = true;
        }
    state.wrote = state.wrote || wrote;
}

double ratio(std::uint64_t sectors, std::uint64_t requests) {
    return requests ? static_cast<double>(sectors) / static_cast<double>(requests) : 0;
}

void report_counters(const LaunchRequest& request, Checker& checker, LaunchReport& report) {
    const auto record = std::make_shared<LaunchRecord>();
    checker.record(*record);
    record->find_lines = request.find_lines;
    report.record = record;
    report.counted = request.checks.counters && checker.ran_to_end();
    if (!report.counted) return;
    const Counters& counters = report.counters = checker.counters();
    report.blocks_counted = checker.blocks_counted();
    report.load_sectors_per_request =
        ratio(counters.global_load_sectors, counters.global_load_requests);
    report.store_sectors_per_request =
        ratio(counters.global_store_sectors, counters.global_store_requests);
    report.sectors_per_request =
        ratio(counters.global_load_sectors + counters.global_store_sectors,
              counters.global_load_requests + counters.global_store_requests);
}

// One attempt of a launch. If a region that is const to the CUDA kernel turns out to be written,
// adds it to `watched` and returns false: the launch must be repeated.
bool try_launch(const LaunchRequest& request, Pool& pool, const Library& copy,
                const Snapshot& snapshot, const std::vector<Region>& regions,
                std::set<const unsigned char*>& watched, LaunchReport& report) {
    ArgumentList arguments(request.arguments);
    const std::vector<Region> shared = shared_regions(request, copy);
    const auto blocks = static_cast<std::uint32_t>(request.config.grid.count());
    const int entry = request.unit.number_of(request.entry);
    BlockRunner& runner = pool.runner(0);
    LineTable lines(request.unit.object(), copy.base(), request.program.file);
    const std::unique_ptr<Checker> checker =
        make_checker({request.checks, request.program.name, request.program.text, request.entry,
                      arguments_of(request.arguments), &lines,
                      [&] { runner.leave(runner.here(ExitReason::Kind::abandoned)); }, is_own_stack,
                      watched, [&] { return !runner.printed.empty(); }, request.program.flags});
    auto** const hooks = static_cast<void**>(copy.symbol("lanes_hooks"));
    void* const idle = copy.symbol("lanes_idle_hooks");
    runner.line_of = [&](const void* code) { return lines(code).line; };
    std::exception_ptr error;

    const auto begin = std::chrono::steady_clock::now();
    for (int schedule = 0; schedule < std::max(1, request.checks.schedules); ++schedule) {
        if (schedule > 0) snapshot.restore();
        const auto order = schedule_order<std::uint32_t>(schedule, request.checks.seed, blocks);
        const auto work = [&](int) {
            try {
                runner.stop = false;
                runner.begin(copy, entry, arguments.pointers(), request.config,
                             schedule_order<std::uint16_t>(schedule, request.checks.seed,
                                                           request.config.block.count()),
                             checker.get());
                checker->launch_begins(request.config, regions);
                set_hooks(hooks, checker->hooks());
                std::optional<BlockTurns> turns;
                if (request.config.cooperative) turns.emplace(runner, order, shared, checker.get());
                const bool ended = runner.guarded([&] {
                    if (turns) return turns->run();
                    for (const std::uint32_t block : order) {
                        for (const auto& region : shared)
                            std::memset(const_cast<unsigned char*>(region.first), 0xff,
                                        region.bytes);
                        checker->block_begins(runner.announce(block), shared);
                        runner.run_block(block);
                        checker->block_ends();
                        if (checker->wants_to_stop() || runner.stop) break;
                    }
                });
                set_hooks(hooks, idle);
                checker->launch_ends(ended && !runner.stop);
            } catch (...) {
                set_hooks(hooks, idle);
                error = std::current_exception();
            }
        };
        ProgressWatchdog watch(pool, 1, request.checks.stop_after_seconds);
        int asked = 0;
        pool.run(1, work, [&] {
            if (!watch.look()) return;
            set_hooks(hooks, &leaving_hooks);
            constexpr int patience = 50;  // calls, one each 10 ms
            if (++asked > patience) pool.ask_worker_to_leave(0);
        });
        if (error) std::rethrow_exception(error);
        if (const unsigned char* written = checker->must_be_watched()) {
            runner.printed.clear();
            watched.insert(written);
            return false;
        }
        if (schedule == 0) {
            report.kernel_seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            show_printed(runner.printed);
        }
        runner.printed.clear();
        if (checker->waits_for_another_block()) {
            snapshot.restore_values();
            continue;
        }
        if (watch.interrupted()) throw_interrupted(request, "The buffers are as they were before.");
        report_ending(*checker, runner.ending(), request, lines, copy);
        if (!checker->has_findings()) checker->schedule_ended(schedule_name(schedule), regions);
        if (checker->has_findings()) break;
    }
    runner.line_of = nullptr;
    checker->schedules_done();
    report_counters(request, *checker, report);
    if (checker->has_findings()) {
        report.findings = checker->findings();
        std::string text = report.findings.front().message;
        if (report.findings.size() > 1)
            text += "\n(and " + std::to_string(report.findings.size() - 1) + " more)";
        throw CudaKernelFault(text, report.findings, std::make_shared<LaunchReport>(report));
    }
    report.hints = checker->hints();
    print_hints(request, report.hints, checker->wrote());
    return true;
}

// Prints once per process, after a slow launch, how to make it faster. It measures CPU time, so
// that other load on the machine does not count.
class SlowLaunch {
public:
    explicit SlowLaunch(const LaunchRequest& request) : request_(request), begin_(cpu_seconds()) {}
    ~SlowLaunch() {
        static bool printed = false;
        const double seconds = cpu_seconds() - begin_;
        if (printed || seconds < request_.checks.slow_after_seconds) return;
        printed = true;
        const std::string fewer =
            request_.checks.schedules > 1
                ? "device.with(Checks::one_schedule()) runs the threads in one order, not in "
                  "several, "
                : "";
        print_note()(launch_text(request_.entry, request_.config) + ": the checks took " +
                     std::to_string(std::lround(seconds)) + " s. To be faster: fewer elements, " +
                     fewer + "device.fast() checks nothing.");
    }
    SlowLaunch(const SlowLaunch&) = delete;
    SlowLaunch& operator=(const SlowLaunch&) = delete;

private:
    static double cpu_seconds() {
        timespec now{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    }
    const LaunchRequest& request_;
    double begin_;
};

}  // namespace

std::function<void(const std::string&)>& print_note() {
    static std::function<void(const std::string&)> print = [](const std::string& text) {
        std::fprintf(stderr, "%s\n", text.c_str());
    };
    return print;
}

LaunchReport launch_checked(const LaunchRequest& request) {
    const SlowLaunch slow(request);
    Pool& pool = Pool::get();
    const auto reserved = pool.reserve();
    const Library& copy = request.unit.copy(0);
    variables_in(request, 0);
    std::vector<Region> regions = global_regions(request, copy);
    Snapshot snapshot(regions);
    for (Region& region : regions) region.holding = snapshot.holding(region);
    const FaultGuard guard;
    std::set<const unsigned char*> watched;
    LaunchReport report = request.known;
    try {
        while (!try_launch(request, pool, copy, snapshot, regions, watched, report)) {
            for (const Region& region : regions)
                if (watched.count(region.first)) snapshot.add(region);
            snapshot.restore_values();
        }
    } catch (...) {
        snapshot.restore_values();
        variables_out(request, 0);
        throw;
    }
    variables_out(request, 0);
    return report;
}

}  // namespace lanes::gpu::simulator
