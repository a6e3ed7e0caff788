#include "memory_limit.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace xcpp_session {
namespace {

namespace fs = std::filesystem;

// Without a limit, version 2 says "max", and version 1 a number that is larger than any memory.
void apply_limit_of(const fs::path& group, std::uint64_t& least) {
    for (const char* name : {"memory.max", "memory.high", "memory.limit_in_bytes"}) {
        std::uint64_t bytes = 0;
        if (std::ifstream(group / name) >> bytes && bytes > 0) least = std::min(least, bytes);
    }
}

}  // namespace

std::uint64_t memory_limit(const fs::path& root, const fs::path& self) {
    std::uint64_t least = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                          static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
    std::ifstream groups(self);
    // "0::/path" for version 2, "9:memory:/path" for version 1
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (!controllers.empty() && controllers != "memory") continue;
        // In a container, the path may be that of the host: then only the top exists.
        const fs::path top = root / controllers;
        for (fs::path group = fs::path(line.substr(second + 1)).relative_path();;
             group = group.parent_path()) {
            apply_limit_of(top / group, least);
            if (group.empty()) break;
        }
    }
    return least;
}

}  // namespace xcpp_session
