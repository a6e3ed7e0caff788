// Parts that both kinds of launch use.
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

// The arguments in the form that the compiled text expects: a pointer to each.
class ArgumentList {
public:
    explicit ArgumentList(const std::vector<BoundArgument>& arguments);
    void** pointers() { return pointers_.data(); }

private:
    std::vector<std::vector<unsigned char>> values_;
    std::vector<void*> pointers_;
};

// Copies the program's variables into a worker's copy, and back out what a CUDA kernel wrote.
void variables_in(const LaunchRequest& request, int worker);
void variables_out(const LaunchRequest& request, int worker);
// Whether the unit has __device__ variables. If so, one copy runs all blocks.
bool writes_variables(const LaunchRequest& request);

// The shared memory of the block that the copy runs, static and dynamic.
std::vector<Region> shared_regions(const LaunchRequest& request, const Library& copy);

// Observes the workers while they run. Tells them to stop between two blocks if the Jupyter kernel
// asks for it, or if there is no progress for too long: by the CPU time of their threads, because
// on a machine with much other work they may have to wait for long.
class ProgressWatchdog {
public:
    ProgressWatchdog(Pool& pool, int workers, double stop_after_seconds);
    // To be called often. Returns whether the workers must leave the block that they run, too.
    bool look();
    bool interrupted() const { return interrupted_; }

private:
    struct Seen {
        std::uint64_t finished = 0, barriers = 0, begun = 0;
        double finished_at = 0, moved_at = 0;  // seconds of CPU time
    };
    Pool& pool_;
    std::vector<Seen> seen_;
    double stop_after_seconds_;
    bool interrupted_ = false, stopped_ = false;
};

// The line of the student's text where it happened, found by program counter and stack. Sets code
// to the address that led to it.
int line_of(const ExitReason& ending, LineTable& lines, const Library& library, const void*& code);

// "In[7]:3: assertion `n > 0` failed"
std::string assertion_text(const ExitReason& ending, const ProgramText& program);

// Throws the ending as text and finding. The caller reports a Kind::stopped by an interrupt itself.
[[noreturn]] void throw_fault(const LaunchRequest& request, const ExitReason& ending,
                              LineTable& lines, const Library& library);
[[noreturn]] void throw_interrupted(const LaunchRequest& request, const char* what_of_the_buffers);

// Writes the output of printf to standard output.
void show_printed(std::string& printed);

}  // namespace lanes::gpu::simulator
