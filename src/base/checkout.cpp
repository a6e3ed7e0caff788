#include "checkout.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes {

std::vector<fs::path> checkout_candidates() {
    std::vector<fs::path> folders;
    if (const char* home = std::getenv("LANES_HOME"); home && *home) folders.emplace_back(home);
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&checkout_candidates), &info) && info.dli_fname) {
        std::error_code failed;
        fs::path folder = fs::absolute(info.dli_fname, failed).parent_path();
        for (int up = 0; up < 4 && !failed && folder.has_relative_path(); ++up) {
            folders.push_back(folder);
            folder = folder.parent_path();
        }
    }
#ifdef LANES_SOURCE_DIR
    folders.emplace_back(LANES_SOURCE_DIR);
#endif
    folders.emplace_back();
    return folders;
}

std::vector<fs::path> data_candidates() {
    std::vector<fs::path> folders;
    if (const char* data = std::getenv("LANES_DATA"); data && *data) folders.emplace_back(data);
    for (const fs::path& checkout : checkout_candidates()) folders.push_back(checkout / "data");
    return folders;
}

}  // namespace lanes
