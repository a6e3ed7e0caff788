// Images as PNG, enlarged or made smaller for the page, alone or in a grid, with titles. Without
// Cairo there are no titles, and large images stay large.
#pragma once

#include "png.hpp"

#include <string>
#include <vector>

namespace lanes::notebook {

struct ImageFile {
    std::string png;
    int width = 0, height = 0;  // at which it is shown; 0: as many as it has
};

ImageFile image_file(const Pixels& pixels, const std::string& title);

// titles: none, or one for each picture.
ImageFile grid_file(const std::vector<Pixels>& pictures, const std::vector<std::string>& titles,
                    std::size_t columns);

}  // namespace lanes::notebook
