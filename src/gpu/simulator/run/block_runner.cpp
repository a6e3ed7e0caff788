#include "block_runner.hpp"
#include "block_switch.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>

namespace lanes::gpu::simulator {

namespace {

thread_local BlockRunner* current_runner = nullptr;

BlockRunner& runner(void* engine) { return *static_cast<BlockRunner*>(engine); }

}  // namespace

BlockRunner* BlockRunner::current() { return current_runner; }

bool is_own_stack(const void* address) {
    return current_runner && current_runner->owns_stack(address);
}

BlockRunner::BlockRunner()
    : BlockState(Stacks::most),
      runtime_{this,       barrier_call,   warp_call, yield_call, fence_call,
               print_call, assertion_call, trap_call, nullptr,    0,
               &position_, &begun_,        0} {}

void BlockRunner::enter() {
    current_runner = this;
    inside_ = true;
    ending_ = {};
}

void BlockRunner::exit() {
    inside_ = false;
    current_runner = nullptr;
}

void BlockRunner::leave(ExitReason ending) {
    inside_ = false;
    std::exchange(ending_, std::move(ending));  // frees the old one: the jump destroys nothing
    for (std::uint32_t number = 0; number < fresh_fiber_; ++number) stacks_.forget(number);
    siglongjmp(escape_, 1);
}

void BlockRunner::begin(const Library& library, int entry, void** arguments,
                        const LaunchConfig& config, std::vector<std::uint16_t> order,
                        Watcher* watcher) {
    library_ = &library;
    entry_ = &library.entry(entry);
    arguments_ = arguments;
    config_ = config;
    order_ = std::move(order);
    watcher_ = watcher;
    threads_ = static_cast<std::uint32_t>(config.block.count());
    for (std::uint32_t position = 0; position < threads_; ++position)
        position_of_[thread_at(position)] = static_cast<std::uint16_t>(position);
    coordinates_.resize(threads_);
    for (std::uint32_t thread = 0; thread < threads_; ++thread)
        coordinates_[thread] = {thread % config.block.x, thread / config.block.x % config.block.y,
                                thread / config.block.x / config.block.y};
    by_position_.clear();
    for (std::uint32_t position = 0; watcher && position < threads_; ++position) {
        const std::uint32_t thread = thread_at(position);
        by_position_.push_back(
            {coordinates_[thread][0], coordinates_[thread][1], coordinates_[thread][2], thread});
    }
    runtime_.threads = by_position_.data();
    runtime_.count = threads_;
    runtime_.cooperative = config.cooperative;
    library.connect(&runtime_);
    const unsigned grid[] = {config.grid.x, config.grid.y, config.grid.z},
                   block[] = {config.block.x, config.block.y, config.block.z};
    library.begin_launch(grid, block);
}

ThreadPlace BlockRunner::announce(std::uint32_t number) {
    block_number_ = number;
    block_ = {number % config_.grid.x, number / config_.grid.x % config_.grid.y,
              number / config_.grid.x / config_.grid.y};
    return place_of(0);
}

bool BlockRunner::run_block(std::uint32_t number) {
    announce(number);
    library_->begin_block(block_[0], block_[1], block_[2]);
    free_fibers_.clear();
    fresh_fiber_ = 0;
    done_ = waiting_ = at_grid_ = 0;
    waits_for_grid_ = false;
    barrier_sum_ = 0;
    barrier_number_ = 0;
    current_fiber_ = &main_;
    prepared_ = false;
    state_[0] = unstarted;
    go_to(0);
    return end_turn();
}

bool BlockRunner::continue_block() {
    library_->begin_block(block_[0], block_[1], block_[2]);
    current_fiber_ = &main_;
    waits_for_grid_ = false;
    at_grid_ = 0;
    pass_barrier();
    std::uint32_t next = 0;
    find_next(next);
    go_to(next);
    return end_turn();
}

bool BlockRunner::end_turn() {
    if (waits_for_grid_) return false;
    finished.store(finished.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return true;
}

void BlockRunner::stuck_at_grid(const std::vector<std::uint32_t>& waiting,
                                const std::vector<std::uint32_t>& returned) {
    ExitReason ending = here(ExitReason::Kind::stuck);
    ending.code = static_cast<const unsigned char*>(wait_[0].code);
    ending.text = "the sync() of the grid does not end: " + std::to_string(returned.size()) +
                  (returned.size() == 1 ? " block has" : " blocks have") +
                  " returned without coming to it";
    if (watcher_) {
        const Wait wait = wait_[0];
        std::vector<ThreadState> blocks;
        blocks.reserve(waiting.size() + returned.size());
        for (const std::uint32_t block : waiting)
            blocks.push_back({announce(block), Waiting::barrier, wait.code, wait.what});
        for (const std::uint32_t block : returned)
            blocks.push_back({announce(block), Waiting::finished, nullptr, ""});
        watcher_->stuck(blocks);
    }
    leave(std::move(ending));
}

void BlockRunner::prepare() {
    prepared_ = true;
    std::fill_n(state_.begin(), threads_, std::uint8_t(unstarted));
    const std::uint32_t warps = (threads_ + 31) / 32;
    std::fill_n(gone_.begin(), warps, 0U);
    std::fill_n(in_warp_.begin(), warps, 0U);
    if (threads_ % 32 != 0) gone_[warps - 1] = ~0U << threads_ % 32;
}

// --- Switching

[[gnu::always_inline]] inline void BlockRunner::run_assigned(Fiber& fiber) {
    fiber.split = false;
    entry_->loop(arguments_, fiber.first);
    if (fiber.split) {
        const std::uint32_t position = position_of_[fiber.thread];
        if (watcher_) watcher_->thread_returned(place_of(fiber.thread));
        finish(position, position + 1);
    } else if (prepared_ && !(watcher_ && should_stop())) {
        // (If it should stop, the loop of a checked object has already ended.)
        finish(fiber.first, threads_);
    }
    if (watcher_) leave_if_stopped(nullptr);
}

// A stack runs threads until the next thread already has a stack of its own. Then it is abandoned;
// if it is needed again, it starts from the beginning.
void BlockRunner::fiber_main(void* engine) {
    BlockRunner& self = runner(engine);
    for (;;) {
        Fiber& mine = *self.current_fiber_;
        self.run_assigned(mine);
        std::uint32_t next = 0;
        if (!self.prepared_ || !self.find_next(next)) {
            self.resume(self.main_);  // the block is finished
        } else if (self.state_[next] == unstarted) {
            self.position_ = mine.first = next;  // reuse the same stack
            mine.thread = self.thread_at(next);
        } else {
            self.free_fibers_.push_back(static_cast<std::uint16_t>(&mine - self.fibers_.data()));
            self.go_to(next);
        }
    }
}

// Tells the library and the watcher which thread runs now. Only for checked objects: others keep
// their indices themselves.
void BlockRunner::show(std::uint32_t thread) {
    const ThreadPlace place = place_of(thread);
    library_->set_thread(place.thread[0], place.thread[1], place.thread[2]);
    watcher_->thread_runs(place);
}

void BlockRunner::split_off(std::uint32_t thread) {
    Fiber& fiber = *current_fiber_;
    fiber.split = true;
    if (!prepared_) prepare();
    position_ = position_of_[thread];
    finish(fiber.first, position_);
    fiber.thread = thread;
}

bool BlockRunner::search_next(std::uint32_t& position) {
    for (;;) {
        for (std::uint32_t i = position_ + 1; i < threads_; ++i)
            if (state_[i] <= ready) return position = i, true;
        for (std::uint32_t i = 0; i <= position_; ++i)
            if (state_[i] <= ready) return position = i, true;
        if (done_ == threads_) return false;
        if (is_at_grid()) {
            waits_for_grid_ = true;
            resume(main_);  // returns in the turn after the next sync(), if a thread still has this
                            // stack
            return position = position_, true;
        }
        if (!make_some_ready()) {
            if (watcher_) watcher_->stuck(states());
            leave(here(ExitReason::Kind::stuck));
        }
    }
}

void BlockRunner::start(std::uint32_t position) {
    const std::uint32_t thread = thread_at(position);
    std::uint32_t number = fresh_fiber_;
    if (free_fibers_.empty()) {
        ++fresh_fiber_;
    } else {
        number = free_fibers_.back();
        free_fibers_.pop_back();
    }
    Fiber& fiber = fibers_[number];
    fiber.first = position;
    fiber.thread = thread;
    begin_stack(fiber.stack, stacks_.top(number), fiber_main);
    resume(fiber);
}

void BlockRunner::finish(std::uint32_t first, std::uint32_t last) {
    if (last <= first) return;
    for (std::uint32_t position = first; position < last; ++position) {
        const std::uint32_t thread = thread_at(position);
        state_[position] = done;
        gone_[thread / 32] |= 1U << thread % 32;
    }
    done_ += last - first;
    // For one thread the warp is known. Several threads may belong to any warps, because the
    // schedule may reorder them.
    const std::uint32_t only = thread_at(first) / 32;
    const std::uint32_t end = last - first == 1 ? only + 1 : (threads_ + 31) / 32;
    for (std::uint32_t warp = last - first == 1 ? only : 0; warp < end; ++warp)
        if (in_warp_[warp]) retry_warp(warp);
    finished.store(finished.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// --- Positions of threads

std::vector<ThreadState> BlockRunner::states() const {
    std::vector<ThreadState> all;
    for (std::uint32_t thread = 0; thread < threads_; ++thread) {
        const State state = static_cast<State>(state_[position_of_[thread]]);
        const Wait& wait = wait_[thread];
        const Waiting waiting = state == done                             ? Waiting::finished
                                : state == at_barrier || state == in_tile ? Waiting::barrier
                                : state >= in_warp                        ? Waiting::warp
                                                                          : Waiting::no;
        const bool waits = waiting == Waiting::barrier || waiting == Waiting::warp;
        all.push_back(
            {place_of(thread), waiting, waits ? wait.code : nullptr, waits ? wait.what : ""});
    }
    return all;
}

bool BlockRunner::owns_stack(const void* address) const {
    return current_fiber_ != &main_ && current_fiber_ &&
           stacks_.holds(static_cast<unsigned>(current_fiber_ - fibers_.data()), address);
}

ExitReason BlockRunner::here(ExitReason::Kind kind) const {
    ExitReason ending;
    ending.kind = kind;
    // If a thread still runs ahead in the loop of the compiled text, only that loop knows which it
    // is.
    ending.thread_known =
        current_fiber_ != &main_ && (watcher_ || current_fiber_->split || threads_ == 1);
    ending.place = place_of(!ending.thread_known ? 0
                            : watcher_           ? thread_at(position_)
                                                 : current_fiber_->thread);
    if (current_fiber_ != &main_) {
        const auto number = static_cast<unsigned>(current_fiber_ - fibers_.data());
        ending.stack_first = stacks_.bottom(number);
        ending.stack_end = stacks_.end(number);
    }
    return ending;
}

void BlockRunner::leave_stopped(const void* code) {
    ExitReason ending = here(stop.load(std::memory_order_relaxed) ? ExitReason::Kind::stopped
                                                                  : ExitReason::Kind::abandoned);
    // If the compiler has inlined the whole text of the thread into the function that the runner
    // calls, the code is that of the runner: then the stack says where the text was left.
    ending.code = static_cast<const unsigned char*>(code);
    ending.stack = static_cast<const unsigned char*>(__builtin_frame_address(0));
    leave(std::move(ending));
}

// --- Functions that the compiled text calls; barriers and warps are in block_waits.cpp

void BlockRunner::yield_call(void* engine, unsigned thread, const void* code) {
    BlockRunner& self = runner(engine);
    self.adopt(thread);
    self.leave_if_stopped(code);
    self.state_[self.position_of_[thread]] = ready;
    self.wait_here(thread);
}

void BlockRunner::fence_call(void* engine, unsigned thread, int whole_device) {
    BlockRunner& self = runner(engine);
    if (self.watcher_) self.watcher_->fence(self.place_of(thread), whole_device != 0);
}

void BlockRunner::print_call(void* engine, const char* format, __builtin_va_list arguments) {
    std::array<char, 1024> text{};
    const int length = std::vsnprintf(text.data(), text.size(), format, arguments);
    if (length > 0)
        runner(engine).printed.append(text.data(),
                                      std::min(static_cast<std::size_t>(length), text.size() - 1));
}

void BlockRunner::assertion_call(void* engine, unsigned thread, const char* expression,
                                 const char* file, int line, const void* code) {
    BlockRunner& self = runner(engine);
    ExitReason ending = self.here(ExitReason::Kind::assertion);
    ending.thread_known = true;
    ending.place = self.place_of(thread);
    ending.code = static_cast<const unsigned char*>(code);
    ending.text =
        std::string(file) + ":" + std::to_string(line) + ": assertion `" + expression + "` failed";
    self.leave(std::move(ending));
}

void BlockRunner::trap_call(void* engine, unsigned thread, const void* code) {
    BlockRunner& self = runner(engine);
    ExitReason ending = self.here(ExitReason::Kind::trap);
    ending.thread_known = true;
    ending.place = self.place_of(thread);
    ending.code = static_cast<const unsigned char*>(code);
    self.leave(std::move(ending));
}

}  // namespace lanes::gpu::simulator
