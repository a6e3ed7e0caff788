// Colours of plots and drawings. The palette is the one of Okabe and Ito, which people with the
// common colour blindnesses can tell apart; series take it in the order of series_colors.
#pragma once

#include <cstddef>
#include <string>

namespace lanes::notebook {

struct Color {
    double red = 0, green = 0, blue = 0, alpha = 1;  // 0 to 1
};

constexpr Color transparent{0, 0, 0, 0};
constexpr Color white{1, 1, 1, 1};
constexpr Color ink{0.13, 0.13, 0.13, 1};        // text
constexpr Color axis_gray{0.53, 0.53, 0.53, 1};  // axes and ticks
constexpr Color grid_gray{0.89, 0.89, 0.89, 1};

// "none", "#rrggbb", "#rrggbbaa" or a name of the palette; else an Error that begins with
// `operation`.
Color parse_color(const std::string& text, const std::string& operation);

std::string hex(const Color& color);                         // "#rrggbb"
void write_pixel(unsigned char* pixel, const Color& color);  // red, green, blue

Color series_color(std::size_t series);

// 0 to 1 on the colours of a heat map, from dark to light; the same in grey print.
Color heat_color(double part);

}  // namespace lanes::notebook
