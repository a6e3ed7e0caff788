// The beginning of an .npy file, for files of their own and for those in an .npz archive.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

struct NpyHeader {
    std::string type;  // as NumPy writes it: "<f4"
    bool column_major = false;
    std::vector<std::size_t> shape;
    std::size_t bytes = 0;  // of the header: the values follow
};

// file: all bytes of the file. name: for errors, which begin with it.
NpyHeader parse_npy_header(std::string_view file, const std::string& name);

}  // namespace lanes
