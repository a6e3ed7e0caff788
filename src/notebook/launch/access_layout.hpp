// Which boxes of an array are drawn, and where.
#pragma once

#include "access_grid.hpp"

#include <cstddef>
#include <vector>

namespace lanes::notebook {

// Of a box, of the number above it, and of a gap between lines of boxes.
inline constexpr double box_width = 34, box_height = 38, index_height = 13, gap_height = 16;

// One line of boxes of a row: elements first, first + 1, ... A gap stands for lines that no thread
// touches.
struct BoxLine {
    std::ptrdiff_t first = 0;
    std::size_t count = 0;
    bool gap = false;
};

// What of a row is drawn, and where: the same in each step.
struct RowLayout {
    std::vector<BoxLine> lines;
    std::vector<std::ptrdiff_t> before, after;  // elements outside of the array
    double y = 0, height = 0, width = 0, left = 0;
};

// per_line: boxes of an array that has no columns.
RowLayout layout_of(const ArrayRow& row, std::size_t per_line);

}  // namespace lanes::notebook
