// Lesson 05: write to a pipe until all bytes are in it.
#pragma once

#include "lanes/notebook/exercise.hpp"

#include <cstddef>

namespace lanes::exercises {

LANES_EXERCISE(WriteAll, write_all, "void write_all(int fd, const void* data, std::size_t size)",
               void, int, const void*, std::size_t)

}  // namespace lanes::exercises
