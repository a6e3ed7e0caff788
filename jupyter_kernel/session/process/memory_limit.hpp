// How much memory this process may have: that of the machine, or less in a container or a job
// (control groups of Linux, version 1 and 2).
#pragma once

#include <cstdint>
#include <filesystem>

namespace xcpp_session {

// root, self: as Linux has them; others in tests.
std::uint64_t memory_limit(const std::filesystem::path& root = "/sys/fs/cgroup",
                           const std::filesystem::path& self = "/proc/self/cgroup");

}  // namespace xcpp_session
