#include "memory_pressure.hpp"

#include "wire/memory_groups.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace xcpp_front {
namespace {

namespace fs = std::filesystem;

// The number after a name; 0: there is none.
std::uint64_t number_after(const fs::path& file, const std::string& name) {
    std::ifstream words(file);
    for (std::string word; words >> word;)
        if (std::uint64_t number = 0; word == name && words >> number) return number;
    return 0;
}

struct Names {
    const char *limit, *usage, *file_cache;
};

constexpr Names names_of_files[] = {
    {"memory.max", "memory.current", "inactive_file"},
    {"memory.high", "memory.current", "inactive_file"},
    {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
};

}  // namespace

Memory read_memory(const fs::path& meminfo, const fs::path& root, const fs::path& self) {
    const Memory machine{number_after(meminfo, "MemTotal:") << 10,
                         number_after(meminfo, "MemAvailable:") << 10};
    Memory memory = machine;
    for (const fs::path& group : xcpp_wire::memory_groups(root, self)) {
        for (const Names& names : names_of_files) {
            std::uint64_t limit = 0;
            std::uint64_t usage = 0;
            if (!(std::ifstream(group / names.limit) >> limit) || limit == 0 ||
                limit >= machine.total || !(std::ifstream(group / names.usage) >> usage))
                continue;
            // Files that were read count, but give way to processes.
            usage -= std::min(usage, number_after(group / "memory.stat", names.file_cache));
            memory.total = std::min(memory.total, limit);
            memory.available = std::min(memory.available, limit - std::min(limit, usage));
        }
    }
    return memory;
}

bool is_copy_too_expensive(const Memory& memory, std::uint64_t copy_bytes) {
    constexpr std::uint64_t worthwhile = 64 << 20;
    return memory.total > 0 && memory.available < memory.total / 10 && copy_bytes >= worthwhile;
}

}  // namespace xcpp_front
