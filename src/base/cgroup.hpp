// How many cores a container or a batch system leaves to this process. A cgroup limits the time,
// not the cores: with more threads than that, all of them are stopped for the rest of each period.
#pragma once

#include <filesystem>
#include <optional>

namespace lanes {

// The limit of this process's cgroup or of one above it, rounded up; none if there is no limit.
// Reads cpu.max (version 2) or cpu.cfs_quota_us (version 1) below `root`; `self` is
// /proc/self/cgroup.
std::optional<int> cgroup_cores(const std::filesystem::path& root,
                                const std::filesystem::path& self);

}  // namespace lanes
