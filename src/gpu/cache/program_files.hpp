// Where the CUDA programs of the course are, wherever the library was loaded from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanes::gpu {

// Folders that may hold the course's max.cu, in the order of the search: kernels_src of
// $LANES_HOME, of the folders above liblanes.so, of the checkout it was built in, and of the
// working folder.
std::vector<std::filesystem::path> program_folders();

// A file at this path, else one of these folders. Throws Error with every place that was tried.
std::filesystem::path find_program_file(const std::string& path);

// The file of that name in one of these folders, never one that lies beside a notebook: a student's
// max.cu must not replace the library's. Throws Error like the above.
std::filesystem::path find_course_program(const std::string& name);

}  // namespace lanes::gpu
