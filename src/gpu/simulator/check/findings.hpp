// The findings of one launch as they come: each mistake once, and not too many of them.
#pragma once

#include "gpu/simulator/check/messages/checker_context.hpp"
#include "gpu/simulator/check/messages/raw_finding.hpp"
#include "gpu/simulator/interface/watcher.hpp"

#include "lanes/gpu/finding.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace lanes::gpu::simulator {

class Findings {
public:
    // Whether it is the first of its kind with these instructions and this object.
    bool is_new(FindingKind kind, const void* first, const void* second, bool between_blocks,
                const std::string& object);
    void add(RawFinding finding);   // if it is new
    void keep(RawFinding finding);  // is_new was asked before
    void append(const std::vector<RawFinding>& findings);
    void clear() { raw_.clear(); }
    bool empty() const { return raw_.empty(); }
    bool are_enough() const;  // to end the launch

    // Sorted, with lines and sentences; without those that another finding explains.
    std::vector<Finding> described(const CheckerContext& context, const LaunchConfig& config,
                                   const std::vector<Region>& regions);

private:
    using Key = std::tuple<int, const void*, const void*, bool, std::string>;

    std::vector<RawFinding> raw_;
    std::set<Key> seen_;
    std::size_t events_ = 0, stopping_findings_ = 0, uninitialised_reads_ = 0;
};

// Threads of a block that wait for others which never come. There is at least one.
RawFinding barrier_divergence(const std::vector<ThreadState>& threads);

}  // namespace lanes::gpu::simulator
