// Is the machine, or the container or job that we are in, short of memory? Then a frozen copy that
// doubles much of it is given up.
#pragma once

#include <cstdint>
#include <filesystem>

namespace xcpp_front {

struct Memory {
    std::uint64_t total = 0, available = 0;  // bytes; 0: unknown
};

// meminfo, root, self: as Linux has them; others in tests.
Memory read_memory(const std::filesystem::path& meminfo = "/proc/meminfo",
                   const std::filesystem::path& root = "/sys/fs/cgroup",
                   const std::filesystem::path& self = "/proc/self/cgroup");

// copy_bytes: memory that only the copy needs
bool is_copy_too_expensive(const Memory& memory, std::uint64_t copy_bytes);

}  // namespace xcpp_front
