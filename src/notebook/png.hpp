// Pixels to the bytes of a PNG file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::notebook {

// Eight bits a channel, row by row from the top. channels: 1 grey, 3 red green blue.
struct Pixels {
    std::size_t width = 0, height = 0, channels = 1;
    std::vector<unsigned char> bytes;

    Pixels(std::size_t width, std::size_t height, std::size_t channels)
        : width(width), height(height), channels(channels), bytes(width * height * channels) {}
    unsigned char* at(std::size_t x, std::size_t y) { return &bytes[(y * width + x) * channels]; }
    const unsigned char* at(std::size_t x, std::size_t y) const {
        return &bytes[(y * width + x) * channels];
    }
};

std::string png(const Pixels& pixels);

// Half as large, for drawings: a table of the 256 colours that come most often, and for each pixel
// the nearest of them. As png() where there are too many colours for that, as in photographs.
std::string png_with_palette(const Pixels& pixels);

}  // namespace lanes::notebook
