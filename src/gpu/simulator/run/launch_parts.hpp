// What both kinds of launch need.
#pragma once

#include "block_runner.hpp"
#include "launch.hpp"
#include "pool.hpp"

#include "gpu/simulator/object/lines.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// The arguments as the compiled text takes them: a pointer to each.
class ArgumentList {
public:
    explicit ArgumentList(const std::vector<BoundArgument>& arguments);
    void** pointers() { return pointers_.data(); }

private:
    std::vector<std::vector<unsigned char>> values_;
    std::vector<void*> pointers_;
};

// Brings the program's variables into a worker's copy, and what a CUDA kernel wrote back out of it.
void variables_in(const LaunchRequest& request, int worker);
void variables_out(const LaunchRequest& request, int worker);
bool writes_variables(const LaunchRequest& request);  // whether the unit has __device__ variables:
                                                      // then one copy runs all blocks

// Looks at the workers while they run: stops them when the Jupyter kernel asks for it or nothing
// moves for too long.
class StopWatch {
public:
    StopWatch(Pool& pool, int workers, double stop_after_seconds);
    void look();  // often
    bool interrupted() const { return interrupted_; }
    bool stopped() const { return stopped_; }

private:
    using Clock = std::chrono::steady_clock;
    struct Seen {
        std::uint64_t finished = 0, barriers = 0, begun = 0;
        Clock::time_point finished_at, moved_at;
    };
    Pool& pool_;
    std::vector<Seen> seen_;
    double stop_after_seconds_;
    bool interrupted_ = false, stopped_ = false;
};

// The line of the student's text where it happened, as far as program counter and stack tell; code
// is set to the address that told.
int line_of(const Ending& ending, LineTable& lines, const Library& library, const void*& code);

// As text and finding. Kind::stopped by an interrupt is for the caller to tell.
[[noreturn]] void throw_fault(const LaunchRequest& request, const Ending& ending, LineTable& lines,
                              const Library& library);
[[noreturn]] void throw_interrupted(const LaunchRequest& request, const char* what_of_the_buffers);

// What printf left, to standard output.
void show_printed(std::string& printed);

}  // namespace lanes::gpu::simulator
