// The functions that the engine calls while blocks run. The checks implement them; fast mode has no
// Watcher. All calls come from the one thread that runs the blocks (with checks on, blocks run one
// after another), so nothing here is locked.
#pragma once

#include "lanes/gpu/checks.hpp"
#include "lanes/gpu/finding.hpp"
#include "lanes/gpu/report.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// Which bytes of a buffer are initialised.
enum class Holding { nothing, something, everything };

// A contiguous piece of memory that a CUDA kernel may access.
struct Region {
    enum class Kind { global, shared, constant, device_variable, local } kind = Kind::global;
    const unsigned char* first = nullptr;
    std::size_t bytes = 0, element_bytes = 1;
    std::string name;  // of the argument or the variable
    // Elements are float or double: compared with a tolerance between schedules.
    bool is_float = false;
    bool read_only = false;                 // const T*
    Holding holding = Holding::everything;  // of global memory, when the launch began
    // Bytes of a component if elements are vectors of floats, such as float4; otherwise 0.
    std::size_t component_bytes = 0;

    // 4 or 8 if the region consists of floats or doubles; otherwise 0.
    std::size_t float_bytes() const { return is_float ? element_bytes : component_bytes; }
};

struct ThreadPlace {
    Coordinates block{}, thread{};
    // Linear. The warp is thread_number / 32, the lane thread_number % 32.
    std::uint32_t block_number = 0, thread_number = 0;
};

// Where a thread that is not running waits.
enum class Waiting { no, barrier, warp, finished };
struct ThreadState {
    ThreadPlace place;
    Waiting waiting = Waiting::no;
    const void* code = nullptr;  // return address of the call it waits in
    const char* what = "";       // "__syncthreads()", "__shfl_down_sync()"
};

class Watcher {
public:
    virtual ~Watcher() = default;
    virtual void launch_begins(const LaunchConfig& config, const std::vector<Region>& regions) = 0;
    virtual void block_begins(const ThreadPlace& first_thread,
                              const std::vector<Region>& shared) = 0;
    // The running thread, until the next call.
    virtual void thread_runs(const ThreadPlace& thread) = 0;
    virtual void thread_returned(const ThreadPlace& thread) = 0;
    // All threads of the block have arrived: what came before is ordered before what comes after.
    virtual void barrier_passed(const void* code) = 0;
    // __syncwarp, shuffles and votes: they order the lanes of the mask.
    virtual void warp_passed(std::uint32_t warp, std::uint32_t mask, const void* code) = 0;
    // An operation of a tile of several warps: it orders these threads.
    virtual void tile_passed(std::uint32_t first_thread, std::uint32_t count) = 0;
    // lane_asked: the lane whose value a shuffle asks for, if it has none to give; otherwise -1.
    virtual void wrong_mask(const ThreadPlace& thread, const char* what, std::uint32_t mask,
                            std::uint32_t present, int lane_asked, const void* code) = 0;
    // What a shuffle returns if the lane that it asks has no value to give; own: the caller's.
    virtual std::uint64_t absent_value(std::uint64_t own) = 0;
    // __threadfence_block, __threadfence, __threadfence_system.
    virtual void fence(const ThreadPlace& thread, bool whole_device) = 0;
    // No thread of the block can continue: a deadlock. Or one thread of each block, if blocks wait
    // for others that have returned.
    virtual void stuck(const std::vector<ThreadState>& threads) = 0;
    virtual void no_progress(const ThreadState& thread, double seconds) = 0;
    virtual void block_ends() = 0;
    // Cooperative launches: all threads of the block wait at sync() of the grid, and its turn ends.
    virtual void block_waits() = 0;
    // All blocks have come to it: what came before is ordered before what comes after.
    virtual void grid_passed() = 0;
    // The next turn of a block, instead of block_begins.
    virtual void block_continues(const ThreadPlace& first_thread,
                                 const std::vector<Region>& shared) = 0;
    virtual void launch_ends(bool whole) = 0;  // whole: every thread of every block has finished
    // Enough was found: the engine ends the launch after the current thread's step.
    virtual bool wants_to_stop() const = 0;
};

}  // namespace lanes::gpu::simulator
