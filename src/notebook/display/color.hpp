// Colours of plots and drawings, as SVG and Vega-Lite write them. The palette is that of Okabe and
// Ito, which people with the common kinds of colour blindness can tell apart.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace lanes::notebook {

constexpr const char* ink = "#222222";        // text
constexpr const char* axis_gray = "#888888";  // axes and ticks
constexpr const char* grid_gray = "#e3e3e3";

// "none", "#rrggbb" or "#rrggbbaa" out of one of these or a name of the palette. Anything else is
// an Error that begins with `operation`.
std::string parse_color(const std::string& text, const std::string& operation);

// In the order in which the series of a plot take them.
std::vector<std::string> series_colors();

// The colours of a heat map (viridis) at equal steps, from dark to light.
constexpr std::array heat_colors{"#440154", "#482878", "#3e4a89", "#31688e", "#26828e",
                                 "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"};

// Writes red, green and blue of the colour at `part`, 0 to 1, of these.
void write_heat_color(double part, unsigned char* pixel);

}  // namespace lanes::notebook
