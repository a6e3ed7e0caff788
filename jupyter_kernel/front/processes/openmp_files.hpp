// The OpenMP runtime creates a file in shared memory, by which a second runtime in the same process
// would notice it, and removes the file at the end of main. A session that crashed, was killed or
// was replaced by its frozen copy never gets there.
#pragma once

#include <filesystem>

namespace xcpp_front {

// Removes the files of this user's processes that have ended, no matter who started them.
void remove_abandoned_openmp_files(const std::filesystem::path& folder = "/dev/shm");

}  // namespace xcpp_front
