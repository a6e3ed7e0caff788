// IDX, the format of MNIST: two zero bytes, a byte for the type of the values (8: unsigned byte,
// 13: float), a byte for the number of axes, the length of each axis as four bytes, then the
// values; all numbers big-endian. Plain files, or compressed by gzip.
//
//   const auto scipy = lanes::read_matrices(lanes::data_folder("pictures") + "/correlation.idx");
#pragma once

#include "lanes/array/types.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes {

struct IdxArray {
    std::vector<std::size_t> shape;     // (60000, 28, 28) for images, (60000) for labels
    std::vector<unsigned char> values;  // row by row
};

// Throws Error with the file, the byte and what to do where the file is missing, cut off, damaged,
// too long or no IDX file. A damaged length costs no memory: nothing is allocated that the file
// could not fill.
IdxArray read_idx(const std::string& path);

// A file of floats with three axes, (count, rows, columns). Where there is no such file, the one
// with .gz behind its name is taken. Errors as above.
std::vector<Matrix> read_matrices(const std::string& path);

}  // namespace lanes
