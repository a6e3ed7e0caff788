// The control groups of Linux, version 1 and 2, that limit the memory of this process: in a
// container, or in a job of a cluster.
#pragma once

#include <filesystem>
#include <vector>

namespace xcpp_wire {

// The folders of its group and of those above it, the innermost first; some may not exist.
// root, self: as Linux has them; others in tests.
std::vector<std::filesystem::path> memory_groups(
    const std::filesystem::path& root = "/sys/fs/cgroup",
    const std::filesystem::path& self = "/proc/self/cgroup");

}  // namespace xcpp_wire
