// Where the course's CUDA programs lie, from wherever the library was loaded.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanes::gpu {

// Folders that may hold max.cu and its like, the first one first: $LANES_HOME, the library's
// surroundings, the checkout of the build, the current folder.
std::vector<std::filesystem::path> program_folders();

// A path as it is given, else a file of these folders. Throws Error with every place that was
// tried.
std::filesystem::path find_program_file(const std::string& path);

}  // namespace lanes::gpu
