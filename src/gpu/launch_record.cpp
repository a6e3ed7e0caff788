#include "launch_record.hpp"

#include "lanes/base/error.hpp"
#include "lanes/gpu/report.hpp"

#include <algorithm>
#include <mutex>
#include <sstream>

namespace lanes {

namespace gpu {

int LaunchRecord::line_of(Code code) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!known_ && find_lines) {
        std::vector<Code> codes = barriers;
        for (const auto& one : traffic) codes.push_back(one.first);
        for (const auto& one : accesses) codes.push_back(one.first);
        std::sort(codes.begin(), codes.end());
        codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
        const std::vector<int> lines = find_lines(codes);
        for (std::size_t i = 0; i < codes.size(); ++i) lines_[codes[i]] = lines[i];
    }
    known_ = true;
    const auto found = lines_.find(code);
    return found == lines_.end() ? 0 : found->second;
}

std::vector<int> LaunchRecord::barrier_lines() const {
    std::vector<int> lines;
    lines.reserve(barriers.size());
    for (const Code code : barriers) lines.push_back(line_of(code));
    return lines;
}

}  // namespace gpu

namespace {

std::string line_text(const std::string& text, int line) {
    std::istringstream lines(text);
    std::string found;
    for (int i = 0; i < line && std::getline(lines, found);) ++i;
    const std::size_t first = found.find_first_not_of(" \t"), last = found.find_last_not_of(" \t");
    return line < 1 || first == std::string::npos ? "" : found.substr(first, last + 1 - first);
}

}  // namespace

std::vector<LineTraffic> LaunchReport::lines() const {
    std::vector<LineTraffic> lines;
    if (!record) return lines;
    for (const auto& [code, traffic] : record->traffic) {
        const int number = record->line_of(code);
        auto line = std::find_if(lines.begin(), lines.end(),
                                 [&](const LineTraffic& other) { return other.line == number; });
        if (line == lines.end()) {
            line = lines.insert(line, LineTraffic());
            line->line = number;
            line->text = line_text(record->program_text, number);
        }
        line->loads += traffic.loads;
        line->stores += traffic.stores;
        line->requests += traffic.requests;
        line->sectors += traffic.sectors;
        line->ideal_sectors += traffic.ideal_sectors;
        line->shared_requests += traffic.shared_requests;
        line->bank_conflicts += traffic.bank_conflicts;
        line->atomics += traffic.atomics;
    }
    std::sort(lines.begin(), lines.end(), [](const LineTraffic& a, const LineTraffic& b) {
        return std::pair(b.sectors, a.line) < std::pair(a.sectors, b.line);
    });
    return lines;
}

std::vector<MemoryAccess> LaunchReport::accesses() const {
    std::vector<MemoryAccess> all;
    if (!record) return all;
    for (const auto& [code, access] : record->accesses) {
        all.push_back(access);
        all.back().line = record->line_of(code);
    }
    return all;
}

std::vector<MemoryAccess> LaunchReport::accesses(std::size_t thread) const {
    const std::size_t per_block = config.block.count(), threads = config.grid.count() * per_block;
    LANES_REQUIRE(thread < threads, "LaunchReport::accesses(", thread, "): the launch has ",
                  threads, " threads, counted from 0.");
    std::vector<MemoryAccess> own;
    for (const MemoryAccess& access : accesses())
        if (access.block * per_block + access.thread == thread) own.push_back(access);
    return own;
}

std::vector<AccessedArray> LaunchReport::arrays() const {
    return record ? record->arrays : std::vector<AccessedArray>();
}

bool LaunchReport::has_all_accesses() const { return record && record->has_all_accesses; }

}  // namespace lanes
