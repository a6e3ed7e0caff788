#include "color.hpp"

#include "lanes/base/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lanes::notebook {

namespace {

constexpr std::pair<const char*, const char*> names[] = {
    {"black", "#222222"},  {"white", "#ffffff"},  {"gray", "#888888"},   {"light", "#e8e8e8"},
    {"blue", "#0072b2"},   {"orange", "#e69f00"}, {"green", "#009e73"},  {"red", "#d55e00"},
    {"purple", "#cc79a7"}, {"sky", "#56b4e9"},    {"yellow", "#f0e442"},
};

constexpr const char* series[] = {"blue", "red", "green", "purple", "orange", "sky", "black"};

// Viridis, at equal steps.
constexpr const char* heat[] = {"#440154", "#482878", "#3e4a89", "#31688e", "#26828e",
                                "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"};

double channel(const std::string& text, std::size_t at) {
    return std::stoi(text.substr(at, 2), nullptr, 16) / 255.0;
}

Color from_hex(const std::string& text) {
    return {channel(text, 1), channel(text, 3), channel(text, 5),
            text.size() == 9 ? channel(text, 7) : 1};
}

}  // namespace

Color parse_color(const std::string& text, const std::string& operation) {
    if (text == "none") return transparent;
    for (const auto& [name, value] : names)
        if (text == name) return from_hex(value);
    const bool is_hex = (text.size() == 7 || text.size() == 9) && text[0] == '#' &&
                        text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
    if (is_hex) return from_hex(text);
    std::string known;
    for (const auto& [name, value] : names) known += std::string(known.empty() ? "" : ", ") + name;
    throw Error(operation + ": no colour is called '" + text +
                "'. Write none, #rrggbb, #rrggbbaa, or one of: " + known + ".");
}

void write_pixel(unsigned char* pixel, const Color& color) {
    for (const double part : {color.red, color.green, color.blue})
        *pixel++ = static_cast<unsigned char>(std::lround(std::clamp(part, 0.0, 1.0) * 255));
}

std::string hex(const Color& color) {
    unsigned char bytes[3];
    write_pixel(bytes, color);
    std::string text = "#";
    for (const unsigned char byte : bytes) {
        text += "0123456789abcdef"[byte / 16];
        text += "0123456789abcdef"[byte % 16];
    }
    return text;
}

Color series_color(std::size_t number) {
    return parse_color(series[number % std::size(series)], "plot");
}

Color heat_color(double part) {
    constexpr std::size_t last = std::size(heat) - 1;
    const double place = std::clamp(part, 0.0, 1.0) * last;
    const std::size_t below = std::min(static_cast<std::size_t>(place), last - 1);
    const Color a = from_hex(heat[below]), b = from_hex(heat[below + 1]);
    const double t = place - static_cast<double>(below);
    return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green),
            a.blue + t * (b.blue - a.blue), 1};
}

}  // namespace lanes::notebook
