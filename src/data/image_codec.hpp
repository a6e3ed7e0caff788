// PNG by libpng, JPEG by libjpeg-turbo; only image_codec.cpp includes their headers.
#pragma once

#include "lanes/data/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace lanes::codec {

// Throws Error if it is no regular file, for example a pipe, whose reader would wait forever.
// At most the first `most` bytes are read.
std::string read_file(const std::string& path, std::size_t most = SIZE_MAX);

// The first bytes decide. path: for error messages, here and below.
bool is_png(const std::string& bytes);
bool is_jpeg(const std::string& bytes);

struct Size {
    std::size_t rows;
    std::size_t columns;
};
Size size_of(const std::string& path, const std::string& bytes);  // from the header; not 0

ColorImage decode(const std::string& path, const std::string& bytes);
ColorImage decode_png(const std::string& path, const std::string& bytes);
// reduction: 1, 2, 4 or 8. The image gets that many times fewer rows and columns, rounded up.
ColorImage decode_jpeg(const std::string& path, const std::string& bytes,
                       std::size_t reduction = 1);
Size size_of_png(const std::string& path, const std::string& bytes);
Size size_of_jpeg(const std::string& path, const std::string& bytes);

// pixels: (rows, columns, channels); channels: 1 or 3
std::string encode_jpeg(const unsigned char* pixels, std::size_t rows, std::size_t columns,
                        std::size_t channels, int quality);

}  // namespace lanes::codec
