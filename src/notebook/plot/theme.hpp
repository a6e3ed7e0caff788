// How every plot looks: fonts, sizes and colours are set here, once. No text is smaller than 12
// pixels, and people with the common kinds of colour blindness can tell all series apart.
#pragma once

#include "notebook/display/color.hpp"

#include <nlohmann/json.hpp>

namespace lanes::notebook {

using Json = nlohmann::ordered_json;

// Sizes in pixels.
constexpr double title_size = 15;
constexpr double axis_title_size = 13;
constexpr double label_size = 12;     // of all other texts
constexpr double letter_width = 0.6;  // average, in units of the font's size
constexpr double outside = 80;        // width of margins and the labels of the y axis

// Vega-Lite's "config": what holds for all plots.
Json theme();

}  // namespace lanes::notebook
