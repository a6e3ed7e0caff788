// IDX, the format of MNIST: two zero bytes, a byte for the type of the values (8: unsigned byte, the only one here), a byte for the number of axes, the length
// of each axis as four bytes, highest first, then the values. Plain, or packed by gzip.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lanes {

struct IdxArray {
    std::vector<std::size_t> shape;     // (60000, 28, 28) for images, (60000) for labels
    std::vector<unsigned char> values;  // row by row
};

// Throws Error with the file, the byte and what to do where the file is missing, cut off, damaged, too long or no IDX file. A damaged length costs no memory:
// nothing is allocated that the file could not fill.
IdxArray read_idx(const std::string& path);

}  // namespace lanes
