#include "program_files.hpp"

#include "lanes/base/error.hpp"

#include <dlfcn.h>
#include <cstdlib>
#include <system_error>

namespace fs = std::filesystem;

namespace lanes::gpu {

std::vector<fs::path> program_folders() {
    std::vector<fs::path> folders;
    if (const char* home = std::getenv("LANES_HOME"); home && *home)
        folders.push_back(fs::path(home) / "kernels_src");
    // a checkout may have been moved together with its build folder, build/lib/liblanes.so: its old
    // place comes later
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&program_folders), &info) && info.dli_fname) {
        std::error_code failed;
        fs::path place = fs::absolute(info.dli_fname, failed).parent_path();
        for (int up = 0; up < 4 && !failed && place.has_relative_path();
             ++up, place = place.parent_path())
            folders.push_back(place / "kernels_src");
    }
#ifdef LANES_SOURCE_DIR
    folders.push_back(fs::path(LANES_SOURCE_DIR) / "kernels_src");
#endif
    folders.emplace_back("kernels_src");
    return folders;
}

fs::path find_program_file(const std::string& path) {
    std::error_code failed;
    if (fs::is_regular_file(path, failed)) return path;
    std::string tried;
    if (fs::path(path).is_relative())
        for (const fs::path& folder : program_folders()) {
            if (fs::is_regular_file(folder / path, failed)) return folder / path;
            tried += ", " + (folder / path).string();
        }
    throw Error("Program::from_file: no file '" + path + "'. Tried: " + path + tried +
                ". Give its path, or set LANES_HOME to the checkout.");
}

}  // namespace lanes::gpu
