// All checks of one launch: what the engine tells and what each access does become findings.
#pragma once

#include "gpu/simulator/check/messages/checker_context.hpp"

#include "gpu/simulator/interface/watcher.hpp"

#include "lanes/gpu/finding.hpp"
#include "lanes/gpu/report.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lanes::gpu::simulator {

// One at a time in a process: making a second one waits until the first is gone.
class Checker : public Watcher {
public:
    virtual void* hooks() = 0;
    virtual void schedule_ended(
        const std::string& name,
        const std::vector<Region>& regions) = 0;  // "forward", "reverse", "shuffled"
    virtual void failed(FindingKind kind, const ThreadPlace& thread, const std::string& what,
                        const void* code) = 0;  // the CUDA kernel's own assert, __trap()
    // A region that is const to the CUDA kernel was about to be written: the launch must be tried
    // again with it among CheckerContext::watched. Else null.
    virtual const unsigned char* must_be_watched() const = 0;
    virtual bool has_findings() const = 0;
    virtual std::vector<Finding>
    findings() = 0;  // sorted by block, thread and line; the same text on every machine
    virtual std::vector<std::string> hints() const = 0;  // what may be a mistake, or meant
    virtual bool wrote() const = 0;                      // anything that outlives the launch
    virtual Counters counters() = 0;
    virtual std::size_t blocks_counted()
        const = 0;  // how many blocks sectors, conflicts and divergence were counted in; the rest
                    // is taken to be alike
};

std::unique_ptr<Checker> make_checker(CheckerContext context);

}  // namespace lanes::gpu::simulator
