// How many threads an OpenMP region may have.
#pragma once

#include <cstddef>

namespace lanes {

// As many as wished; one in a forked process whose parent computed with OpenMP before, where the
// library is built with g++: libgomp 12 to 14 waits for threads that the fork left behind. libomp,
// which clang++ links, starts new ones.
std::size_t openmp_threads(std::size_t wished);

}  // namespace lanes
