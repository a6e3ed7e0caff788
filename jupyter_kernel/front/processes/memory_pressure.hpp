// Is the machine short of memory? Then a frozen copy that doubles much of it is given up.
#pragma once

#include <cstdint>
#include <string>

namespace xcpp_front {

struct Memory {
    std::uint64_t total = 0, available = 0;  // bytes; 0: unknown
};

Memory read_memory(const std::string& file = "/proc/meminfo");

// copy_bytes: memory that only the copy needs
bool is_copy_too_expensive(const Memory& memory, std::uint64_t copy_bytes);

}  // namespace xcpp_front
