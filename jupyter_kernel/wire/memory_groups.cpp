#include "memory_groups.hpp"

#include <fstream>
#include <string>

namespace xcpp_wire {

namespace fs = std::filesystem;

std::vector<fs::path> memory_groups(const fs::path& root, const fs::path& self) {
    std::vector<fs::path> folders;
    std::ifstream groups(self);
    // "0::/path" for version 2, "9:memory:/path" or "9:cpu,memory:/path" for version 1
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (!controllers.empty() && ("," + controllers + ",").find(",memory,") == std::string::npos)
            continue;
        // In a container, the path may be that of the host: then only the top exists.
        const fs::path top = root / controllers;
        for (fs::path group = fs::path(line.substr(second + 1)).relative_path();;
             group = group.parent_path()) {
            folders.push_back(top / group);
            if (group.empty()) break;
        }
    }
    return folders;
}

}  // namespace xcpp_wire
