// The accesses of a launch, sorted into what a picture shows: rows of arrays, columns of steps, and
// in each box of an array who reads and writes the element.
#pragma once

#include "lanes/gpu/report.hpp"
#include "lanes/notebook/launch_picture.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace lanes::notebook {

struct BoxAccess {
    std::size_t thread = 0;  // number in the launch
    AccessKind kind = AccessKind::read;
    int line = 0;
};

struct Box {
    std::vector<BoxAccess> accesses;  // each thread and kind once
    bool races = false;
};

// One array, or the copy of a shared array that one block has.
struct ArrayRow {
    AccessedArray array;
    std::size_t block = 0;    // of a shared array
    std::size_t columns = 0;  // of a matrix; 0: a row of boxes
    // By step, then by element. Elements outside of the array are those below 0 and from
    // array.elements on.
    std::vector<std::map<std::ptrdiff_t, Box>> steps;

    std::string title() const;  // "tile of block 1"
    bool is_outside(std::ptrdiff_t element) const {
        return element < 0 || element >= static_cast<std::ptrdiff_t>(array.elements);
    }
};

struct AccessGrid {
    std::vector<ArrayRow>
        rows;  // those that are only read first, then shared ones, then the others
    std::vector<std::size_t> threads;  // that accessed anything
    std::vector<int> barrier_lines;    // of the barrier after each step but the last
    std::size_t steps = 0;
};

AccessGrid access_grid(const LaunchReport& report, const ArrayShapes& shapes);

}  // namespace lanes::notebook
