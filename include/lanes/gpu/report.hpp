// What a launch reports: time on a GPU, counters on the simulator; and the shape of a launch.
//
//   const lanes::LaunchConfig config{{16, 2}, 256};  // grid (16, 2, 1), block (256, 1, 1)
//   const auto threads = config.grid.count() * config.block.count();
//   const lanes::LaunchReport report;                // as returned by launch
//   const auto loads = report.counters.global_load_sectors;
#pragma once

#include "lanes/gpu/accesses.hpp"
#include "lanes/gpu/checks.hpp"
#include "lanes/gpu/finding.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace lanes {

namespace gpu {
[[noreturn]] void fail_dimension(long long value);
struct LaunchRecord;  // src/gpu/launch_record.hpp
}  // namespace gpu

// x, y, z as CUDA's dim3; a plain number is (n, 1, 1). Any integer type: sizes are computed as int
// or std::size_t.
struct Dim3 {
    unsigned x = 1, y = 1, z = 1;

    constexpr Dim3() = default;
    template <class X, class Y = int, class Z = int,
              std::enable_if_t<
                  std::is_integral_v<X> && std::is_integral_v<Y> && std::is_integral_v<Z>, int> = 0>
    constexpr Dim3(X x_, Y y_ = 1, Z z_ = 1) : x(checked(x_)), y(checked(y_)), z(checked(z_)) {}
    constexpr std::size_t count() const { return std::size_t(x) * y * z; }

private:
    template <class N>
    static constexpr unsigned checked(N n) {
        if (n < N(0) || static_cast<unsigned long long>(n) > 0xffffffffULL)
            gpu::fail_dimension(static_cast<long long>(n));
        return static_cast<unsigned>(n);
    }
};

struct LaunchConfig {
    Dim3 grid, block;
    std::size_t shared_bytes = 0;  // dynamic shared memory, extern __shared__
    // All blocks run at the same time, so that this_grid().sync() of <cooperative_groups.h> can
    // wait for them: the grid must fit on the device at once.
    bool cooperative = false;
    // The results may be in any order (places given out by atomicAdd, lists linked by atomicExch):
    // the simulator then compares orders of threads by the set of elements that they leave.
    bool free_order = false;
};

// What the simulator counts. Named as in NVIDIA's profiler, if it has the same counter.
//
// A request is one instruction of one warp: the same place in the text, executed by lanes of the
// warp for the n-th time since the last barrier. Sectors are 32 bytes of global memory, each
// counted once per request.
//
// Every load and store that the text executes is counted, as often as it is executed: the compiler
// removes, merges and moves none before they are counted, so the numbers are the same on every
// machine. One thing is left out, as a GPU leaves it out: what a thread has in a register.
//   - Local variables, also local arrays, count as registers.
//   - Reading an element again is no load if it is one of the last four that the thread has read,
//     if the same place in the text has read no other one since, and if the thread has not passed
//     a barrier, a warp function, a fence, an atomic operation or a store. c[i] = a[i] > b[i] ?
//     a[i] : b[i] are two loads and a store; y[i] += x[i] in a loop is two loads and a store each
//     time. A request is left out only if this holds for each of its lanes; and if another place
//     in the text has read the elements, only if this holds for all its requests: a[i] and b[j]
//     may be the same element by chance.
//   - A float4, any element of 8 or 16 bytes, is one element, whichever of its members are read.
//     Stores of members count one by one.
// (With g++ as the simulator's compiler, accesses that it merged are counted once.)
// An atomic operation is neither a load nor a store. __constant__ memory is not counted. Divergent
// branches are those that are left when the compiler has optimised: a short one may have become an
// instruction without a branch, as on a GPU. Set no goal for them.
struct Counters {
    std::uint64_t global_load_requests = 0;  // l1tex__t_requests_pipe_lsu_mem_global_op_ld
    // l1tex__t_sectors_pipe_lsu_mem_global_op_ld, 32 bytes each.
    std::uint64_t global_load_sectors = 0;
    std::uint64_t global_store_requests = 0;  // l1tex__t_requests_pipe_lsu_mem_global_op_st
    std::uint64_t global_store_sectors = 0;   // l1tex__t_sectors_pipe_lsu_mem_global_op_st
    std::uint64_t shared_load_requests = 0;   // smsp__inst_executed_op_shared_ld
    std::uint64_t shared_store_requests = 0;  // smsp__inst_executed_op_shared_st
    // l1tex__data_bank_conflicts_pipe_lsu_mem_shared: wavefronts beyond the minimum.
    std::uint64_t shared_bank_conflicts = 0;
    std::uint64_t atomic_requests = 0;  // smsp__inst_executed_op_global_atom and op_shared_atom
    // smsp__sass_branch_targets_threads_divergent: branches at which the threads of a warp
    // diverged.
    std::uint64_t divergent_branches = 0;
    std::uint64_t barriers = 0;  // counted once per block
    // Of single threads: 32 for a request of a whole warp.
    std::uint64_t global_loads = 0, global_stores = 0;
};

struct LaunchReport {
    std::string cuda_kernel, device;
    LaunchConfig config;
    bool simulated = false;
    // GPU: between two events around the launch. Simulator: time on the host, which means nothing
    // for a GPU.
    double kernel_seconds = 0;
    bool counted = false;  // whether counters are filled: simulator with Checks::counters
    Counters counters;
    // In a large grid, requests, sectors, conflicts and divergence are counted in 12 to 48 blocks
    // and scaled up to all of them.
    std::size_t blocks_counted = 0;
    // Loads and stores of global memory together. For 4-byte elements 4 is perfect, 32 the worst.
    double sectors_per_request = 0;
    double load_sectors_per_request = 0, store_sectors_per_request = 0;
    unsigned registers_per_thread = 0;  // GPU only
    std::size_t static_shared_bytes = 0;
    // Of the simulator's checks: what may be a mistake, or intended.
    std::vector<std::string> hints;
    // What the simulator found wrong. Then launch has thrown, and this is CudaKernelFault::report()
    // or last_report(); the counters are filled if every thread ran to its end.
    std::vector<Finding> findings;

    // By line, if the launch was counted; the line with the most sectors comes first.
    std::vector<LineTraffic> lines() const;

    // Every access of a small launch on the simulator, in the order in which the threads ran.
    // Larger launches are not recorded, so that they are not slower: of more than recorded_threads
    // threads nothing, of more than recorded_accesses accesses the first ones. Needs
    // Checks::counters.
    static constexpr std::size_t recorded_threads = 1024, recorded_accesses = 16384;
    std::vector<MemoryAccess> accesses() const;
    // thread: number in the launch, blockIdx.x * blockDim.x + threadIdx.x if both have one
    // dimension.
    std::vector<MemoryAccess> accesses(std::size_t thread) const;
    std::vector<AccessedArray> arrays() const;  // in the order of the parameters, then shared ones
    bool has_all_accesses() const;

    std::string text() const;  // a few lines for a notebook
    // In a notebook: table and picture of the counters, and of how many blocks fit on a
    // multiprocessor of the named GPU (occupancy.hpp). In a program: the same as text. Defined by
    // the module notebook, src/notebook/launch/report_picture.cpp.
    void show(const std::string& gpu = "H200") const;

    std::shared_ptr<const gpu::LaunchRecord> record;  // behind lines() and accesses()
};

// Of the last launch of this process, on any device, also if it threw CudaKernelFault. Throws Error
// if there was none.
LaunchReport last_report();

// The text, ended by a newline.
std::ostream& operator<<(std::ostream& out, const LaunchReport& report);

}  // namespace lanes
