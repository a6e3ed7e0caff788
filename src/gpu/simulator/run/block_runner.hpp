// Runs the threads of one block after another on one host thread. Threads that never wait run in a
// plain loop inside the compiled text. The first thread that reaches a barrier or a warp operation
// keeps that stack, and from then on each waiting thread of the block has its own stack.
#pragma once

#include "block_state.hpp"
#include "faults.hpp"
#include "gpu/simulator/interface/tables.hpp"
#include "gpu/simulator/interface/watcher.hpp"
#include "gpu/simulator/object/library.hpp"

#include "lanes/gpu/report.hpp"

#include <array>
#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// Why a launch ended early.
struct ExitReason {
    enum class Kind { none, signal, stopped, assertion, trap, stuck, abandoned } kind = Kind::none;
    int signal = 0;
    const void* address = nullptr;  // of the access that faulted
    // Program counter and stack pointer. code is a return address if the text called the library.
    const unsigned char *code = nullptr, *stack = nullptr;
    // The whole stack of the thread.
    const unsigned char *stack_first = nullptr, *stack_end = nullptr;
    bool thread_known = false;
    ThreadPlace place;  // the block always, the thread if it is known
    std::string text;   // of a failed assertion
};

class BlockRunner : private BlockState {
public:
    BlockRunner();
    BlockRunner(const BlockRunner&) = delete;
    BlockRunner& operator=(const BlockRunner&) = delete;

    // Sets what all blocks of a launch have in common. order: from positions to threads, empty for
    // forward. watcher: null in fast mode.
    void begin(const Library& library, int entry, void** arguments, const LaunchConfig& config,
               std::vector<std::uint16_t> order, Watcher* watcher);
    // Sets which block comes next; returns its first thread.
    ThreadPlace announce(std::uint32_t number);
    // Returns false if all threads of the block wait at sync() of the grid. Then exchange() puts it
    // aside, and when all blocks have come to it, the block goes on by exchange() and
    // continue_block().
    bool run_block(std::uint32_t number);
    bool continue_block();
    std::uint32_t threads() const { return threads_; }  // of a block
    void exchange(BlockState& other) { std::swap(static_cast<BlockState&>(*this), other); }
    // The current block and `waiting` wait at sync() of the grid, and the others have returned.
    [[noreturn]] void stuck_at_grid(const std::vector<std::uint32_t>& waiting,
                                    const std::vector<std::uint32_t>& returned);

    // All CUDA code is run through this function. Returns false if it ended by leave(); then
    // ending() says why.
    template <class F>
    bool guarded(F&& body) {
        enter();
        const bool whole = sigsetjmp(escape_, 0) == 0;
        if (whole) body();
        if (!whole) let_faults_through();
        exit();
        return whole;
    }
    const ExitReason& ending() const { return ending_; }
    // Called by a CUDA thread, or by a signal handler on its stack.
    [[noreturn]] void leave(ExitReason ending);

    // Read by other threads.
    std::atomic<std::uint64_t> finished{0}, barriers{0};
    std::atomic<bool> stop{false};  // leave at the next opportunity

    unsigned threads_begun() const {
        return __atomic_load_n(&begun_, __ATOMIC_RELAXED);
    }  // counted by checked objects

    static BlockRunner* current();  // of this host thread, null if it runs no CUDA code
    bool inside() const { return inside_.load(std::memory_order_relaxed); }
    const Library* library() const { return library_; }
    bool owns_stack(const void* address) const;
    ExitReason here(ExitReason::Kind kind) const;  // block, thread and stack at this moment
    std::vector<ThreadState> states() const;

    std::string printed;  // output of printf
    // Of a return address; called only if there is a watcher.
    std::function<int(const void*)> line_of;

private:
    void enter();
    void exit();
    static void fiber_main(void* runner);
    void run_assigned(Fiber& fiber);
    void resume(Fiber& fiber);
    void prepare();                        // from here on each thread is handled individually
    void wait_here(std::uint32_t thread);  // switches away until the thread is ready again
    // The loop in the compiled text has reached this thread, which will wait: from here on the
    // stack belongs to this thread.
    void adopt(std::uint32_t thread) {
        if (!current_fiber_->split) split_off(thread);
    }
    void split_off(std::uint32_t thread);
    bool find_next(std::uint32_t& position);
    bool search_next(std::uint32_t& position);
    void go_to(std::uint32_t position);
    void start(std::uint32_t position);
    void finish(std::uint32_t first, std::uint32_t last);  // positions
    // Called if no thread is ready: tries what can still make one ready. False if nothing can.
    bool make_some_ready();
    void pass_barrier();
    void report_masks();
    bool barriers_differ() const;
    bool try_warp(std::uint32_t thread);
    void complete_warp(std::uint32_t warp, std::uint32_t group);
    void retry_warp(std::uint32_t warp);
    bool try_tile(std::uint32_t thread);
    void show(std::uint32_t thread);
    ThreadPlace place_of(std::uint32_t thread) const {
        return {block_, coordinates_[thread], block_number_, thread};
    }
    std::uint32_t thread_at(std::uint32_t position) const {
        return order_.empty() ? position : order_[position];
    }
    bool should_stop() const {
        return stop.load(std::memory_order_relaxed) || (watcher_ && watcher_->wants_to_stop());
    }
    void leave_if_stopped(const void* code) {
        if (should_stop()) leave_stopped(code);
    }
    void leave_stopped(const void* code);

    bool end_turn();
    bool is_at_grid() const {
        return at_grid_ > 0 && at_grid_ + done_ == threads_ && (done_ == 0 || !watcher_);
    }

    static int barrier_call(void* engine, unsigned thread, lanes_barrier_op op, int predicate,
                            const void* code, const char* what);
    static unsigned long long warp_call(void* engine, unsigned thread, lanes_warp_op op,
                                        unsigned mask, unsigned long long value, int source,
                                        int* flag, const void* code, const char* what);
    static void yield_call(void* engine, unsigned thread, const void* code);
    static void fence_call(void* engine, unsigned thread, int whole_device);
    static void print_call(void* engine, const char* format, __builtin_va_list arguments);
    static void assertion_call(void* engine, unsigned thread, const char* expression,
                               const char* file, int line, const void* code);
    static void trap_call(void* engine, unsigned thread, const void* code);

    lanes_runtime runtime_;
    sigjmp_buf escape_;
    std::atomic<bool> inside_{false};
    ExitReason ending_;

    const Library* library_ = nullptr;
    const lanes_entry_record* entry_ = nullptr;
    void** arguments_ = nullptr;
    Watcher* watcher_ = nullptr;
    LaunchConfig config_;
    std::vector<std::uint16_t> order_;
    // One per thread: computing them by division each time would be slower.
    std::vector<Coordinates> coordinates_;
    // The same for a checked object, in the order of the schedule.
    std::vector<lanes_thread_place> by_position_;
    std::uint32_t threads_ = 0;
    std::array<std::uint16_t, Stacks::most> position_of_{};

    Fiber main_;
    Fiber* current_fiber_ = nullptr;
    unsigned begun_ = 0;
};

}  // namespace lanes::gpu::simulator
