#include "cgroup.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

namespace lanes {

namespace {

namespace fs = std::filesystem;

// Both files hold microseconds. Without a limit, cpu.max says "max", and the quota is -1.
std::optional<double> limit_of(const fs::path& group) {
    double quota = 0;
    double period = 0;
    if (std::ifstream file(group / "cpu.max"); file >> quota >> period) {
    } else if (!(std::ifstream(group / "cpu.cfs_quota_us") >> quota) ||
               !(std::ifstream(group / "cpu.cfs_period_us") >> period)) {
        return std::nullopt;
    }
    if (quota <= 0 || period <= 0) return std::nullopt;
    return quota / period;
}

}  // namespace

std::optional<int> cgroup_cores(const fs::path& root, const fs::path& self) {
    std::optional<double> least;
    std::ifstream groups(self);
    // "0::/path" for version 2, "4:cpu,cpuacct:/path" for version 1
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (!controllers.empty() && ("," + controllers + ",").find(",cpu,") == std::string::npos)
            continue;
        const fs::path top = root / controllers;
        // In a container, the path may be that of the host: then only `top` exists.
        for (fs::path group = fs::path(line.substr(second + 1)).relative_path();;
             group = group.parent_path()) {
            if (const auto limit = limit_of(top / group))
                least = std::min(least.value_or(*limit), *limit);
            if (group.empty()) break;
        }
    }
    if (!least) return std::nullopt;
    return static_cast<int>(std::ceil(std::clamp(*least, 1.0, 1e6)));
}

}  // namespace lanes
