// The accesses of a launch in words, for front ends that show no pictures.
#pragma once

#include "access_grid.hpp"

#include <string>

namespace lanes::notebook {

const char* verb(AccessKind kind);  // "reads"

// By step and thread, "  thread 0 reads a[0..3], writes b[0]"; what is wrong comes last.
std::string access_text(const LaunchReport& report, const AccessGrid& grid);

}  // namespace lanes::notebook
