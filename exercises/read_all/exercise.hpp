// Lesson 05: read from a pipe until all bytes are there.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <cstddef>

namespace lanes::exercises {

LANES_EXERCISE(ReadAll, read_all, "void read_all(int fd, void* data, std::size_t size)", void, int,
               void*, std::size_t)

}  // namespace lanes::exercises
