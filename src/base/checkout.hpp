// Finds the files of the course, wherever the library was loaded from.
#pragma once

#include <filesystem>
#include <vector>

namespace lanes {

// Folders that may be the checkout, in the order of the search: $LANES_HOME, the folders above
// liblanes.so, the folder that it was built in, and the working folder (an empty path). The folders
// above come first because a checkout may have been moved together with its build folder.
std::vector<std::filesystem::path> checkout_candidates();

// Folders that may hold the course's data: $LANES_DATA, then `data` in each of the above.
std::vector<std::filesystem::path> data_candidates();

}  // namespace lanes
