#include "memory_pressure.hpp"

#include <fstream>

namespace xcpp_front {

Memory read_memory(const std::string& file) {
    Memory memory;
    std::ifstream lines(file);
    for (std::string name; lines >> name;) {
        std::uint64_t kilobytes = 0;
        if (name == "MemTotal:" && lines >> kilobytes) memory.total = kilobytes << 10;
        if (name == "MemAvailable:" && lines >> kilobytes) memory.available = kilobytes << 10;
    }
    return memory;
}

bool is_copy_too_expensive(const Memory& memory, std::uint64_t copy_bytes) {
    constexpr std::uint64_t worthwhile = 64 << 20;
    return memory.total > 0 && memory.available < memory.total / 10 && copy_bytes >= worthwhile;
}

}  // namespace xcpp_front
