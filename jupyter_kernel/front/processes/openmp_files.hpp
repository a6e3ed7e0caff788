// The OpenMP runtime tells the rest of its process that it is there by a file in shared memory, and
// removes it at the end of main. A session that crashed, was killed or gave way to its frozen copy
// never comes there.
#pragma once

#include <filesystem>

namespace xcpp_front {

// Removes those of this user whose process is gone, whoever started it.
void remove_abandoned_openmp_files(const std::filesystem::path& folder = "/dev/shm");

}  // namespace xcpp_front
