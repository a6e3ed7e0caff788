// Sizes that the two pictures of a plot share, in pixels.
#pragma once

#include "plot_layout.hpp"

#include <algorithm>
#include <cstddef>

namespace lanes::notebook {

constexpr double title_size = 15, axis_title_size = 12.5, label_size = 11.5;
constexpr double line_width = 2.2;
constexpr double dot_area = 52;        // of a series' dots, in square pixels
constexpr std::size_t most_dots = 40;  // a line of more points is drawn without

// Series differ by shape as well as by colour.
inline const char* shape_name(std::size_t series) {
    constexpr const char* names[] = {"circle", "square", "triangle-up", "diamond", "triangle-down"};
    return names[series % 5];
}

// Several histograms are seen through each other.
inline double histogram_opacity(const PlotData& data) {
    const auto count = std::count_if(data.series.begin(), data.series.end(), [](const Series& one) { return one.kind == Series::Kind::histogram; });
    return count > 1 ? 0.55 : 1;
}

// One pixel a cell.
inline Pixels heat_pixels(const PlotLayout& layout) {
    Pixels pixels(layout.heat.shape(1), layout.heat.shape(0), 3);
    for (std::size_t y = 0; y < pixels.height; ++y)
        for (std::size_t x = 0; x < pixels.width; ++x) {
            const Color color = heat_color((layout.heat(y, x) - layout.heat_low) / (layout.heat_high - layout.heat_low));
            unsigned char* pixel = pixels.at(x, y);
            pixel[0] = static_cast<unsigned char>(color.red * 255 + 0.5), pixel[1] = static_cast<unsigned char>(color.green * 255 + 0.5);
            pixel[2] = static_cast<unsigned char>(color.blue * 255 + 0.5);
        }
    return pixels;
}

}  // namespace lanes::notebook
