// Fast launches: blocks are distributed over the workers, without checks.
#include "block_turns.hpp"
#include "faults.hpp"
#include "launch_parts.hpp"

#include "gpu/simulator/memory/shadow.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>

namespace lanes::gpu::simulator {

namespace {

std::vector<std::uint32_t> in_order(std::size_t blocks) {
    std::vector<std::uint32_t> numbers(blocks);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

}  // namespace

LaunchReport launch_fast(const LaunchRequest& request) {
    Pool& pool = Pool::get();
    const auto reserved = pool.reserve();
    ArgumentList arguments(request.arguments);
    const std::size_t blocks = request.config.grid.count();
    const bool one_copy = writes_variables(request) || request.config.cooperative;
    const int workers = one_copy ? 1
                                 : static_cast<int>(std::min<std::size_t>(
                                       static_cast<std::size_t>(pool.workers()), blocks));
    const int entry = request.unit.number_of(request.entry);
    // Neighbouring blocks run on one core, in chunks small enough to share the work fairly.
    const std::size_t stretch =
        std::max<std::size_t>(1, blocks / (static_cast<std::size_t>(workers) * 16));
    for (int worker = 0; worker < workers; ++worker) {
        request.unit.copy(worker);  // loaded here, where it may throw
        variables_in(request, worker);
    }

    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    const auto work = [&](int worker) {
        BlockRunner& runner = pool.runner(worker);
        runner.stop = false;
        runner.begin(request.unit.copy(worker), entry, arguments.pointers(), request.config, {},
                     nullptr);
        std::optional<BlockTurns> turns;
        if (request.config.cooperative) {
            const Library& copy = request.unit.copy(worker);
            turns.emplace(runner, in_order(blocks), shared_regions(request, copy), nullptr);
        }
        const bool whole = runner.guarded([&] {
            if (turns) return turns->run();
            while (!failed.load(std::memory_order_relaxed)) {
                const std::size_t first = next.fetch_add(stretch, std::memory_order_relaxed);
                if (first >= blocks) break;
                const std::size_t last = std::min(blocks, first + stretch);
                for (std::size_t block = first;
                     block < last && !runner.stop.load(std::memory_order_relaxed); ++block)
                    runner.run_block(static_cast<std::uint32_t>(block));
            }
        });
        if (!whole) failed = true;
    };

    const FaultGuard guard;
    ProgressWatchdog watch(pool, workers, request.checks.stop_after_seconds);
    const auto begin = std::chrono::steady_clock::now();
    pool.run(workers, work, [&] {
        if (!watch.look()) return;
        for (int worker = 0; worker < workers; ++worker) pool.ask_worker_to_leave(worker);
    });
    LaunchReport report = request.known;
    report.kernel_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (one_copy) variables_out(request, 0);
    for (int worker = 0; worker < workers; ++worker) show_printed(pool.runner(worker).printed);
    for (const auto& argument : request.arguments)
        if (argument.memory && !argument.parameter->pointee_const)
            memory_written(argument.memory->address(), argument.memory->bytes());
    if (watch.interrupted()) throw_interrupted(request, "The buffers hold what was done so far.");
    for (int worker = 0; worker < workers; ++worker) {
        const ExitReason& ending = pool.runner(worker).ending();
        if (ending.kind == ExitReason::Kind::none) continue;
        const Library& copy = request.unit.copy(worker);
        LineTable lines(request.unit.object(), copy.base(), request.program.file);
        throw_fault(request, ending, lines, copy);
    }
    return report;
}

}  // namespace lanes::gpu::simulator
