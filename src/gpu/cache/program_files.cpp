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
    // build/lib/liblanes.so: the checkout may have been moved after the build, so its old place
    // comes later
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

namespace {

// The first of these files that exists.
fs::path first_file(const std::string& name, const std::vector<fs::path>& candidates) {
    std::string tried;
    for (const fs::path& path : candidates) {
        std::error_code failed;
        if (fs::is_regular_file(path, failed)) return path;
        tried += (tried.empty() ? "" : ", ") + path.string();
    }
    throw Error("Program::from_file: no file '", name, "'. Tried: ", tried,
                ". Give its path, or set LANES_HOME to the checkout.");
}

std::vector<fs::path> in_program_folders(const std::string& name) {
    std::vector<fs::path> candidates;
    for (const fs::path& folder : program_folders()) candidates.push_back(folder / name);
    return candidates;
}

}  // namespace

fs::path find_program_file(const std::string& path) {
    std::vector<fs::path> candidates;
    if (fs::path(path).is_relative()) candidates = in_program_folders(path);
    candidates.insert(candidates.begin(), path);
    return first_file(path, candidates);
}

fs::path find_course_program(const std::string& name) {
    return first_file(name, in_program_folders(name));
}

}  // namespace lanes::gpu
