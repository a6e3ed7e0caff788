// All checks of one launch: turns the events of the engine and the memory accesses into findings.
#pragma once

#include "gpu/simulator/check/messages/checker_context.hpp"

#include "gpu/simulator/interface/watcher.hpp"

#include "lanes/gpu/finding.hpp"
#include "lanes/gpu/report.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// At most one exists per process: creating a second one waits until the first is destroyed.
class Checker : public Watcher {
public:
    virtual void* hooks() = 0;
    // name: "forward", "reverse" or "shuffled".
    virtual void schedule_ended(const std::string& name, const std::vector<Region>& regions) = 0;
    // The CUDA kernel's own assert or __trap().
    virtual void failed(FindingKind kind, const ThreadPlace& thread, const std::string& what,
                        const void* code) = 0;
    // The region that is const to the CUDA kernel and was about to be written, or null. The launch
    // must run again with this region in CheckerContext::watched.
    virtual const unsigned char* must_be_watched() const = 0;
    // Whether the schedule that just ended was left because a block waits for one that comes later
    // in it: blocks run one after another. It says nothing about the CUDA kernel, unless this
    // happens in every schedule. Asking forgets it.
    virtual bool waits_for_another_block() = 0;
    virtual void schedules_done() = 0;
    virtual bool has_findings() const = 0;
    // Sorted by block, thread and line. The text is the same on every machine.
    virtual std::vector<Finding> findings() = 0;
    virtual std::vector<std::string> hints() = 0;  // what may be a mistake, or intended
    virtual bool wrote() const = 0;                // to memory that outlives the launch
    virtual Counters counters() = 0;
    // Whether every thread of the first schedule ran to its end, so that the counters mean
    // something.
    virtual bool ran_to_end() const = 0;
    // Traffic by instruction and, of a small launch, every access.
    virtual void record(LaunchRecord& into) const = 0;
    // In how many blocks sectors, conflicts and divergence were counted. The others are assumed to
    // be similar.
    virtual std::size_t blocks_counted() const = 0;
};

std::unique_ptr<Checker> make_checker(CheckerContext context);

}  // namespace lanes::gpu::simulator
