// What libpng and libjpeg-turbo do for us; only image_codec.cpp names them.
#pragma once

#include "lanes/data/image_file.hpp"

#include <cstddef>
#include <string>

namespace lanes::codec {

// path: for errors
ColorImage decode_png(const std::string& path, const std::string& bytes);
ColorImage decode_jpeg(const std::string& path, const std::string& bytes);

// pixels: (rows, columns, channels); channels: 1 or 3
std::string encode_jpeg(const unsigned char* pixels, std::size_t rows, std::size_t columns,
                        std::size_t channels, int quality);

}  // namespace lanes::codec
