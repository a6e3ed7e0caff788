#include "memory_limit.hpp"

#include "wire/memory_groups.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace xcpp_session {

namespace fs = std::filesystem;

std::uint64_t memory_limit(const fs::path& root, const fs::path& self) {
    std::uint64_t least = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                          static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
    // Without a limit, version 2 says "max", and version 1 a number that is larger than any memory.
    for (const fs::path& group : xcpp_wire::memory_groups(root, self)) {
        for (const char* name : {"memory.max", "memory.high", "memory.limit_in_bytes"}) {
            std::uint64_t bytes = 0;
            if (std::ifstream(group / name) >> bytes && bytes > 0) least = std::min(least, bytes);
        }
    }
    return least;
}

}  // namespace xcpp_session
