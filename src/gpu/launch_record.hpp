// What the simulator recorded of a launch, with code addresses. The lines of the text behind them
// are looked up when somebody asks: it takes about a tenth of a second.
#pragma once

#include "lanes/gpu/accesses.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace lanes::gpu {

struct LaunchRecord {
    using Code = const void*;
    std::vector<std::pair<Code, LineTraffic>> traffic;    // by instruction; lines are 0
    std::vector<std::pair<Code, MemoryAccess>> accesses;  // likewise
    std::vector<AccessedArray> arrays;
    std::vector<Code> barriers;  // the one that ended step 0, 1, ..., in one of the blocks
    bool has_all_accesses = false;
    bool block_waited = false;  // for another one: in some order of the blocks it has no end
    std::string program_text;
    // Finds the lines of code addresses. It owns what it needs.
    std::function<std::vector<int>(const std::vector<Code>&)> find_lines;

    int line_of(Code code) const;  // 0 if unknown; the first call looks up all lines at once
    std::vector<int> barrier_lines() const;

private:
    mutable std::mutex mutex_;
    mutable bool known_ = false;
    mutable std::map<Code, int> lines_;
};

}  // namespace lanes::gpu
