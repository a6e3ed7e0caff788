#include "program_files.hpp"

#include "base/checkout.hpp"
#include "lanes/base/error.hpp"

#include <system_error>
#include <vector>

namespace fs = std::filesystem;

namespace lanes::gpu {

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

std::vector<fs::path> course_candidates(const std::string& name) {
    std::vector<fs::path> candidates;
    for (const fs::path& checkout : checkout_candidates())
        candidates.push_back(checkout / "kernels_src" / name);
    return candidates;
}

}  // namespace

fs::path find_program_file(const std::string& path) {
    std::vector<fs::path> candidates;
    if (fs::path(path).is_relative()) candidates = course_candidates(path);
    candidates.insert(candidates.begin(), path);
    return first_file(path, candidates);
}

fs::path find_course_program(const std::string& name) {
    return first_file(name, course_candidates(name));
}

}  // namespace lanes::gpu
