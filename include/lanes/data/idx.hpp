// IDX, the file format of MNIST: two zero bytes, a byte for the type of the values (8: unsigned
// byte), a byte for the number of axes, the length of each axis as four bytes, then the values. All
// numbers are big-endian. A file may be compressed by gzip.
//
//   const std::string path = lanes::data_folder("mnist") + "/t10k-images-idx3-ubyte.gz";
//   const lanes::IdxArray images = lanes::read_idx(path);
//   const std::size_t count = images.shape[0];  // 10000
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lanes {

struct IdxArray {
    std::vector<std::size_t> shape;     // (60000, 28, 28) for images, (60000) for labels
    std::vector<unsigned char> values;  // row by row
};

// Throws Error with the path, the byte and what to do if the file is missing, too short, too long,
// damaged or not an IDX file of unsigned bytes. A damaged header does not cost memory: nothing is
// allocated that the file could not fill.
IdxArray read_idx(const std::string& path);

}  // namespace lanes
