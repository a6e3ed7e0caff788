// Images as a cell shows them: small ones enlarged by whole pixels, large ones made smaller; alone
// or in a grid, with titles.
#pragma once

#include "notebook/front_end.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::notebook {

// Eight bits per channel, row by row from the top. channels: 1 grey, 3 red, green and blue.
struct Pixels {
    std::size_t width = 0;
    std::size_t height = 0;
    std::size_t channels = 1;
    std::vector<unsigned char> bytes;

    Pixels(std::size_t width, std::size_t height, std::size_t channels)
        : width(width), height(height), channels(channels), bytes(width * height * channels) {}
    unsigned char* at(std::size_t x, std::size_t y) { return &bytes[(y * width + x) * channels]; }
    const unsigned char* at(std::size_t x, std::size_t y) const {
        return &bytes[(y * width + x) * channels];
    }
};

std::string png(const Pixels& pixels);

// Both return the bundle without its text. A single image without a title is a PNG; titles need
// text, so that all others are SVG with the images inside.
Bundle image_bundle(const Pixels& pixels, const std::string& title);
// titles: none, or one per picture.
Bundle grid_bundle(const std::vector<Pixels>& pictures, const std::vector<std::string>& titles,
                   std::size_t columns);

}  // namespace lanes::notebook
