#include "lanes/gpu/launch.hpp"

#include "backend.hpp"
#include "bind.hpp"
#include "trace_log.hpp"

#include "lanes/base/error.hpp"
#include "lanes/gpu/finding.hpp"

#include <mutex>
#include <optional>

namespace lanes {

namespace gpu {

namespace {

struct LastReport {
    std::mutex mutex;
    std::optional<LaunchReport> report;
};

LastReport& last_launch() {
    // Never freed: a static object may launch something when it is destroyed.
    static auto* const last = new LastReport;
    return *last;
}

void remember(const LaunchReport& report) {
    LastReport& last = last_launch();
    const std::lock_guard<std::mutex> lock(last.mutex);
    last.report = report;
}

[[noreturn]] void fail(const std::string& launch, const std::string& what,
                       const std::string& advice) {
    throw Error(launch + ": " + what + ". " + advice);
}

std::string number(std::size_t value) { return std::to_string(value); }

void check_grid(const std::string& launch, const LaunchConfig& config, const DeviceLimits& limits) {
    const std::array<unsigned, 3> grid{config.grid.x, config.grid.y, config.grid.z};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string axis(1, "xyz"[i]);
        if (grid[i] == 0)
            fail(launch, "the grid has 0 blocks along " + axis,
                 "Use at least 1; (n + block - 1) / block rounds up.");
        if (grid[i] > limits.grid[i])
            fail(launch,
                 number(grid[i]) + " blocks along " + axis + ", the device allows " +
                     number(limits.grid[i]),
                 "Use a smaller grid, and a loop over the rest in the CUDA kernel.");
    }
}

void check_block(const std::string& launch, const LaunchConfig& config, const DeviceLimits& limits,
                 const EntryAttributes& attributes) {
    const std::array<unsigned, 3> block{config.block.x, config.block.y, config.block.z};
    const std::size_t threads = config.block.count();
    for (std::size_t i = 0; i < 3; ++i)
        if (block[i] == 0)
            fail(launch, std::string("the block has 0 threads along ") + "xyz"[i],
                 "Use at least 1.");
    // Checked before the single axes: a block with too many threads is the more common mistake.
    const bool each_fits =
        block[0] <= limits.block[0] && block[1] <= limits.block[1] && block[2] <= limits.block[2];
    if (threads > limits.threads_per_block && (each_fits || config.block.count() == block[0]))
        fail(launch,
             number(threads) + " threads per block, the device allows " +
                 number(limits.threads_per_block),
             "Use a smaller block.");
    for (std::size_t i = 0; i < 3; ++i)
        if (block[i] > limits.block[i])
            fail(launch,
                 number(block[i]) + " threads per block along " + "xyz"[i] +
                     ", the device allows " + number(limits.block[i]),
                 "Use a smaller block.");
    if (threads > attributes.max_threads_per_block)
        fail(launch,
             number(threads) + " threads per block, this CUDA kernel allows " +
                 number(attributes.max_threads_per_block) +
                 " (its __launch_bounds__ or its registers)",
             "Use a smaller block, or raise __launch_bounds__.");
}

void check_shared(const std::string& launch, const LaunchConfig& config, const DeviceLimits& limits,
                  const EntryAttributes& attributes) {
    const std::size_t most =
        std::max(limits.shared_bytes_per_block, limits.shared_bytes_per_block_optin);
    if (config.shared_bytes <= most && config.shared_bytes + attributes.static_shared_bytes <= most)
        return;
    const std::string fixed = attributes.static_shared_bytes
                                  ? " and " + number(attributes.static_shared_bytes) + " of static"
                                  : "";
    fail(launch,
         number(config.shared_bytes) + " bytes of dynamic" + fixed +
             " shared memory per block, the device allows " + number(most),
         "Use a smaller tile.");
}

}  // namespace

void Entry::enqueue(const LaunchConfig& config, const RawArgument*, std::size_t) {
    throw Error(launch_text(name(), config), ": this device runs each launch to its end.");
}

void check_shape(const std::string& launch, const LaunchConfig& config, const DeviceLimits& limits,
                 const EntryAttributes& attributes) {
    check_grid(launch, config, limits);
    check_block(launch, config, limits, attributes);
    check_shared(launch, config, limits, attributes);
}

namespace {

constexpr std::size_t resident_threads = 2048;  // per multiprocessor

}  // namespace

std::size_t resident_blocks(std::size_t threads, std::size_t shared_bytes,
                            const DeviceLimits& limits) {
    constexpr std::size_t most_blocks = 32, reserved_bytes = 1024;  // reserved: by the system
    if (threads == 0 || threads > limits.threads_per_block) return 0;
    const std::size_t by_threads = resident_threads / ((threads + 31) / 32 * 32),
                      by_shared = (limits.shared_bytes_per_block_optin + reserved_bytes) /
                                  (shared_bytes + reserved_bytes);
    return std::min({most_blocks, by_threads, by_shared});
}

void check_cooperative(const std::string& launch, const LaunchConfig& config,
                       const DeviceLimits& limits, const EntryAttributes& attributes) {
    const std::size_t fit =
        limits.multiprocessors *
        resident_blocks(config.block.count(), config.shared_bytes + attributes.static_shared_bytes,
                        limits);
    if (config.grid.count() > fit)
        fail(launch,
             "a cooperative launch of " + number(config.grid.count()) + " blocks, but only " +
                 number(fit) + " of this size fit on the simulator at once (" +
                 number(limits.multiprocessors) + " multiprocessors with " +
                 number(resident_threads) + " threads each)",
             "All of them must be there to wait for each other: use fewer blocks, and a loop in "
             "which each thread handles several elements.");
}

std::vector<BoundArgument> checked_arguments(const CudaKernel& cuda_kernel,
                                             const LaunchConfig& config,
                                             const std::vector<Argument>& arguments) {
    const Entry& entry = *cuda_kernel.entry();
    const std::string launch = launch_text(entry.name(), config);
    std::vector<BoundArgument> bound =
        bind_arguments(launch, cuda_kernel.device(), entry.signature(), arguments);
    const EntryAttributes attributes = entry.attributes();
    check_sizes(launch, bound, attributes.parameter_bytes);
    check_shape(launch, config, cuda_kernel.device().limits(), attributes);
    return bound;
}

namespace {

// waits: what a trace says; this always waits.
LaunchReport run_to_its_end(const CudaKernel& cuda_kernel, const LaunchConfig& config,
                            const std::vector<Argument>& arguments, bool waits) {
    const std::vector<BoundArgument> bound = checked_arguments(cuda_kernel, config, arguments);
    Entry& entry = *cuda_kernel.entry();
    TracedRun traced(entry.name(), config, cuda_kernel.device(), waits);
    try {
        const LaunchReport report = entry.launch(config, bound);
        traced.finished(report);
        remember(report);
        return report;
    } catch (const CudaKernelFault& fault) {
        traced.failed(fault.report());
        remember(fault.report());
        throw;
    }
}

}  // namespace

LaunchReport launch_arguments(const CudaKernel& cuda_kernel, const LaunchConfig& config,
                              const std::vector<Argument>& arguments) {
    return run_to_its_end(cuda_kernel, config, arguments, true);
}

void launch_arguments_async(const CudaKernel& cuda_kernel, const LaunchConfig& config,
                            const std::vector<Argument>& arguments) {
    Entry& entry = *cuda_kernel.entry();
    if (!entry.can_enqueue() || any_trace_is_open()) {
        run_to_its_end(cuda_kernel, config, arguments, false);
        return;
    }
    const std::vector<BoundArgument> bound = checked_arguments(cuda_kernel, config, arguments);
    std::vector<RawArgument> raw;
    raw.reserve(bound.size());
    for (const BoundArgument& argument : bound)
        raw.push_back({argument.memory.get(), argument.offset, argument.value.data()});
    entry.enqueue(config, raw.data(), raw.size());
}

}  // namespace gpu

LaunchReport last_report() {
    gpu::LastReport& last = gpu::last_launch();
    const std::lock_guard<std::mutex> lock(last.mutex);
    LANES_REQUIRE(last.report, "last_report: there was no launch yet. Launch a CUDA kernel first.");
    return *last.report;
}

}  // namespace lanes
