// How many threads an OpenMP region may have.
#pragma once

#include <cstddef>

namespace lanes {

// `requested`, except in a library built with g++: in a forked process whose parent has used OpenMP
// it is 1. libgomp 12 to 14 would wait for threads that do not exist after the fork; libomp, which
// clang++ links, starts new ones.
std::size_t openmp_threads(std::size_t requested);

}  // namespace lanes
